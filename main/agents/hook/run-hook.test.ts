import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { standInLine } from '../line.stand-in.ts';
import { type AgentDoor, openAgentDoor } from '../socket-server.ts';
import type { HookOutput } from './client.ts';
import { runHook } from './run-hook.ts';

/** Each client's question about a call of a tool (agents page, "Adapters"). */
const EVENTS = {
  'claude-code': (tool: string, input: unknown = {}) => ({
    session_id: 's1',
    transcript_path: '/t/s1.jsonl',
    cwd: '/w',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1',
  }),
  codex: (tool: string, input: unknown = {}) => ({
    session_id: 's1',
    turn_id: 'turn1',
    transcript_path: null,
    cwd: '/w',
    model: 'm',
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'call_1',
  }),
  gemini: (tool: string, input: unknown = {}) => ({
    session_id: 's1',
    transcript_path: '/t/s1.json',
    cwd: '/w',
    hook_event_name: 'BeforeTool',
    timestamp: '2026-11-30T12:00:00Z',
    tool_name: tool,
    tool_input: input,
  }),
  'gemini checker': (tool: string, input: unknown = {}) => ({
    protocolVersion: '1.0.0',
    toolCall: { name: tool, args: input },
    context: { environment: { cwd: '/w', workspaces: ['/w'] } },
  }),
} as const;
type Kind = keyof typeof EVENTS;
const KINDS = Object.keys(EVENTS) as Kind[];

/** The exact bytes with which each client is denied. */
const DENIED: Record<Kind, (reason: string) => string> = {
  'claude-code': (reason) =>
    `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":${JSON.stringify(reason)}}}\n`,
  codex: (reason) =>
    `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":${JSON.stringify(reason)}}}\n`,
  gemini: (reason) => `{"decision":"deny","reason":${JSON.stringify(reason)}}\n`,
  'gemini checker': (reason) => `{"decision":"deny","reason":${JSON.stringify(reason)}}\n`,
};
const ALLOWED: Record<Kind, string> = {
  'claude-code':
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"Vaglio: as the test wants it"}}\n',
  codex: '',
  gemini: '{"decision":"allow"}\n',
  'gemini checker': '{"decision":"allow"}\n',
};

let home: string;
let socketPath: string;
let doors: (AgentDoor | Server)[];
let line: ReturnType<typeof standInLine>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-hook-'));
  mkdirSync(join(home, '.local/state/metnos'), { recursive: true, mode: 0o700 });
  socketPath = join(home, '.local/state/metnos/vaglio.sock');
  doors = [];
  line = standInLine();
});
afterEach(async () => {
  for (const door of doors) await door.close();
  rmSync(home, { recursive: true, force: true });
});

async function openDoor(): Promise<void> {
  const turns = { step: () => true, end: () => true };
  doors.push(await openAgentDoor({ path: socketPath, line: line.line, turns, version: '0', log: () => undefined }));
}

/** Listens at the socket and answers as `answer` says. */
async function listen(answer: string | null): Promise<void> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (answer !== null) socket.on('data', () => void socket.end(answer));
  });
  doors.push(server);
  await new Promise<void>((done) => server.listen(socketPath, done));
}

function clientOf(kind: Kind): string {
  return kind === 'gemini checker' ? 'gemini' : kind;
}

async function* bytes(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === 'string' ? Buffer.from(text) : text;
}

interface Given {
  options?: readonly string[];
  answerMs?: number;
  stdin?: AsyncIterable<Uint8Array>;
}

function hook(kind: Kind, input: string | Uint8Array, { options = [], answerMs = 2000, stdin }: Given = {}) {
  const args = [clientOf(kind), ...options];
  return runHook(args, { socketPath, senderId: 'anna', stdin: stdin ?? bytes(input), answerMs, inputMs: 200 });
}

function ask(kind: Kind, tool: string, given: Given = {}): Promise<HookOutput> {
  return hook(kind, JSON.stringify(EVENTS[kind](tool)), given);
}

const denied = (kind: Kind, reason: string): HookOutput => ({
  stdout: DENIED[kind](reason),
  stderr: '',
  exit: 0,
});

test.each(KINDS)('%s: a call that may run', async (kind) => {
  await openDoor();
  expect(await ask(kind, 'allow')).toEqual({ stdout: ALLOWED[kind], stderr: '', exit: 0 });
});

test.each(KINDS)('%s: a call that is denied', async (kind) => {
  await openDoor();
  expect(await ask(kind, 'deny')).toEqual(denied(kind, 'Vaglio: as the test wants it'));
});

test.each(KINDS)('%s: nothing but the call goes to the engine, under its own channel', async (kind) => {
  await openDoor();
  await ask(kind, 'allow');
  const [request] = line.seen;
  expect(request).toMatchObject({
    channel: clientOf(kind),
    sender_id: 'anna',
    executor: 'allow',
    capability: 'code:exec',
    target: 'allow',
    args: {},
    context: { mode: 'hook', capability: 'code:exec', cwd: '/w' },
  });
  expect(request?.wait_s).toBe(kind === 'gemini checker' ? undefined : 570);
  expect(request?.request_id).toBe({ 'claude-code': 's1:toolu_1', codex: 'turn1:call_1' }[kind as string]);
});

test.each(['claude-code', 'codex', 'gemini'] as const)(
  '%s: the hook waits for a person, and gives the answer',
  async (kind) => {
    await openDoor();
    let asked = 1;
    for (const [decision, output] of [
      ['approved', { stdout: ALLOWED[kind], stderr: '', exit: 0 }],
      ['rejected', denied(kind, 'Vaglio: as the test wants it')],
      ['expired', denied(kind, 'Vaglio: as the test wants it')],
    ] as const) {
      const fresh = { ...EVENTS[kind]('wait'), session_id: decision, turn_id: decision };
      const answer = hook(kind, JSON.stringify(fresh));
      const turn = asked++;
      await expect.poll(() => line.seen.length).toBe(turn);
      line.resolve(`t${turn}`, decision);
      expect(await answer).toEqual(output);
    }
  },
);

test('who leaves while a person is asked withdraws the card', async () => {
  await openDoor();
  const child = start(['claude-code'], JSON.stringify(EVENTS['claude-code']('wait')));
  await expect.poll(() => line.waiting(), { timeout: 10_000 }).toBe(1);
  child.process.kill('SIGKILL');
  await expect.poll(() => line.withdrawn(), { timeout: 10_000 }).toBe(1);
});

const OPEN_CARD =
  '{"jsonrpc":"2.0","id":1,"result":{"decision":"approval_required","reason":"r","approval":{"token":"t","expires_at":"x"}}}\n';

test('a call that a person has to decide is left to the dialog of Claude Code where it was asked for', async () => {
  await listen(OPEN_CARD);
  expect(await ask('claude-code', 'x', { options: ['--on-approval', 'ask'] })).toEqual({
    stdout:
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"Vaglio: a person has to decide about this call."}}\n',
    stderr: '',
    exit: 0,
  });
});

test('the safety checker of Gemini CLI has no time to wait: the client asks', async () => {
  await listen(OPEN_CARD);
  expect((await ask('gemini checker', 'x')).stdout).toBe(
    '{"decision":"ask_user","reason":"Vaglio: a person has to decide about this call."}\n',
  );
});

test.each(['claude-code', 'codex', 'gemini'] as const)('%s: nobody decided in time', async (kind) => {
  await listen(OPEN_CARD);
  const reason = 'Vaglio: nobody decided about this call within 1 s, so it is denied. It may be asked again.';
  const options = ['--wait', '1', ...(kind === 'claude-code' ? [] : ['--on-approval', 'ask'])];
  expect(await ask(kind, 'x', { options })).toEqual(denied(kind, reason));
});

test.each(KINDS)('%s: the engine is down', async (kind) => {
  const reason = `Vaglio: The engine is not running: there is no ${socketPath}. Open the panel or run \`vaglio serve\`. The call is denied.`;
  expect(await ask(kind, 'allow')).toEqual(denied(kind, reason));
});

test.each(KINDS)('%s: what lies there is no socket', async (kind) => {
  writeFileSync(socketPath, '');
  expect(await ask(kind, 'allow')).toEqual(denied(kind, `Vaglio: ${socketPath} is no socket. The call is denied.`));
});

test.each(KINDS)('%s: the socket refuses', async (kind) => {
  await leaveDeadSocket();
  const reason = `Vaglio: The engine is not running: nobody answers at ${socketPath}. Open the panel or run \`vaglio serve\`. The call is denied.`;
  expect(await ask(kind, 'allow')).toEqual(denied(kind, reason));
});

test.each(KINDS)('%s: no answer in time', async (kind) => {
  await listen(null);
  const output = await ask(kind, 'allow', { answerMs: 50, options: ['--wait', '0'] });
  expect(output).toEqual(denied(kind, 'Vaglio: The engine did not answer within 0.05 s. The call is denied.'));
});

test.each([
  ['no JSON', 'hello\n', 'The engine answered with something that is no JSON.'],
  ['half an answer', '{"jsonrpc":"2.0",', 'The engine went away before it answered.'],
  [
    'no decision',
    '{"jsonrpc":"2.0","id":1,"result":{"decision":"yes","reason":""}}\n',
    'The engine answered without a decision.',
  ],
  ['an error', '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}\n', 'The engine cannot answer: no'],
])('the engine answers with %s', async (_, said, reason) => {
  await listen(said);
  for (const kind of KINDS)
    expect(await ask(kind, 'allow')).toEqual(denied(kind, `Vaglio: ${reason} The call is denied.`));
});

test.each([
  ['bad JSON', '{"tool_name":', 'the hook was given something that is no JSON, so the call is denied.'],
  ['nothing', '', 'the hook was given something that is no JSON, so the call is denied.'],
  ['a list', '[]', 'the hook was given no JSON object, so the call is denied.'],
  [
    'no UTF-8',
    Buffer.from([0x7b, 0xff, 0x7d]),
    'the hook was given something that is no UTF-8, so the call is denied.',
  ],
  ['11 MiB', Buffer.alloc(11 * 1024 * 1024, 0x20), 'the call has more than 10485760 bytes, so it is denied.'],
])('%s on stdin', async (_, input, reason) => {
  await openDoor();
  for (const kind of KINDS) expect(await hook(kind, input)).toEqual(denied(kind, `Vaglio: ${reason}`));
  expect(line.seen).toEqual([]);
});

test('a call that grows over the limit of the door on its way', async () => {
  await openDoor();
  const input = { text: 'x'.repeat(10 * 1024 * 1024 - 300) };
  const output = await hook('codex', JSON.stringify(EVENTS.codex('allow', input)));
  expect(output.exit).toBe(0);
  expect(JSON.parse(output.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
});

test.each(KINDS)('%s: a client that never ends its question', async (kind) => {
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{');
    await new Promise(() => undefined);
  }
  expect(await hook(kind, '', { stdin: endless() })).toEqual(
    denied(kind, 'Vaglio: the call did not arrive in time, so it is denied.'),
  );
});

test.each([
  ['another event', { hook_event_name: 'PostToolUse' }],
  ['no tool', { tool_name: '' }],
  ['an input that is no object', { tool_input: [] }],
])('%s is no call', async (_, change) => {
  await openDoor();
  for (const kind of ['claude-code', 'codex', 'gemini'] as const) {
    const { stdout, exit } = await hook(kind, JSON.stringify({ ...EVENTS[kind]('allow'), ...change }));
    expect([exit, stdout.includes('"deny"')]).toEqual([0, true]);
  }
  expect(line.seen).toEqual([]);
});

test('an unknown version of the safety checker is denied', async () => {
  await openDoor();
  const message = { ...EVENTS['gemini checker']('allow'), protocolVersion: '2.0.0' };
  expect((await hook('gemini checker', JSON.stringify(message))).stdout).toContain('"deny"');
});

test.each([
  [['claude-code', '--on-approval', 'yes']],
  [['claude-code', '--wait', 'x']],
  [['claude-code', '--wait', '']],
  [['claude-code', '--allow']],
  [['other']],
  [[]],
])('options that mean nothing block: %o', async (args) => {
  const { stdout, stderr, exit } = await runHook(args, { socketPath, senderId: 'anna', stdin: bytes('{}') });
  expect([stdout, exit]).toEqual(['', 2]);
  expect(stderr).toMatch(/The call is denied\.\n$/);
});

test.each(KINDS)('%s: the hook itself fails', async (kind) => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('{');
    throw new RangeError('a secret');
  }
  expect(await hook(kind, '', { stdin: broken() })).toEqual({
    stdout: '',
    stderr: 'The hook of Vaglio failed (RangeError), so the call is denied. Run `vaglio doctor`.\n',
    exit: 2,
  });
});

const PROGRAM = join(import.meta.dirname, 'main.ts');

/** The hook in a process of its own. */
function start(args: readonly string[], input: string | Uint8Array, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { HOME: home, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (piece) => (stdout += String(piece)));
  child.stderr.on('data', (piece) => (stderr += String(piece)));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const ended = new Promise<HookOutput>((done) => {
    child.on('close', (code) => done({ stdout, stderr, exit: code ?? -1 }));
  });
  return { process: child, ended };
}

test.each(['claude-code', 'codex', 'gemini'] as const)(
  '%s as a process: allowed, denied, engine down, 11 MiB, own crash',
  async (kind) => {
    const allow = JSON.stringify(EVENTS[kind]('allow'));
    await openDoor();
    expect(await start([kind], allow).ended).toEqual({ stdout: ALLOWED[kind], stderr: '', exit: 0 });
    expect(await start([kind], Buffer.alloc(11 * 1024 * 1024, 0x20)).ended).toEqual(
      denied(kind, 'Vaglio: the call has more than 10485760 bytes, so it is denied.'),
    );
    const broken =
      'import os from "node:os"; import { syncBuiltinESMExports } from "node:module"; os.userInfo = () => { throw new Error("a secret"); }; syncBuiltinESMExports();';
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(broken)}`;
    expect(await start([kind], allow, { NODE_OPTIONS }).ended).toEqual({
      stdout: '',
      stderr: 'The hook of Vaglio failed (Error), so the call is denied. Run `vaglio doctor`.\n',
      exit: 2,
    });
    await doors.pop()?.close();
    const reason = `Vaglio: The engine is not running: there is no ${socketPath}. Open the panel or run \`vaglio serve\`. The call is denied.`;
    expect(await start([kind], allow).ended).toEqual(denied(kind, reason));
  },
  30_000,
);

/** A socket file that nobody listens behind any more. */
async function leaveDeadSocket(): Promise<void> {
  const script = `require('net').createServer().listen(${JSON.stringify(socketPath)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await new Promise((done) => spawn(process.execPath, ['-e', script]).on('close', done));
}
