import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type InstanceLock, reachInstance, takeInstanceLock } from './instance-lock.ts';

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

describe('the command line of the operator', () => {
  const note = () => JSON.parse(readFileSync(file, 'utf8')) as { port: number; key: string };
  /** What comes back for these bytes. */
  const speak = (text: string): Promise<string> =>
    new Promise((done) => {
      let got = '';
      const socket = createConnection({ host: '127.0.0.1', port: note().port }, () => socket.write(text));
      socket.on('data', (piece) => (got += piece));
      socket.on('error', () => undefined).on('close', () => done(got));
    });

  test('asks the engine that runs, and shows no window', async () => {
    const first = await take();
    const shown = vi.fn(() => ({ url: null }));
    if (first.held) {
      first.onShow(shown);
      first.onCall(async (request) => ({ got: request }));
    }
    const reached = await reachInstance(file);
    expect(reached).toMatchObject({ kind: 'running', pid: process.pid });
    const asked = { text: `é ${'x'.repeat(100_000)}` };
    expect(reached.kind === 'running' && (await reached.call(asked))).toEqual({ got: asked });
    expect(shown).not.toHaveBeenCalled();
  });

  test('a call before the engine is ready waits for it', async () => {
    const first = await take();
    const reached = await reachInstance(file);
    const answer = reached.kind === 'running' ? reached.call(1) : null;
    if (first.held) first.onCall(async (request) => [request]);
    expect(await answer).toEqual([1]);
  });

  test('without an engine it has the folder to itself, until it lets go', async () => {
    const reached = await reachInstance(file);
    expect(reached.kind).toBe('ours');
    await expect(reachInstance(file, 10)).rejects.toMatchObject({ code: 'conflict' });
    const second = take();
    if (reached.kind === 'ours') reached.release();
    expect((await second).held).toBe(true);
  });

  test('an engine that goes away before it answers gives null', async () => {
    const first = await take();
    const reached = await reachInstance(file);
    if (first.held) await first.release();
    expect(reached.kind === 'running' && (await reached.call({}))).toBeNull();
  });

  test.each([
    ['another key', (key: string) => `${'x'.repeat(key.length)} {"a":1}\n`],
    ['half a key', (key: string) => `${key.slice(0, 20)} {"a":1}\n`],
    ['no key', () => '{"a":1}\n'],
    ['the key and no JSON', (key: string) => `${key} {"a":\n`],
    ['a flood without a key', () => 'x'.repeat(100_000)],
  ])('%s reaches nothing', async (_, text) => {
    const first = await take();
    const answer = vi.fn(async () => 'reached');
    if (first.held) first.onCall(answer);
    expect(await speak(text(note().key))).toBe('');
    expect(answer).not.toHaveBeenCalled();
  });
});
