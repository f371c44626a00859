import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askDoor } from './client.ts';
import type { DoorLimits } from './limits.ts';
import { requestOf, standInLine } from './line.stand-in.ts';
import { rawAgent } from './raw-agent.stand-in.ts';
import { agentSocketPath } from './socket-file.ts';
import { type AgentDoor, openAgentDoor } from './socket-server.ts';

let folder: string;
let path: string;
let line: ReturnType<typeof standInLine>;
let logged: string[];
const doors: AgentDoor[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-door-'));
  path = join(folder, 'state/vaglio.sock');
  line = standInLine();
  logged = [];
});
afterEach(async () => {
  for (const door of doors.splice(0)) await door.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(limits: Partial<DoorLimits> = {}): Promise<AgentDoor> {
  const log = (text: string): void => void logged.push(text);
  const turns = { step: () => true, end: () => true };
  const door = await openAgentDoor({ path, line: line.line, turns, version: '1.2.3', log, limits });
  doors.push(door);
  return door;
}
const until = (condition: () => boolean) => vi.waitFor(() => expect(condition()).toBe(true), { timeout: 30_000 });

test('the socket lies in the state folder, or is a pipe of that folder on Windows', () => {
  expect(agentSocketPath('/home/a/state', 'linux')).toBe('/home/a/state/vaglio.sock');
  const pipe = agentSocketPath('C:\\Users\\A', 'win32');
  expect(pipe).toMatch(/^\\\\\.\\pipe\\vaglio-[0-9a-f]{16}$/);
  expect(agentSocketPath('c:\\users\\a', 'win32')).toBe(pipe);
  expect(agentSocketPath('C:\\Users\\B', 'win32')).not.toBe(pipe);
});

test('socket and folder are for this user alone', async () => {
  await open();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
});

test('a folder that others may write to is closed to them, and that is said', async () => {
  mkdirSync(join(folder, 'state'));
  chmodSync(join(folder, 'state'), 0o777);
  await open();
  expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  expect(logged.join()).toContain(join(folder, 'state'));
});

test('a socket file that nobody answers is replaced', async () => {
  mkdirSync(join(folder, 'state'));
  const die = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  expect(() => execFileSync(process.execPath, ['-e', die])).toThrow();
  expect(existsSync(path)).toBe(true);
  await open();
  expect(await askDoor('ping', {}, { path, timeoutMs: 5000 })).toMatchObject({ ok: true });
});

test('where another engine answers, this one does not open, and the other one goes on', async () => {
  await open();
  await expect(open()).rejects.toMatchObject({ code: 'conflict', subject: path });
  expect(await askDoor('ping', {}, { path, timeoutMs: 5000 })).toMatchObject({ ok: true });
});

test('a file of that name that is no socket is left alone', async () => {
  mkdirSync(join(folder, 'state'));
  writeFileSync(path, 'mine');
  await expect(open()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('no socket') });
  expect(existsSync(path)).toBe(true);
});

test('a path that is too long for a socket is told', async () => {
  path = join(folder, 'x'.repeat(120), 'vaglio.sock');
  await expect(open()).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('longer') });
});

test('a socket that was deleted is made again, and whoever is inside stays', async () => {
  const door = await open({ sweepMs: 5 });
  const inside = await rawAgent(path);
  inside.call(1, 'decide', requestOf('wait'));
  await until(() => line.waiting() === 1);
  rmSync(join(folder, 'state'), { recursive: true });
  expect(door.problem()).toContain(path);
  await until(() => door.problem() === null);
  expect(await askDoor('ping', {}, { path, timeoutMs: 5000 })).toMatchObject({ ok: true });
  line.resolve('t1', 'approved');
  await inside.next();
  expect(await inside.next()).toMatchObject({ id: 1, result: { decision: 'approved' } });
});

test('after it has closed, the socket is gone', async () => {
  await (await open()).close();
  expect(existsSync(path)).toBe(false);
});
