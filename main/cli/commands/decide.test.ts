import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerOf, requestOf, standInLine } from '../../agents/line.stand-in.ts';
import { agentSocketPath } from '../../agents/socket-file.ts';
import { type AgentDoor, openAgentDoor } from '../../agents/socket-server.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { runCommand } from '../cli.stand-in.ts';

let home: string;
let door: AgentDoor | null;
let line: ReturnType<typeof standInLine>;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-decide-'));
  door = null;
  line = standInLine();
});
afterEach(async () => {
  await door?.close();
  rmSync(home, { recursive: true, force: true });
});

async function open(): Promise<void> {
  const path = agentSocketPath(resolvePaths({}, home).stateDir, process.platform);
  const turns = { step: () => true, end: () => true };
  door = await openAgentDoor({ path, line: line.line, turns, version: '0', log: () => undefined });
}
const decide = (input: string | Uint8Array, ...args: string[]) => runCommand(['decide', ...args], { home, input });
const asked = (executor: string) => JSON.stringify(requestOf(executor));

test.each([
  ['allowed', 0],
  ['approved', 0],
  ['denied', 1],
  ['rejected', 1],
  ['expired', 1],
  ['withdrawn', 1],
  ['approval_required', 3],
] as const)('%s is exit %i, with the answer on stdout', async (decision, exit) => {
  line.line.decide = async () => answerOf({ decision, reason: 'a\u001b[2Jb' });
  await open();
  const ran = await decide(asked('x'));
  expect(ran.exit).toBe(exit);
  expect(ran.out).toHaveLength(1);
  expect(ran.out[0]).not.toContain('\u001b');
  expect(JSON.parse(ran.out[0] as string)).toMatchObject({ decision, reason: 'a\u001b[2Jb' });
});

test('--wait holds until a person has decided, and says that one is asked', async () => {
  await open();
  const running = decide(asked('wait'), '--wait', '60');
  await expect.poll(() => line.waiting()).toBe(1);
  expect(line.seen[0]).toMatchObject({ wait_s: 60 });
  line.resolve('t1', 'approved');
  const ran = await running;
  expect(ran.exit).toBe(0);
  expect(ran.err.join()).toContain('A person is asked (t1');
});

const denied = (error: string) => ({ decision: 'denied', error, reason: expect.stringMatching(/./) });

test('without an engine it prints a denial and says what to do', async () => {
  const ran = await decide(asked('allow'));
  expect(ran.exit).toBe(2);
  expect(JSON.parse(ran.out[0] as string)).toEqual(denied('not-running'));
  expect(ran.err.join()).toContain('vaglio serve');
});

test.each([
  ['nothing', ''],
  ['half a JSON', '{"channel":'],
  ['a list', '[]'],
  ['more than 10 MiB', Buffer.alloc(10 * 1024 * 1024 + 1, 0x20)],
  ['a request that does not fit', '{"channel":"c"}'],
])('%s on stdin is a denial with exit 2', async (_, input) => {
  await open();
  const ran = await decide(input);
  expect(ran.exit).toBe(2);
  expect(JSON.parse(ran.out[0] as string)).toEqual(denied('error'));
  expect(line.seen).toEqual([]);
});

test('a wait that is no number is refused before anything is asked', async () => {
  await open();
  expect((await decide(asked('allow'), '--wait', 'long')).exit).toBe(2);
  expect((await decide(asked('allow'), '--wait', '')).exit).toBe(2);
  expect(line.seen).toEqual([]);
});

test('an engine that fails is a denial', async () => {
  await open();
  const ran = await decide(asked('fail'));
  expect(ran.exit).toBe(2);
  expect(JSON.parse(ran.out[0] as string)).toEqual(denied('error'));
});
