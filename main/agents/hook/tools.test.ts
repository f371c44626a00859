import { expect, test } from 'vitest';
import { CLAUDE_CODE } from './claude-code.ts';
import { CLAUDE_CODE_TOOLS } from './claude-code-tools.ts';
import type { HookClient } from './client.ts';
import { CODEX } from './codex.ts';
import { CODEX_TOOLS } from './codex-tools.ts';
import { GEMINI } from './gemini.ts';
import { GEMINI_TOOLS } from './gemini-tools.ts';
import { MCP_TOOLS } from './mcp-tools.ts';
import type { ToolStep } from './tool-step.ts';

type Row = readonly [tool: string, input: Record<string, unknown>, capability: string, targets: readonly string[]];
const OWN = ['parse:local', []] as const;

const CLAUDE_ROWS: readonly Row[] = [
  ['Bash', { command: 'git status', description: 'look' }, 'code:exec', ['git status']],
  ['PowerShell', { command: 'ls' }, 'code:exec', ['ls']],
  ['Monitor', { command: 'tail -f x' }, 'code:exec', ['tail -f x']],
  ['Read', { file_path: '/w/a.txt' }, 'fs:read', ['/w/a.txt']],
  ['NotebookRead', { notebook_path: '/w/a.ipynb' }, 'fs:read', ['/w/a.ipynb']],
  ['Glob', { pattern: '**/*.ts' }, 'fs:read', ['/w/**']],
  ['Grep', { pattern: 'x', path: '/d' }, 'fs:read', ['/d/**']],
  ['LS', { path: '/d/' }, 'fs:read', ['/d/**']],
  ['Write', { file_path: '/w/a.txt', content: 'x' }, 'fs:write', ['/w/a.txt']],
  ['Edit', { file_path: '/w/a.txt', old_string: 'a', new_string: 'b' }, 'fs:write', ['/w/a.txt']],
  ['MultiEdit', { file_path: '/w/a.txt', edits: [] }, 'fs:write', ['/w/a.txt']],
  ['NotebookEdit', { notebook_path: '/w/a.ipynb', new_source: '' }, 'fs:write', ['/w/a.ipynb']],
  ['WebFetch', { url: 'https://example.org:8443/x', prompt: 'sum' }, 'network:http', ['example.org:8443']],
  ['WebSearch', { query: 'x' }, 'network:http', ['web-search']],
  ['Task', { prompt: 'do' }, ...OWN],
  ['Agent', { prompt: 'do' }, ...OWN],
  ['TodoWrite', { todos: [] }, ...OWN],
  ['TaskCreate', {}, ...OWN],
  ['TaskGet', {}, ...OWN],
  ['TaskList', {}, ...OWN],
  ['TaskUpdate', {}, ...OWN],
  ['TaskOutput', {}, ...OWN],
  ['TaskStop', {}, ...OWN],
  ['BashOutput', { bash_id: '1' }, ...OWN],
  ['KillShell', { shell_id: '1' }, ...OWN],
  ['KillBash', { shell_id: '1' }, ...OWN],
  ['AskUserQuestion', { questions: [] }, ...OWN],
  ['EnterPlanMode', {}, ...OWN],
  ['ExitPlanMode', { plan: 'x' }, ...OWN],
  ['ToolSearch', { query: 'x' }, ...OWN],
];

const PATCH = `*** Begin Patch
*** Add File: src/new.ts
+a
*** Update File: /abs/old.ts
*** Move to: ../out.ts
@@
-a
+b
*** Delete File: gone.ts
*** End Patch`;

const CODEX_ROWS: readonly Row[] = [
  ['Bash', { command: 'git status' }, 'code:exec', ['git status']],
  ['shell', { command: ['bash', '-lc', 'ls'] }, 'code:exec', ['bash -lc ls']],
  ['shell_command', { command: 'ls' }, 'code:exec', ['ls']],
  ['local_shell', { command: ['ls', '-l'] }, 'code:exec', ['ls -l']],
  ['exec_command', { cmd: 'ls' }, 'code:exec', ['ls']],
  ['write_stdin', { session_id: 1, chars: 'rm x\n' }, 'code:exec', ['rm x\n']],
  ['apply_patch', { command: PATCH }, 'fs:write', ['/w/src/new.ts', '/abs/old.ts', '/w/../out.ts', '/w/gone.ts']],
  ['view_image', { path: 'a.png' }, 'fs:read', ['/w/a.png']],
  ['web_search', { query: 'x' }, 'network:http', ['web-search']],
  ['update_plan', { plan: [] }, ...OWN],
  ['spawn_agent', { message: 'do' }, ...OWN],
  ['request_user_input', {}, ...OWN],
];

const GEMINI_ROWS: readonly Row[] = [
  ['run_shell_command', { command: 'ls', dir_path: 'sub' }, 'code:exec', ['ls']],
  ['read_file', { file_path: 'a.txt' }, 'fs:read', ['/w/a.txt']],
  ['read_many_files', { include: ['src/**/*.ts', 'docs/*.md'] }, 'fs:read', ['/w/src/**', '/w/docs/**']],
  ['list_directory', { dir_path: '/d' }, 'fs:read', ['/d/**']],
  ['glob', { pattern: 'src/*.ts', dir_path: '/d' }, 'fs:read', ['/d/src/**']],
  ['grep_search', { pattern: 'x' }, 'fs:read', ['/w/**']],
  ['search_file_content', { pattern: 'x', path: 'sub' }, 'fs:read', ['/w/sub/**']],
  ['write_file', { file_path: '/w/a', content: 'x' }, 'fs:write', ['/w/a']],
  ['replace', { file_path: 'a', old_string: 'x', new_string: 'y' }, 'fs:write', ['/w/a']],
  ['save_memory', { fact: 'x' }, 'fs:write', ['~/.gemini/GEMINI.md']],
  ['web_fetch', { prompt: 'sum https://a.org/x and http://b.org:81/' }, 'network:http', ['a.org', 'b.org:81']],
  ['google_web_search', { query: 'x' }, 'network:http', ['web-search']],
  ['write_todos', { todos: [] }, ...OWN],
  ['ask_user', {}, ...OWN],
  ['enter_plan_mode', {}, ...OWN],
  ['exit_plan_mode', {}, ...OWN],
  ['update_topic', {}, ...OWN],
];

const MCP_ROWS: readonly Row[] = [
  ['read_file', { path: '~/a' }, 'fs:read', ['~/a']],
  ['read_text_file', { path: '/w/a' }, 'fs:read', ['/w/a']],
  ['read_media_file', { path: '/w/a.png' }, 'fs:read', ['/w/a.png']],
  ['read_multiple_files', { paths: ['/w/a', '/w/b'] }, 'fs:read', ['/w/a', '/w/b']],
  ['get_file_info', { path: '/w/a' }, 'fs:read', ['/w/a']],
  ['list_directory', { path: '/w' }, 'fs:read', ['/w/**']],
  ['list_directory_with_sizes', { path: '/w' }, 'fs:read', ['/w/**']],
  ['directory_tree', { path: '/w' }, 'fs:read', ['/w/**']],
  ['search_files', { path: '/w', pattern: 'x' }, 'fs:read', ['/w/**']],
  ['write_file', { path: '/w/a', content: '' }, 'fs:write', ['/w/a']],
  ['edit_file', { path: '/w/a', edits: [] }, 'fs:write', ['/w/a']],
  ['create_directory', { path: '/w/d' }, 'fs:write', ['/w/d']],
  ['move_file', { source: '/w/a', destination: '/w/b' }, 'fs:write', ['/w/a', '/w/b']],
  ['list_allowed_directories', {}, ...OWN],
];

const EVENT: Readonly<Record<string, string>> = {
  'claude-code': 'PreToolUse',
  codex: 'PreToolUse',
  gemini: 'BeforeTool',
};

function stepOf(client: HookClient, tool: string, input: unknown, more: object = {}): ToolStep {
  const event = { hook_event_name: EVENT[client.name], tool_name: tool, tool_input: input, cwd: '/w' };
  return client.read({ ...event, ...more }).step;
}

test.each(CLAUDE_ROWS)('Claude Code: %s', (tool, input, capability, targets) => {
  expect(stepOf(CLAUDE_CODE, tool, input)).toMatchObject({ capability, targets });
});
test.each(CODEX_ROWS)('Codex: %s', (tool, input, capability, targets) => {
  expect(stepOf(CODEX, tool, input)).toMatchObject({ capability, targets });
});
test.each(GEMINI_ROWS)('Gemini CLI: %s', (tool, input, capability, targets) => {
  expect(stepOf(GEMINI, tool, input)).toMatchObject({ capability, targets });
});
test.each(MCP_ROWS)('a tool of an MCP server: %s', (tool, input, capability, targets) => {
  for (const client of [CLAUDE_CODE, CODEX, GEMINI]) {
    expect(stepOf(client, `mcp__files__${tool}`, input)).toMatchObject({ capability, targets });
  }
});

test('each table has its row here, and no other', () => {
  const names = (rows: readonly Row[]) => rows.map(([tool]) => tool);
  expect([...CLAUDE_CODE_TOOLS.keys()]).toEqual(names(CLAUDE_ROWS));
  expect([...CODEX_TOOLS.keys()]).toEqual(names(CODEX_ROWS));
  expect([...GEMINI_TOOLS.keys()]).toEqual(names(GEMINI_ROWS));
  expect([...MCP_TOOLS.keys()].sort()).toEqual(names(MCP_ROWS).sort());
});

test.each(['Deploy', 'read', 'constructor', '__proto__', 'mcp__x__echo', 'mcp____read_file', 'Skill'])(
  '%s is no tool that is known: it counts as a command',
  (tool) => {
    for (const client of [CLAUDE_CODE, CODEX, GEMINI]) {
      expect(stepOf(client, tool, { path: '/w' })).toMatchObject({ capability: 'code:exec', targets: [tool] });
    }
  },
);

test.each([
  ['read_file', { path: 'a' }],
  ['read_file', { path: '../a' }],
  ['read_multiple_files', { paths: ['/w/a', 'b'] }],
  ['move_file', { source: 'a', destination: '/w/b' }],
  ['list_directory', { path: '.' }],
  ['list_directory', {}],
])('where a relative path of a server leads is not known: %s %o', (tool, input) => {
  const name = `mcp__files__${tool}`;
  expect(stepOf(CLAUDE_CODE, name, input)).toEqual({
    capability: 'code:exec',
    targets: [name],
    args: input,
    cwd: '/w',
  });
});

test('a tool of a server is not taken for one of the client that has its name', () => {
  const mcp_context = { server_name: 'evil', tool_name: 'write_todos' };
  expect(stepOf(GEMINI, 'write_todos', {}, { mcp_context }).capability).toBe('code:exec');
  expect(stepOf(GEMINI, 'write_todos', {}, { mcp_context: {} }).capability).toBe('code:exec');
});

test.each([
  ['Read', {}],
  ['Read', { file_path: 7 }],
  ['Read', { file_path: '' }],
  ['Glob', { path: '/w' }],
  ['Glob', { pattern: 'x', path: 3 }],
  ['Grep', { pattern: 'x', path: null }],
  ['WebFetch', { url: 'file:///etc/x' }],
  ['WebFetch', { url: 'no address' }],
  ['Bash', { command: '' }],
  ['Bash', { command: [1] }],
])('%s with %o has no target', (tool, input) => {
  expect(stepOf(CLAUDE_CODE, tool, input).targets).toEqual([]);
});

test('a patch that names no file, and a list with something else in it, have no target', () => {
  expect(stepOf(CODEX, 'apply_patch', { command: 'x' }).targets).toEqual([]);
  expect(stepOf(CODEX, 'apply_patch', {}).targets).toEqual([]);
  expect(stepOf(GEMINI, 'read_many_files', { include: ['a', 1] }).targets).toEqual([]);
  expect(stepOf(GEMINI, 'web_fetch', { prompt: 'no address' }).targets).toEqual([]);
});

test.each([
  ['/etc/*.conf', '/etc/**'],
  ['*/../../etc/*', '/**'],
  ['{a,/etc}/*', '/**'],
  ['@(a|/etc)/*', '/**'],
  ['../x/*', '/w/../x/**'],
  ['/*', '/**'],
  ['a.txt', '/w/a.txt/**'],
])('the pattern %s cannot leave %s', (pattern, target) => {
  expect(stepOf(CLAUDE_CODE, 'Glob', { pattern }).targets).toEqual([target]);
});

test('what the guard sees has absolute paths, and a command under its own key', () => {
  expect(stepOf(GEMINI, 'read_file', { file_path: 'id_rsa' }, { cwd: '/home/u/.ssh' }).args).toEqual({
    file_path: '/home/u/.ssh/id_rsa',
  });
  expect(stepOf(CODEX, 'exec_command', { cmd: 'a', command: 'b' }).args).toEqual({
    cmd: 'a',
    command: 'a',
    cwd: '/w',
  });
  expect(stepOf(CODEX, 'apply_patch', { command: PATCH }).args).toEqual({ patch: PATCH });
  expect(stepOf(GEMINI, 'run_shell_command', { command: 'ls', dir_path: 'sub' })).toMatchObject({
    args: { command: 'ls', cwd: '/w/sub' },
    cwd: '/w/sub',
  });
  expect(stepOf(CLAUDE_CODE, 'Bash', { command: 'ls' }, { cwd: '/root/w' }).args).toEqual({ command: 'ls' });
  expect(stepOf(CLAUDE_CODE, 'Bash', { command: 'ls', cwd: 'x' }).args).toEqual({ command: 'ls', cwd: 'x' });
});
