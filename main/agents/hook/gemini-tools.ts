import {
  fetchesAllIn,
  keepsToItself,
  looksBelow,
  matches,
  runs,
  searches,
  type ToolTable,
  touches,
  writesOwn,
} from './tool-step.ts';

/** A folder's key has had two names. */
const FOLDER = ['dir_path', 'path'];
const FILE = ['file_path', 'absolute_path', 'path'];

/** Tools of Gemini CLI (agents page, "Gemini CLI"). What is not here is asked about. */
export const GEMINI_TOOLS: ToolTable = new Map([
  ['run_shell_command', runs(['command'], ['dir_path', 'directory'])],
  ['read_file', touches('fs:read', FILE)],
  ['read_many_files', matches(['include', 'paths'], [])],
  ['list_directory', looksBelow(FOLDER)],
  ['glob', matches(['pattern'], FOLDER)],
  ['grep_search', looksBelow(FOLDER)],
  ['search_file_content', looksBelow(FOLDER)],
  ['write_file', touches('fs:write', FILE)],
  ['replace', touches('fs:write', FILE)],
  ['save_memory', writesOwn('.gemini/GEMINI.md')],
  ['web_fetch', fetchesAllIn(['prompt', 'url'])],
  ['google_web_search', searches],
  ['write_todos', keepsToItself],
  ['ask_user', keepsToItself],
  ['enter_plan_mode', keepsToItself],
  ['exit_plan_mode', keepsToItself],
  ['update_topic', keepsToItself],
]);
