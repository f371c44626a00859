import { absolute, keepsToItself, runs, searches, type ToolRow, type ToolTable, touches } from './tool-step.ts';

/** Lines of a patch that name a file. */
const NAMES_FILE = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to): ?(.+?)\s*$/gm;
/** Where the patch stands, by version of the client. */
const PATCH_KEYS = ['command', 'input', 'patch'] as const;

/** A patch names its files in its text; one that names none is not understood, and has no target. */
const patches: ToolRow = (input, cwd) => {
  const key = PATCH_KEYS.find((each) => Object.hasOwn(input, each));
  const value = key === undefined ? undefined : input[key];
  const text = Array.isArray(value) ? value.join('\n') : value;
  if (key === undefined || typeof text !== 'string') {
    return { capability: 'fs:write', targets: [], args: { ...input }, cwd };
  }
  const { [key]: _, ...others } = input;
  const targets = [...text.matchAll(NAMES_FILE)].map(([, path = '']) => absolute(path, cwd));
  // Under its own key it would count as a command line.
  return { capability: 'fs:write', targets: [...new Set(targets)], args: { ...others, patch: text }, cwd };
};

/** Tools of Codex, as its hooks name them (agents page, "Codex"). What is not here is asked about. */
export const CODEX_TOOLS: ToolTable = new Map([
  ['Bash', runs(['command'], ['workdir'])],
  ['shell', runs(['command'], ['workdir'])],
  ['shell_command', runs(['command'], ['workdir'])],
  ['local_shell', runs(['command'], ['workdir', 'working_directory'])],
  ['exec_command', runs(['cmd', 'command'], ['workdir'])],
  ['write_stdin', runs(['chars'])],
  ['apply_patch', patches],
  ['view_image', touches('fs:read', ['path'])],
  ['web_search', searches],
  ['update_plan', keepsToItself],
  ['spawn_agent', keepsToItself],
  ['request_user_input', keepsToItself],
]);
