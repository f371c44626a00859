import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLIENT_NAMES, type ClientName } from './clients.ts';
import { isOurHook } from './hook-command.ts';
import { applyChange, lookAtInstalled, planInstall, planUninstall } from './install.ts';

const COMMAND = { node: '/opt/no de/bin/node', script: "/opt/it's/dist/main/hook.cjs" };
const NOW = Date.parse('2026-11-30T12:00:00Z');
const SHELL = (client: string) =>
  `'/opt/no de/bin/node' '/opt/it'\\''s/dist/main/hook.cjs' ${client} || { echo 'Vaglio: the hook could not be started, so the call is denied. Run vaglio doctor.' >&2; exit 2; }`;
const ENTRY: Record<ClientName, unknown> = {
  'claude-code': {
    matcher: '*',
    hooks: [
      {
        type: 'command',
        command: COMMAND.node,
        args: [COMMAND.script, 'claude-code'],
        timeout: 600,
        onFailure: 'block',
      },
    ],
  },
  codex: { hooks: [{ type: 'command', command: SHELL('codex'), timeout: 600 }] },
  gemini: { matcher: '.*', hooks: [{ name: 'vaglio', type: 'command', command: SHELL('gemini'), timeout: 600_000 }] },
};
const FILE: Record<ClientName, string> = {
  'claude-code': '.claude/settings.json',
  codex: '.codex/hooks.json',
  gemini: '.gemini/settings.json',
};
const EVENT: Record<ClientName, string> = { 'claude-code': 'PreToolUse', codex: 'PreToolUse', gemini: 'BeforeTool' };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-install-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const place = (project: string | null = null, env: Record<string, string> = {}) => ({ env, home, project });

function put(path: string, text: string | Uint8Array): string {
  const full = join(home, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

function install(client: ClientName, project: string | null = null): string {
  const planned = planInstall(client, place(project), COMMAND);
  applyChange(planned, NOW);
  return planned.path;
}

function uninstall(client: ClientName): void {
  applyChange(planUninstall(client, place()), NOW);
}

test.each(CLIENT_NAMES)('%s: where there are no settings, they are made, for this user alone', (client) => {
  const path = install(client);
  expect(path).toBe(join(home, FILE[client]));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ hooks: { [EVENT[client]]: [ENTRY[client]] } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(path))).toHaveLength(1);
});

const COMMENTED = `{
    // what I like
    "model": "m", /* here */
    "zeta": 1,
    "alpha": [1, 2], // last
    "hooks": {
        "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
        "PreToolUse": [
            // mine
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "my-check" }] }
        ]
    },
}
`;

test('comments, order, indentation and the hooks of others stay; taken out again, it is the file that it was', () => {
  const path = put('.claude/settings.json', COMMENTED);
  install('claude-code');
  const text = readFileSync(path, 'utf8');
  for (const line of COMMENTED.split('\n').filter((each) => !/my-check/.test(each))) expect(text).toContain(line);
  expect(parseJsonc(text).hooks.PreToolUse).toEqual([
    { matcher: 'Bash', hooks: [{ type: 'command', command: 'my-check' }] },
    ENTRY['claude-code'],
  ]);
  uninstall('claude-code');
  expect(readFileSync(path, 'utf8')).toBe(COMMENTED);
});

test.each([
  ['{}\n', {}],
  ['{ "model": "m" }', { model: 'm' }],
  ['{\r\n\t"model": "m"\r\n}\r\n', { model: 'm' }],
  ['', {}],
  ['{"hooks": {}}', {}],
  ['{"hooks": {"PreToolUse": []}, "a": 1}', { a: 1 }],
])('into %j and out of it', (given, left) => {
  const path = put('.claude/settings.json', given);
  install('claude-code');
  const text = readFileSync(path, 'utf8');
  expect(parseJsonc(text).hooks.PreToolUse).toEqual([ENTRY['claude-code']]);
  if (given.includes('\r\n')) expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  uninstall('claude-code');
  expect(parseJsonc(readFileSync(path, 'utf8'))).toEqual(left);
});

test('installed twice it is there once, and an older entry is replaced', () => {
  const path = install('claude-code');
  expect(planInstall('claude-code', place(), COMMAND).diff).toEqual([]);
  applyChange(planInstall('claude-code', place(), { ...COMMAND, node: '/usr/bin/node' }), NOW);
  const { hooks } = JSON.parse(readFileSync(path, 'utf8'));
  expect(hooks.PreToolUse).toHaveLength(1);
  expect(hooks.PreToolUse[0].hooks[0].command).toBe('/usr/bin/node');
});

test('our hook beside another one in one group is taken out alone', () => {
  const other = { type: 'command', command: 'other' };
  const [ours] = (ENTRY['claude-code'] as { hooks: unknown[] }).hooks;
  const path = put(
    '.claude/settings.json',
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [ours, other, ours] }] } }),
  );
  uninstall('claude-code');
  expect(JSON.parse(readFileSync(path, 'utf8')).hooks.PreToolUse).toEqual([{ matcher: 'Bash', hooks: [other] }]);
});

test.each([
  ['{ "a": ', 'in line 1'],
  ['{\n "a": 1,\n oops\n}', 'in line 3'],
  ['[]', 'it is no JSON object'],
  ['{"hooks": []}', '"hooks" is no object'],
  ['{"hooks": {"PreToolUse": {}}}', '"hooks.PreToolUse" is no list'],
  ['{"hooks": {"PreToolUse": []}, "hooks": {"PreToolUse": [1]}}', 'it holds one key twice'],
])('settings that cannot be read are refused and left alone: %s', (given, why) => {
  const path = put('.claude/settings.json', given);
  expect(() => planInstall('claude-code', place(), COMMAND)).toThrow(why);
  expect(readFileSync(path, 'utf8')).toBe(given);
  expect(lookAtInstalled('claude-code', place()).command).toBeNull();
});

test('no UTF-8, too large, a folder: refused', () => {
  put('.claude/settings.json', Buffer.from([0x7b, 0xff, 0x7d]));
  expect(() => planInstall('claude-code', place(), COMMAND)).toThrow('it is no UTF-8');
  put('.claude/settings.json', Buffer.alloc(6 * 1024 * 1024, 0x20));
  expect(() => planInstall('claude-code', place(), COMMAND)).toThrow('these are no settings');
  mkdirSync(join(home, '.gemini/settings.json'), { recursive: true });
  expect(() => planInstall('gemini', place(), COMMAND)).toThrow('cannot be read');
});

test('what was there stays beside it, with its rights, also when it is done twice in one second', () => {
  const path = put('.claude/settings.json', '{"a": 1}');
  install('claude-code');
  uninstall('claude-code');
  const kept = readdirSync(dirname(path)).filter((name) => name.includes('before-vaglio'));
  expect(kept.sort()).toEqual([
    'settings.json.before-vaglio-20261130T120000Z',
    'settings.json.before-vaglio-20261130T120000Z-2',
  ]);
  expect(readFileSync(join(dirname(path), kept[0] ?? ''), 'utf8')).toBe('{"a": 1}');
  expect(statSync(path).mode).toBe(statSync(join(dirname(path), kept[0] ?? '')).mode);
});

test('a link stays a link', () => {
  const real = put('dotfiles/claude.json', '{}');
  mkdirSync(join(home, '.claude'));
  symlinkSync(real, join(home, '.claude/settings.json'));
  install('claude-code');
  expect(lstatSync(join(home, '.claude/settings.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, 'utf8')).toContain('hook.cjs');
});

test('what somebody else changed meanwhile is not written over', () => {
  const planned = planInstall('gemini', place(), COMMAND);
  const path = put('.gemini/settings.json', '{"theirs": 1}');
  expect(() => applyChange(planned, NOW)).toThrow('Somebody else changed');
  expect(readFileSync(path, 'utf8')).toBe('{"theirs": 1}');
});

test('a project has settings of its own, and has to be a folder', () => {
  const project = join(home, 'work');
  expect(() => planInstall('claude-code', place(project), COMMAND)).toThrow('is no folder');
  mkdirSync(project);
  expect(install('claude-code', project)).toBe(join(project, '.claude/settings.json'));
  expect(existsSync(join(home, '.claude'))).toBe(false);
});

test('the folders that the clients let one move are followed', () => {
  expect(planInstall('claude-code', place(null, { CLAUDE_CONFIG_DIR: '/c' }), COMMAND).path).toBe('/c/settings.json');
  expect(planInstall('codex', place(null, { CODEX_HOME: '/x' }), COMMAND).path).toBe('/x/hooks.json');
});

const TOML = `# mine
model = "m"   # comment
big = 9007199254740993

[[hooks.Stop]]
[[hooks.Stop.hooks]]
type = "command"
command = "say done"`;

test('Codex: where its hooks stand in config.toml, ours goes to its end, and out again', () => {
  const path = put('.codex/config.toml', TOML);
  expect(install('codex')).toBe(path);
  const text = readFileSync(path, 'utf8');
  expect(text.startsWith(`${TOML}\n`)).toBe(true);
  expect(parseToml(text, { integersAsBigInt: 'asNeeded' }).hooks).toEqual({
    Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
    PreToolUse: [{ hooks: [{ type: 'command', command: SHELL('codex'), timeout: 600 }] }],
  });
  expect(planInstall('codex', place(), COMMAND).diff).toEqual([]);
  expect(existsSync(join(home, '.codex/hooks.json'))).toBe(false);
  uninstall('codex');
  expect(readFileSync(path, 'utf8')).toBe(`${TOML}\n`);
});

test.each([
  ['model = ', 'line 1'],
  ['[hooks]\nPreToolUse = []\n', 'nothing can be added'],
  ['hooks = { Stop = [] }\n', 'nothing can be added'],
])('Codex: a config.toml that cannot be added to is refused: %s', (given, why) => {
  const path = put('.codex/config.toml', given);
  expect(() => planInstall('codex', place(), COMMAND)).toThrow(why);
  expect(readFileSync(path, 'utf8')).toBe(given);
});

test('hooks that the client has switched off are told', () => {
  put('.codex/config.toml', '[features]\nhooks = false\n');
  put('.gemini/settings.json', '{"hooksConfig": {"enabled": false}}');
  put('.claude/settings.json', '{"disableAllHooks": true}');
  for (const client of CLIENT_NAMES) {
    expect(planInstall(client, place(), COMMAND).notes.at(-1)).toMatch(/switches all hooks off/);
    install(client);
    expect(lookAtInstalled(client, place()).problem).toMatch(/switches all hooks off/);
  }
});

test('what is installed is found again, with the words that the client starts', () => {
  for (const client of CLIENT_NAMES) install(client);
  expect(CLIENT_NAMES.map((client) => lookAtInstalled(client, place()).command)).toEqual([
    [COMMAND.node, COMMAND.script, 'claude-code'],
    [SHELL('codex')],
    [SHELL('gemini')],
  ]);
});

test.each([
  [['/n', '/x/hook.cjs', 'codex'], true],
  [['"/n" "C:\\x\\hook.cjs" codex'], true],
  [['vaglio hook codex'], true],
  [['node /x/main/launch/vaglio.mjs hook codex --wait 5'], true],
  [['/n', '/x/hook.cjs', 'gemini'], false],
  [['/n', '/x/my-hook.cjs', 'codex'], false],
  [['say codex'], false],
  [[7], false],
])('%j is ours for codex: %s', (words, is) => {
  expect(isOurHook(words, 'codex')).toBe(is);
});

test('the difference shows what goes and what comes, with a little around it', () => {
  put('.gemini/settings.json', '{\n  "a": 1,\n  "b": 2\n}\n');
  const { diff } = planInstall('gemini', place(), COMMAND);
  expect(diff[0]).toBe('@@ line 1 @@');
  expect(diff.filter((line) => line.startsWith('-'))).toEqual(['-  "b": 2']);
  expect(diff.filter((line) => line.startsWith('+'))[0]).toBe('+  "b": 2,');
  expect(diff.at(-1)).toBe(' ');
});
