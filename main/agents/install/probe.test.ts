import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ClientName } from './clients.ts';
import { blockedBecause, probeInstalled } from './probe.ts';
import { countToolUses } from './transcripts.ts';

const pre = (decision: string, reason?: string) =>
  JSON.stringify({ hookSpecificOutput: { permissionDecision: decision, permissionDecisionReason: reason } });

type Row = readonly [client: ClientName, exit: number | null, stdout: string, stderr: string, because: string | null];
const ROWS: readonly Row[] = [
  ['claude-code', 0, pre('deny', 'why'), '', 'why'],
  ['claude-code', 0, pre('ask', 'why'), '', null],
  ['claude-code', 0, pre('allow'), '', null],
  ['claude-code', 0, '', '', null],
  ['claude-code', 0, 'deny', '', null],
  ['claude-code', 2, '', 'why', 'why'],
  ['claude-code', 1, pre('deny', 'why'), 'why', null],
  ['claude-code', null, '', '', null],
  ['codex', 0, pre('deny', 'why'), '', 'why'],
  ['codex', 0, pre('deny', ' '), '', null],
  ['codex', 0, pre('deny'), '', null],
  ['codex', 0, '', '', null],
  ['codex', 2, '', 'why', 'why'],
  ['codex', 2, '', ' ', null],
  ['gemini', 0, '{"decision":"deny","reason":"why"}', '', 'why'],
  ['gemini', 0, '{"decision":"allow"}', '', null],
  ['gemini', 0, 'null', '', null],
  ['gemini', 2, '', 'why', 'why'],
  ['gemini', 1, '', 'why', null],
];

test.each(ROWS)('%s that gets exit %s, %j and %j', (client, exit, stdout, stderr, because) => {
  expect(blockedBecause(client, { exit, stdout, stderr })).toBe(because);
});

const installed = (command: string[] | null, isShell = false, problem: string | null = null) => ({
  client: 'codex' as const,
  path: '/x/hooks.json',
  command,
  isShell,
  problem,
});
const given = { env: { PATH: process.env.PATH }, home: tmpdir() };

test.each([
  ['no hook', installed(null), 'absent'],
  ['a hook that the client does not run', installed(['true'], false, 'switched off'), 'open'],
  ['a program that is not there', installed(['/nowhere/node', 'x']), 'open'],
  ['a hook that says nothing', installed([process.execPath, '-e', '0']), 'open'],
  [
    'a shell whose hook cannot be started',
    installed(["'/nowhere/node' x || { echo no >&2; exit 2; }"], true),
    'denied',
  ],
  ['a denial by the guard', installed([`echo '${pre('deny', 'guard: x')}'`], true), 'guarded'],
  ['a denial by a failure', installed([`echo '${pre('deny', 'no engine')}'`], true), 'denied'],
] as const)('%s', async (_, hook, state) => {
  expect((await probeInstalled(hook, given)).state).toBe(state);
});

test('a hook that never answers is no denial', async () => {
  const hook = installed([process.execPath, '-e', 'setInterval(() => 0, 1000)']);
  expect((await probeInstalled(hook, { ...given, limitMs: 200 })).state).toBe('open');
});

test('the calls of the transcripts are counted by session, from the given time on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vaglio-transcripts-'));
  try {
    const call = (sessionId: string, timestamp: string, content: unknown[]) =>
      JSON.stringify({ type: 'assistant', sessionId, timestamp, message: { content } });
    const use = { type: 'tool_use', name: 'Bash', input: {} };
    mkdirSync(join(folder, 'p/sub'), { recursive: true });
    writeFileSync(
      join(folder, 'p/a.jsonl'),
      [
        call('a', '2026-11-30T12:00:00Z', [use, { type: 'text', text: 'x' }, use]),
        call('a', '2026-11-29T12:00:00Z', [use]),
        call('a', 'no date', [use]),
        '{"type":"user","message":{"content":[{"type":"tool_result","note":"\\"tool_use\\""}]}}',
        '{"torn "tool_use"',
        'null "tool_use"',
      ].join('\n'),
    );
    writeFileSync(join(folder, 'p/sub/b.jsonl'), call('b', '2026-11-30T13:00:00Z', [use]));
    writeFileSync(join(folder, 'p/c.txt'), call('c', '2026-11-30T13:00:00Z', [use]));
    const since = Date.parse('2026-11-30T00:00:00Z');
    expect(await countToolUses(folder, Math.min(since, Date.now()))).toEqual({
      sessions: new Map([
        ['a', 2],
        ['b', 1],
      ]),
      unread: 0,
    });
    expect((await countToolUses(join(folder, 'nowhere'), 0)).sessions.size).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
