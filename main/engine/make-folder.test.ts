import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vaglio-folder-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('makes what is missing, for its owner alone, and leaves alone what is there', () => {
  const folder = join(root, 'a/b/c');
  makeFolder(folder);
  for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, made)).mode & 0o777).toBe(0o700);
  makeFolder(folder);
  makeFolder('/');
});

test('a link to a folder counts as one', () => {
  symlinkSync(root, join(root, 'link'));
  makeFolder(join(root, 'link/a'));
  expect(statSync(join(root, 'a')).isDirectory()).toBe(true);
});

test('a file in the way, and a link that leads nowhere, are errors', () => {
  writeFileSync(join(root, 'file'), '');
  symlinkSync(join(root, 'nowhere/at/all'), join(root, 'dangling'));
  expect(() => makeFolder(join(root, 'file'))).toThrow(/EEXIST/);
  expect(() => makeFolder(join(root, 'file/a'))).toThrow(/EEXIST|ENOTDIR/);
  expect(() => makeFolder(join(root, 'dangling/a'))).toThrow(/EEXIST|ENOENT/);
});

test.runIf(process.platform === 'linux')('where nothing can be made, it gives up', () => {
  expect(() => makeFolder('/proc/vaglio/a')).toThrow(/ENOENT|EACCES|EPERM/);
});
