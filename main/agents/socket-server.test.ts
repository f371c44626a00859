import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { decideAnswerSchema } from '../../shared/domain/decision.ts';
import { agentContract } from '../../shared/rpc/agent.ts';
import { contract } from '../../shared/rpc/all.ts';
import { askDecision, askDoor } from './client.ts';
import { RPC_ERRORS } from './json-rpc.ts';
import type { DoorLimits } from './limits.ts';
import { requestOf, standInLine } from './line.stand-in.ts';
import { type RawAgent, rawAgent } from './raw-agent.stand-in.ts';
import { type AgentDoor, openAgentDoor } from './socket-server.ts';

const MIB = 1024 * 1024;

let folder: string;
let path: string;
let line: ReturnType<typeof standInLine>;
const turns = { step: vi.fn(() => true), end: vi.fn(() => true) };
let logged: string[];
const doors: AgentDoor[] = [];
const agents: RawAgent[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-door-'));
  path = join(folder, 'state/vaglio.sock');
  line = standInLine();
  vi.clearAllMocks();
  logged = [];
});
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.socket.destroy();
  for (const door of doors.splice(0)) await door.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(limits: Partial<DoorLimits> = {}): Promise<AgentDoor> {
  const log = (text: string): void => void logged.push(text);
  const door = await openAgentDoor({ path, line: line.line, turns, version: '1.2.3', log, limits });
  doors.push(door);
  return door;
}
async function enter(): Promise<RawAgent> {
  const agent = await rawAgent(path);
  agents.push(agent);
  return agent;
}
const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000 });
const errorOf = (code: number, id: unknown = null) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.any(String) },
});

describe('what an agent may call', () => {
  test('every entry is marked for agents, and none is also an operator’s', () => {
    for (const [name, { scope }] of Object.entries(agentContract)) expect(scope, name).toBe('agent');
    const operators = Object.entries(contract).flatMap(([domain, verbs]) =>
      Object.keys(verbs).map((verb) => `${domain}.${verb}`),
    );
    expect(operators.filter((name) => Object.hasOwn(agentContract, name))).toEqual([]);
  });

  test('an action is weighed; one that is wrong is told by its field', async () => {
    await open();
    const agent = await enter();
    agent.call(1, 'evaluate', { action: { kind: 'remind' }, flow: 'proactive', urgency: 2 });
    expect(await agent.next()).toMatchObject({ id: 1, result: { final_decision: 'defer', urgency: { used: 2 } } });
    agent.call(2, 'evaluate', { action: { kind: 'wrong' }, flow: 'reactive' });
    expect(await agent.next()).toMatchObject({
      id: 2,
      error: { code: RPC_ERRORS.invalidParams, message: expect.stringContaining('kind') },
    });
    agent.call(3, 'evaluate', { action: { kind: 'remind' } });
    expect(await agent.next()).toMatchObject({
      id: 3,
      error: { code: RPC_ERRORS.invalidParams, message: expect.stringContaining('flow') },
    });
  });
  test('no operator’s method and no name of a prototype is there', async () => {
    await open();
    const agent = await enter();
    const names = Object.entries(contract).flatMap(([domain, verbs]) =>
      Object.keys(verbs).map((verb) => `${domain}.${verb}`),
    );
    for (const name of [...names, 'constructor', '__proto__', 'toString', 'hasOwnProperty', '']) {
      agent.call(name || 'empty', name, {});
      expect(await agent.next(), name).toEqual(errorOf(RPC_ERRORS.unknownMethod, name || 'empty'));
    }
  });

  test('each method reaches what answers it, and its answer fits the contract', async () => {
    await open();
    const agent = await enter();
    const key = { channel: 'c', sender_id: 's', turn_id: 't' };
    agent.call(1, 'decide', requestOf('allow'));
    const decided = await agent.next();
    expect(decideAnswerSchema.parse(decided.result)).toMatchObject({ decision: 'allowed' });
    agent.call(2, 'cancel', { id: 'nothing' });
    expect(await agent.next()).toMatchObject({ id: 2, result: { cancelled: false } });
    agent.call(3, 'turn.step', { ...key, step: 1, executor: 'x', ok: true });
    expect(await agent.next()).toMatchObject({ id: 3, result: { kept: true } });
    agent.call(4, 'turn.end', { ...key, final_kind: 'answer' });
    expect(await agent.next()).toMatchObject({ id: 4, result: { kept: true } });
    agent.call(5, 'ping');
    expect(await agent.next()).toMatchObject({ id: 5, result: { version: '1.2.3', pid: process.pid } });
    agent.call(6, 'await', { token: 'abc' });
    await until(() => line.waiting() === 1);
    line.resolve('abc', 'rejected');
    expect(await agent.next()).toMatchObject({ id: 6, result: { decision: 'rejected' } });
  });

  test('params that do not fit are named by their field and reach nothing', async () => {
    await open();
    const agent = await enter();
    agent.call(1, 'decide', { ...requestOf('allow'), args: 'secret' });
    const answer = await agent.next();
    expect(answer).toEqual(errorOf(RPC_ERRORS.invalidParams, 1));
    expect((answer.error as { message: string }).message).toMatch(/^args: /);
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(line.seen).toEqual([]);
  });

  test('a fault of ours is an error without its inside', async () => {
    await open();
    const agent = await enter();
    agent.call(1, 'decide', requestOf('fail'));
    const answer = await agent.next();
    expect(answer).toEqual(errorOf(RPC_ERRORS.internal, 1));
    expect(JSON.stringify(answer)).not.toContain('secret');
    expect(logged.join()).toContain('secret inside');
  });

  test('a request without an id is told so, and is not decided; a notification that needs no answer is done', async () => {
    await open();
    const agent = await enter();
    agent.send(`${JSON.stringify({ jsonrpc: '2.0', method: 'decide', params: requestOf('allow') })}\n`);
    expect(await agent.next()).toEqual(errorOf(RPC_ERRORS.invalidRequest));
    expect(line.seen).toEqual([]);
    const params = { channel: 'c', sender_id: 's', turn_id: 't', final_kind: 'answer' };
    agent.send(`${JSON.stringify({ jsonrpc: '2.0', method: 'turn.end', params })}\n`);
    agent.call(1, 'ping');
    expect(await agent.next()).toMatchObject({ id: 1 });
    expect(turns.end).toHaveBeenCalledOnce();
  });

  test('a batch is answered as one, a fault in it in its place', async () => {
    await open();
    const agent = await enter();
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    agent.send(`${JSON.stringify([ping(1), 7, { jsonrpc: '2.0', method: 'cancel', params: { id: 'x' } }, ping(2)])}\n`);
    expect(await agent.next()).toMatchObject([{ id: 1 }, errorOf(RPC_ERRORS.invalidRequest), { id: 2 }]);
  });

  test('duplicates with one request_id get one answer; another request with it is refused', async () => {
    await open();
    const [a, b] = [await enter(), await enter()];
    a.call(1, 'decide', requestOf('wait', { request_id: 'r', wait_s: 60 }));
    await until(() => line.waiting() === 1);
    b.call(2, 'decide', requestOf('wait', { request_id: 'r', wait_s: 60 }));
    await b.next();
    b.call(3, 'decide', requestOf('allow', { request_id: 'r' }));
    expect(await b.next()).toEqual(errorOf(RPC_ERRORS.conflict, 3));
    line.resolve('t1', 'approved');
    await a.next();
    expect((await a.next()).result).toEqual((await b.next()).result);
    expect(line.seen).toHaveLength(1);
  });

  test.each<['allowed' | 'approved', 'approval_required' | 'denied', boolean]>([
    ['allowed', 'approval_required', false],
    ['allowed', 'denied', false],
    ['approved', 'approval_required', true],
    ['approved', 'denied', false],
  ])('%s, and now it would be %s: given again is %s [security]', async (decision, now, isGiven) => {
    await open();
    const agent = await enter();
    agent.call(1, 'decide', requestOf('wait', { request_id: 'r', wait_s: 60 }));
    await agent.next();
    line.resolve('t1', decision);
    await agent.next();
    line.nowWouldBe(now);
    agent.call(2, 'decide', requestOf('wait', { request_id: 'r', wait_s: 60 }));
    expect(await agent.next()).toMatchObject(isGiven ? { result: { decision } } : { method: 'approval.pending' });
    expect(line.seen).toHaveLength(isGiven ? 1 : 2);
  });
});

describe('whoever misbehaves', () => {
  test('half a JSON, then the end: told, and not decided', async () => {
    await open();
    const agent = await enter();
    agent.send('{"jsonrpc":"2.0","id":1,"method":"dec');
    agent.socket.end();
    expect(await agent.next()).toEqual(errorOf(RPC_ERRORS.parse));
    await agent.ended;
  });

  test('a broken line is told, and the next one is answered', async () => {
    await open();
    const agent = await enter();
    agent.send('{"jsonrpc":\n');
    expect(await agent.next()).toEqual(errorOf(RPC_ERRORS.parse));
    agent.call(1, 'ping');
    expect(await agent.next()).toMatchObject({ id: 1 });
  });

  test('11 MiB: told, then closed; 9 MiB: answered', async () => {
    const door = await open();
    const [good, bad] = [await enter(), await enter()];
    bad.call(1, 'decide', requestOf('allow', { args: { text: 'x'.repeat(11 * MIB) } }));
    good.call(1, 'decide', requestOf('allow', { args: { text: 'x'.repeat(9 * MIB) } }));
    expect(await bad.next()).toEqual(errorOf(RPC_ERRORS.tooLarge));
    await bad.ended;
    expect(await good.next()).toMatchObject({ id: 1, result: { decision: 'allowed' } });
    await until(() => door.connections() === 1);
    expect(line.seen).toHaveLength(1);
  });

  test('unfinished requests may not fill the memory together', async () => {
    await open({ heldBytes: 3 * MIB });
    const [first, second] = [await enter(), await enter()];
    first.send('x'.repeat(2 * MIB));
    await sleep(50);
    second.send('x'.repeat(2 * MIB));
    expect(await second.next()).toEqual(errorOf(RPC_ERRORS.busy));
    await second.ended;
    const third = await enter();
    third.call(1, 'ping');
    expect(await third.next()).toMatchObject({ id: 1 });
  });

  test('a byte at a time: cut after its time, while others are served', async () => {
    await open({ lineMs: 100, sweepMs: 10 });
    const [slow, other] = [await enter(), await enter()];
    const drip = setInterval(() => slow.send('{'), 10);
    expect(await slow.next()).toEqual(errorOf(RPC_ERRORS.tooSlow));
    await slow.ended;
    clearInterval(drip);
    other.call(1, 'ping');
    expect(await other.next()).toMatchObject({ id: 1 });
  });

  test('an idle agent is let go, one that waits for a person is not', async () => {
    await open({ idleMs: 50, sweepMs: 5 });
    const [idle, waiting] = [await enter(), await enter()];
    waiting.call(1, 'decide', requestOf('wait', { wait_s: 60 }));
    await idle.ended;
    await sleep(100);
    expect(line.waiting()).toBe(1);
    line.resolve('t1', 'approved');
    await waiting.next();
    expect(await waiting.next()).toMatchObject({ id: 1, result: { decision: 'approved' } });
  });

  test('an agent that takes no answers is cut off, with what it waits for', async () => {
    const door = await open({ unsentMs: 50, sweepMs: 5, unsentBytes: 1000 });
    const agent = await enter();
    agent.socket.pause();
    agent.call(0, 'decide', requestOf('wait', { wait_s: 60 }));
    await until(() => line.waiting() === 1);
    for (let i = 0; i < 5000; i++) agent.call('z'.repeat(190), 'ping');
    await until(() => door.connections() === 0);
    expect(line.waiting()).toBe(0);
  });

  test('more unanswered requests than one agent may have are refused one by one', async () => {
    await open({ inFlight: 2 });
    const agent = await enter();
    for (const id of [1, 2, 3]) agent.call(id, 'decide', requestOf('wait', { wait_s: 60 }));
    const got = [await agent.next(), await agent.next(), await agent.next()];
    expect(got.find(({ id }) => id === 3)).toEqual(errorOf(RPC_ERRORS.busy, 3));
    expect(line.waiting()).toBe(2);
  });

  test('more agents than there is room for are told so', async () => {
    await open({ connections: 1 });
    await enter();
    const second = await enter();
    expect(await second.next()).toEqual(errorOf(RPC_ERRORS.busy));
    await second.ended;
  });

  test.each(['destroy', 'end'] as const)('one that leaves (%s) while a card is open withdraws it', async (how) => {
    await open();
    const agent = await enter();
    agent.call(1, 'decide', requestOf('wait', { wait_s: 60 }));
    await until(() => line.waiting() === 1);
    agent.socket[how]();
    await until(() => line.withdrawn() === 1);
    expect(line.waiting()).toBe(0);
  });

  test('deep nesting, with and without a request_id, brings nothing down', async () => {
    await open();
    const agent = await enter();
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
    const request = (id: number, more: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"decide","params":{"channel":"c","sender_id":"s","intent":"i","executor":"deny"${more},"args":{"deep":${deep}}}}\n`;
    agent.send(request(1, ''));
    agent.send(request(2, ',"request_id":"r"'));
    const got = [await agent.next(), await agent.next()];
    expect(got.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(JSON.stringify(got)).not.toContain('"allowed"');
    agent.call(3, 'ping');
    expect(await agent.next()).toMatchObject({ id: 3 });
  });

  test('whatever the bytes, the door stays open', async () => {
    const door = await open();
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => Buffer.from(`${text}\n`)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 5 }), async (pieces) => {
        const agent = await rawAgent(path);
        for (const piece of pieces) agent.socket.write(piece);
        agent.socket.end();
        await agent.ended;
      }),
      { numRuns: 100 },
    );
    await until(() => door.connections() === 0);
    expect(await askDoor('ping', {}, { path, timeoutMs: 5000 })).toMatchObject({ ok: true });
    expect(line.seen).toEqual([]);
  });
});

describe('many', () => {
  test('1,000 agents at once all get their own answer', async () => {
    await open();
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        askDecision(requestOf(index % 2 === 0 ? 'allow' : 'deny'), { path, timeoutMs: 30_000 }),
      ),
    );
    const found = answers.map((asked) => (asked.ok ? asked.value.decision : asked.failure.message));
    expect(found).toEqual(Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? 'allowed' : 'denied')));
  });

  test('600 requests in one piece are answered each', async () => {
    await open();
    const agent = await enter();
    const text = Array.from({ length: 600 }, (_, id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`);
    agent.send(text.join(''));
    const ids = new Set<unknown>();
    for (let i = 0; i < 600; i++) {
      const { id, result } = await agent.next();
      expect(result).toBeDefined();
      ids.add(id);
    }
    expect(ids.size).toBe(600);
  });
});

test('when the door closes, whoever waits is answered: withdrawn', async () => {
  const door = await open();
  const asked = askDecision(requestOf('wait', { wait_s: 60 }), { path });
  await until(() => line.waiting() === 1);
  await door.close();
  expect(await asked).toMatchObject({ ok: true, value: { decision: 'withdrawn' } });
});

test('closing does not wait for an agent that hangs', async () => {
  const door = await open();
  const agent = await enter();
  agent.socket.pause();
  agent.send('half');
  await until(() => door.connections() === 1);
  await door.close();
  expect(door.connections()).toBe(0);
});

test('a stranger at the place of the socket is not taken for the engine', async () => {
  mkdirSync(join(folder, 'state'));
  const liar = createServer((socket) =>
    socket.on('data', () => socket.write('{"id":1,"result":{"decision":"yes"}}\n')),
  );
  await new Promise<void>((done) => liar.listen(path, done));
  expect(await askDecision(requestOf('x'), { path })).toMatchObject({ ok: false, failure: { kind: 'bad-answer' } });
  liar.close();
});
