import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DecisionKind } from '../../shared/domain/decision.ts';
import { decisionKindSchema } from '../../shared/domain/decision.ts';
import { askDecision, askDoor, mayRun } from './client.ts';
import { requestOf } from './line.stand-in.ts';

let folder: string;
let path: string;
let server: Server | null;
let child: ChildProcess | null;
const sockets = new Set<Socket>();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-client-'));
  path = join(folder, 'vaglio.sock');
  server = null;
  child = null;
});
afterEach(() => {
  child?.kill('SIGKILL');
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Answers every connection's first bytes with `reply`, or as it does. */
async function serve(reply: string | ((socket: Socket) => void)): Promise<void> {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => (typeof reply === 'string' ? socket.write(reply) : reply(socket)));
  });
  await new Promise<void>((done) => server?.listen(path, done));
}
const ask = (more: Partial<Parameters<typeof askDecision>[1]> = {}) =>
  askDecision(requestOf('x'), { path, timeoutMs: 2000, ...more });
const result = (value: unknown) => `${JSON.stringify({ jsonrpc: '2.0', id: 1, result: value })}\n`;

test('only two decisions mean that the call may run', () => {
  expect(decisionKindSchema.options.filter(mayRun)).toEqual(['allowed', 'approved']);
  expect(mayRun('ALLOWED' as DecisionKind)).toBe(false);
});

test('no engine: not running, with what to do', async () => {
  expect(await ask()).toMatchObject({
    ok: false,
    failure: { kind: 'not-running', message: expect.stringContaining('vaglio serve') },
  });
});

test('something else at the place of the socket is not spoken to', async () => {
  writeFileSync(path, '');
  expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'unsafe', message: expect.stringContaining(path) } });
});

test.each([
  ['no JSON', 'hello\n', 'bad-answer'],
  ['null', 'null\n', 'bad-answer'],
  ['a result that is no object', result('allowed'), 'bad-answer'],
  ['no decision', result({ reason: 'fine' }), 'bad-answer'],
  ['a decision that we do not know', result({ decision: 'yes', reason: '' }), 'bad-answer'],
  ['a decision inside a list', result([{ decision: 'allowed', reason: '' }]), 'bad-answer'],
  ['a decision without a reason', result({ decision: 'allowed' }), 'bad-answer'],
  ['an error', '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"too large"}}\n', 'error'],
  ['an error and a result', '{"id":1,"error":{},"result":{"decision":"allowed","reason":""}}\n', 'error'],
])('an answer with %s is a failure', async (_, reply, kind) => {
  await serve(reply);
  const asked = await ask();
  expect(asked).toMatchObject({ ok: false, failure: { kind } });
  expect(asked.ok ? '' : asked.failure.message).not.toBe('');
});

test('an answer to another question is passed over, a pending card is told, the answer comes in pieces', async () => {
  const told: unknown[] = [];
  await serve((socket) => {
    socket.write('{"id":7,"result":{"decision":"allowed","reason":""}}\n');
    socket.write('{"method":"approval.pending","params":{"id":1,"approval":{"token":"t","expires_at":"then"}}}\n');
    const text = result({ decision: 'denied', reason: 'é' });
    socket.write(text.slice(0, 20), () => setImmediate(() => socket.write(text.slice(20))));
  });
  expect(await ask({ onPending: (approval) => told.push(approval) })).toMatchObject({
    ok: true,
    value: { decision: 'denied' },
  });
  expect(told).toEqual([{ token: 't', expires_at: 'then' }]);
});

test.each([
  ['says nothing', () => undefined, 'timeout'],
  ['ends', (socket: Socket) => socket.end(), 'ended'],
  ['breaks off', (socket: Socket) => socket.destroy(), 'ended'],
  ['ends in the middle', (socket: Socket) => socket.end('{"id":1,"result":{"decision":"allowed"'), 'ended'],
])('an engine that %s is a failure', async (_, reply, kind) => {
  await serve(reply);
  expect(await ask({ timeoutMs: 200 })).toMatchObject({ ok: false, failure: { kind } });
});

test('a caller that gives up, before and while it waits', async () => {
  let left = false;
  await serve((socket) => socket.on('close', () => (left = true)));
  const caller = new AbortController();
  const asked = ask({ signal: caller.signal });
  setTimeout(() => caller.abort(), 50);
  expect(await asked).toMatchObject({ ok: false, failure: { kind: 'left' } });
  await expect.poll(() => left).toBe(true);
  expect(await ask({ signal: caller.signal })).toMatchObject({ ok: false, failure: { kind: 'left' } });
});

test('a request that is no JSON is a failure', async () => {
  await serve(result({}));
  expect(await askDoor('ping', { big: 1n }, { path, timeoutMs: 100 })).toMatchObject({ ok: false });
});

test('the engine is killed while 20 agents wait: all 20 have a failure with a text', async () => {
  const from = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  const script = `import { openAgentDoor } from ${from('socket-server.ts')};
    import { standInLine } from ${from('line.stand-in.ts')};
    const turns = { step: () => true, end: () => true };
    const { line } = standInLine();
    await openAgentDoor({ path: process.argv[1], line, turns, version: '0', log: console.error });
    console.log('open');`;
  child = spawn(process.execPath, ['--input-type=module', '-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  let pending = 0;
  const asked = Array.from({ length: 20 }, () =>
    askDecision(requestOf('wait', { wait_s: 600 }), { path, onPending: () => pending++ }),
  );
  await expect.poll(() => pending, { timeout: 30_000 }).toBe(20);
  child.kill('SIGKILL');
  for (const each of await Promise.all(asked)) {
    expect(each).toEqual({ ok: false, failure: { kind: 'ended', message: expect.stringContaining('went away') } });
  }
  expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'not-running' } });
});
