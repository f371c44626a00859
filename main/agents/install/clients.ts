import { join } from 'node:path';
import { type HookCommand, isOurHook, shellLine } from './hook-command.ts';

export const CLIENT_NAMES = ['claude-code', 'codex', 'gemini'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

export interface Place {
  /** As `process.env`. */
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Absolute; null: for all that this user does. */
  project: string | null;
}

/** How one client keeps its hooks (agents page, "Adapters"). */
export interface ClientSettings {
  name: ClientName;
  title: string;
  /** The folder of its settings. */
  folder(place: Place): string;
  file: string;
  /** Key of the list of hooks that are asked before a tool runs. */
  event: string;
  /** One entry of that list. */
  group(command: HookCommand): HookGroup;
  /** What a person has to know or do, after it was installed. */
  afterwards(place: Place): string[];
}

export interface HookGroup {
  matcher?: string;
  hooks: [Record<string, unknown>];
}

/** Seconds; the hook itself gives up a little earlier. */
const TIMEOUT_S = 600;
const OF_THIS_MACHINE = 'The file names programs of this machine: keep it out of what you share with others.';

const CLAUDE_CODE: ClientSettings = {
  name: 'claude-code',
  title: 'Claude Code',
  folder: ({ env, home, project }) =>
    project === null ? env.CLAUDE_CONFIG_DIR || join(home, '.claude') : join(project, '.claude'),
  file: 'settings.json',
  event: 'PreToolUse',
  group: ({ node, script }) => ({
    matcher: '*',
    hooks: [
      {
        type: 'command',
        command: node,
        args: [script, 'claude-code'],
        timeout: TIMEOUT_S,
        onFailure: 'block',
      },
    ],
  }),
  afterwards: ({ project }) => [
    'Start Claude Code again: a running one keeps the hooks it was started with.',
    'It needs Claude Code 2.1.295 or newer: an older one runs the call when the hook itself cannot be started.',
    ...(project === null ? [] : [OF_THIS_MACHINE]),
  ],
};

const CODEX: ClientSettings = {
  name: 'codex',
  title: 'Codex',
  folder: ({ env, home, project }) =>
    project === null ? env.CODEX_HOME || join(home, '.codex') : join(project, '.codex'),
  file: 'hooks.json',
  event: 'PreToolUse',
  group: (command) => ({
    hooks: [{ type: 'command', command: shellLine(command, 'codex'), timeout: TIMEOUT_S }],
  }),
  afterwards: ({ project }) => [
    'Start Codex, open /hooks and trust the hook of Vaglio: until then Codex does not run it, and nothing is asked.',
    'Trust it again after each time that it was installed again.',
    ...(project === null ? [] : ['Codex reads hooks of a project only where the project is trusted.', OF_THIS_MACHINE]),
  ],
};

const GEMINI: ClientSettings = {
  name: 'gemini',
  title: 'Gemini CLI',
  folder: ({ home, project }) => join(project ?? home, '.gemini'),
  file: 'settings.json',
  event: 'BeforeTool',
  group: (command) => ({
    matcher: '.*',
    // Its time-out is in milliseconds.
    hooks: [{ name: 'vaglio', type: 'command', command: shellLine(command, 'gemini'), timeout: TIMEOUT_S * 1000 }],
  }),
  afterwards: ({ project }) => [
    'Start Gemini CLI again, and look with /hooks whether the hook of Vaglio is on.',
    ...(project === null ? [] : ['Gemini CLI asks before it trusts hooks of a project.', OF_THIS_MACHINE]),
  ],
};

export const CLIENTS: Readonly<Record<ClientName, ClientSettings>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  gemini: GEMINI,
};

/** Whether one hook of a client's settings is ours. */
export function isOurs(hook: unknown, client: ClientName): boolean {
  if (typeof hook !== 'object' || hook === null) return false;
  const { command, args } = hook as { command?: unknown; args?: unknown };
  return isOurHook([command, ...(Array.isArray(args) ? args : [])], client);
}
