import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type InstanceLock, takeInstanceLock } from './instance-lock.ts';

let folder: string;
let file: string;
const held: InstanceLock[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-lock-'));
  file = join(folder, 'state/panel.lock');
});
afterEach(async () => {
  for (const lock of held.splice(0)) if (lock.held) await lock.release();
  rmSync(folder, { recursive: true, force: true });
});

async function take(patienceMs?: number): Promise<InstanceLock> {
  const lock = await takeInstanceLock(file, patienceMs);
  held.push(lock);
  if (lock.held) lock.onShow(() => ({ url: 'http://127.0.0.1:1/enter?token=t' }));
  return lock;
}

test('the first one holds it, in private files; the second one hands its request over', async () => {
  expect((await take()).held).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
  expect(await take()).toEqual({ held: false, pid: process.pid, answer: { url: 'http://127.0.0.1:1/enter?token=t' } });
});

test('a second one that comes while the first is still starting waits for its answer', async () => {
  const first = await takeInstanceLock(file);
  held.push(first);
  const second = take();
  if (first.held) first.onShow(() => ({ url: null }));
  expect(await second).toMatchObject({ held: false, answer: { url: null } });
});

test('of many that start at once, one holds it', async () => {
  const locks = await Promise.all(Array.from({ length: 12 }, () => take()));
  expect(locks.filter((lock) => lock.held)).toHaveLength(1);
});

test('after a release the next one holds it', async () => {
  const first = await take();
  if (first.held) await first.release();
  expect(() => readFileSync(file)).toThrow();
  expect((await take()).held).toBe(true);
});

test.each([
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, port: 1, key: 'k' })],
  ['of a process that is not ours', JSON.stringify({ pid: 1, port: 1, key: 'k' })],
  ['that is half written', '{"pid": 12'],
  ['that is empty', ''],
])('a note %s is taken over', async (_, text) => {
  mkdirSync(join(folder, 'state'), { recursive: true });
  writeFileSync(file, text);
  expect((await take()).held).toBe(true);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('an instance that does not answer is named, and is not taken over', async () => {
  await take();
  const silent = createServer(() => undefined);
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  writeFileSync(file, JSON.stringify({ pid: 4321, port, key: 'k' }));
  await expect(take(10)).rejects.toThrow('Another panel (process 4321) is running and does not answer');
  silent.close();
});

test('without the key of the note nobody is answered', async () => {
  await take();
  const note = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...note, key: 'x'.repeat(note.key.length) }));
  await expect(take(10)).rejects.toThrow('does not answer');
});
