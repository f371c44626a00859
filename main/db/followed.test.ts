import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followFile } from './followed.ts';

let folder: string;
let file: string;
let closed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-followed-'));
  file = join(folder, 'a');
  closed = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(text: string): void {
  writeFileSync(join(folder, 'next'), text);
  renameSync(join(folder, 'next'), file);
}

const handle = (text: string) => ({ text, close: () => closed.push(text) });

test('one handle for as long as the path means the same file, and a new one for another', () => {
  put('first');
  let openings = 0;
  const followed = followFile(file, () => {
    openings += 1;
    return handle(readFileSync(file, 'utf8'));
  });
  expect(followed.use(({ text }) => text)).toBe('first');
  writeFileSync(file, 'written over');
  expect(followed.use(({ text }) => text)).toBe('first');
  expect(openings).toBe(1);
  put('second');
  expect(followed.use(({ text }) => text)).toBe('second');
  expect(closed).toEqual(['first']);
  followed.close();
  expect(closed).toEqual(['first', 'second']);
});

test('a file that is replaced just after it was opened is not answered from', () => {
  put('first');
  const followed = followFile(file, () => {
    const opened = handle(readFileSync(file, 'utf8'));
    if (opened.text === 'first') put('second');
    return opened;
  });
  followed.use(() => null);
  expect(followed.use(({ text }) => text)).toBe('second');
  expect(closed).toEqual(['first']);
});

test('a file that opening makes is opened once more and then kept', () => {
  let openings = 0;
  const followed = followFile(file, () => {
    openings += 1;
    if (openings === 1) put('made');
    return openings > 2 ? expect.unreachable('opened again') : handle(String(openings));
  });
  expect([1, 2, 3].map(() => followed.use(({ text }) => text))).toEqual(['1', '2', '2']);
});

test('no file, no handle', () => {
  expect(followFile<{ close(): void }>(file, () => null).use(() => 1)).toBeNull();
});
