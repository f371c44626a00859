import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileMark, type FileMark } from './file-mark.ts';

let folder: string;
let file: string;
const EXT4 = 0xef53;
const NFS = 0x6969;
let now: number;
let kind: number;
let mark: FileMark;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-mark-'));
  file = join(folder, 'x');
  writeFileSync(file, 'one');
  now = Date.now() + 10_000;
  kind = EXT4;
  mark = createFileMark(file, { clock: () => now, kindOf: () => kind });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function settle(rollback = true): boolean {
  mark.settle(mark.look(), rollback);
  return mark.isUnchanged();
}

test('a file is as it was until somebody writes it, whatever time they give it', () => {
  expect(mark.isUnchanged()).toBe(false);
  expect(settle()).toBe(true);
  const { mtime, atime } = mark.look() ?? expect.unreachable();
  writeFileSync(file, 'two');
  utimesSync(file, atime, mtime);
  expect(mark.isUnchanged()).toBe(false);
  expect(settle()).toBe(true);
  mark.forget();
  expect(mark.isUnchanged()).toBe(false);
});

test('replaced or gone is changed', () => {
  expect(settle()).toBe(true);
  writeFileSync(join(folder, 'y'), 'one');
  renameSync(join(folder, 'y'), file);
  expect(mark.isUnchanged()).toBe(false);
  expect(settle()).toBe(true);
  rmSync(file);
  expect(mark.isUnchanged()).toBe(false);
  expect(settle()).toBe(false);
});

test('a write younger than a tick of the system proves nothing, nor one from the future', () => {
  const written = mark.look()?.ctimeMs ?? expect.unreachable();
  for (const age of [-1000, 0, 50, 100]) {
    now = written + age;
    expect(settle(), String(age)).toBe(false);
  }
  now = written + 3000;
  expect(settle()).toBe(true);
});

test('a file whose commits go elsewhere is always asked', () => {
  expect(settle(false)).toBe(false);
});

test('a file system that answers from a cache is always asked', () => {
  kind = NFS;
  expect(settle()).toBe(false);
});
