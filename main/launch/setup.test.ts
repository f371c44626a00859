import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint, isFresh, stampFile } from './freshness.mjs';
import { withLock } from './lock.mjs';
import { dependenciesAreCurrent, sameAsLock } from './setup.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vaglio-launch-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const lock = (packages: Record<string, unknown>) => JSON.stringify({ lockfileVersion: 3, packages });
const zod = { version: '4.6.7', integrity: 'sha512-a' };

test('an install is current when it holds what the lock asks for', () => {
  const wanted = lock({
    '': { name: 'vaglio' },
    'node_modules/zod': zod,
    'node_modules/mac': { version: '1.0.0', optional: true },
  });
  expect(sameAsLock(wanted, lock({ 'node_modules/zod': zod }))).toBe(true);
  expect(sameAsLock(wanted, lock({}))).toBe(false);
  expect(sameAsLock(wanted, lock({ 'node_modules/zod': { ...zod, version: '4.6.6' } }))).toBe(false);
  expect(sameAsLock(wanted, lock({ 'node_modules/zod': { ...zod, integrity: 'sha512-b' } }))).toBe(false);
});

test('a lock that changed, or an install that npm did not finish, is not current', () => {
  writeFileSync(join(root, 'package-lock.json'), lock({ 'node_modules/zod': zod }));
  expect(dependenciesAreCurrent(root)).toBe(false);
  mkdirSync(join(root, 'node_modules/zod'), { recursive: true });
  expect(dependenciesAreCurrent(root)).toBe(false);
  writeFileSync(join(root, 'node_modules/.package-lock.json'), '{"packages":');
  expect(dependenciesAreCurrent(root)).toBe(false);
  writeFileSync(join(root, 'node_modules/.package-lock.json'), lock({ 'node_modules/zod': zod }));
  expect(dependenciesAreCurrent(root)).toBe(true);
  expect(dependenciesAreCurrent(root)).toBe(true);
  writeFileSync(join(root, 'package-lock.json'), lock({ 'node_modules/zod': { ...zod, version: '5.0.0' } }));
  expect(dependenciesAreCurrent(root)).toBe(false);
});

test('a build is stale when a source changed, came or went, also to an older date; a test file does not count', () => {
  const put = (path: string, text = '') => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const build = () =>
    put('dist/main/.stamp.json', JSON.stringify({ fingerprint: fingerprint('main', root), files: [] }));
  put('main/engine/a.ts', 'a');
  put('shared/b.ts', 'b');
  expect(isFresh('main', root)).toBe(false);
  build();
  expect(isFresh('main', root)).toBe(true);
  put('main/engine/a.test.ts');
  put('main/bench/main.ts');
  put('renderer/main.tsx');
  expect(isFresh('main', root)).toBe(true);
  utimesSync(join(root, 'shared/b.ts'), 1, 1);
  expect(isFresh('main', root)).toBe(false);
  build();
  rmSync(join(root, 'main/engine/a.ts'));
  expect(isFresh('main', root)).toBe(false);
  build();
  put('main/engine/c.ts');
  expect(isFresh('main', root)).toBe(false);
  build();
  writeFileSync(stampFile('main', root), '{');
  expect(isFresh('main', root)).toBe(false);
});

test('one at a time does the work, and a holder that died is not waited for', async () => {
  writeFileSync(join(root, 'work.lock'), '4194305 1');
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((done) => setImmediate(done));
    running -= 1;
  };
  await Promise.all([withLock('work', work, root), withLock('work', work, root), withLock('work', work, root)]);
  expect(most).toBe(1);
  await expect(withLock('work', () => Promise.reject(new Error('no')), root)).rejects.toThrow('no');
  expect(readdirSync(root)).toEqual([]);
});
