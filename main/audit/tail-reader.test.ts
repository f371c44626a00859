import { appendFileSync, closeSync, fstatSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTailReader, type TailPosition, type TailReader } from './tail-reader.ts';

let folder: string;
let path: string;
let fd: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tail-'));
  path = join(folder, 'log');
  writeFileSync(path, '');
  fd = openSync(path, 'r');
});
afterEach(() => {
  closeSync(fd);
  rmSync(folder, { recursive: true, force: true });
});

const START: TailPosition = { offset: 0, line: 1 };

/** Reads on to the end; a line as `number@offset text`. */
function drain(reader: TailReader, from: TailPosition): { lines: string[]; next: TailPosition } {
  const lines: string[] = [];
  let next = from;
  for (let atEnd = false; !atEnd; ) {
    const read = reader.read(fd, next, fstatSync(fd).size);
    for (const { line, offset, bytes, fault, length } of read.lines) {
      lines.push(`${line}@${offset} ${bytes?.toString() ?? `${fault} ${length}`}`);
    }
    next = read.next;
    atEnd = read.atEnd;
  }
  return { lines, next };
}

describe('reading on', () => {
  test('complete lines with their place; the last one waits for its newline', () => {
    const reader = createTailReader();
    writeFileSync(path, 'one\ntwo\n\nfo');
    const first = drain(reader, START);
    expect(first).toEqual({ lines: ['1@0 one', '2@4 two', '3@8 '], next: { offset: 9, line: 4 } });
    appendFileSync(path, 'ur\nfive\n');
    expect(drain(reader, first.next).lines).toEqual(['4@9 four', '5@14 five']);
  });

  test('a line that is longer than a chunk, in one go and byte by byte', () => {
    const reader = createTailReader({ chunkBytes: 4, maxLineBytes: 100 });
    const long = 'x'.repeat(50);
    writeFileSync(path, `a\n${long}\nb\n`);
    expect(drain(reader, START).lines).toEqual(['1@0 a', `2@2 ${long}`, '3@53 b']);
    let next = drain(reader, START).next;
    for (const byte of `${long}!\n`) {
      expect(next).toEqual({ offset: 55, line: 4 });
      appendFileSync(path, byte);
      const read = drain(reader, next);
      next = read.next;
      if (byte === '\n') expect(read.lines).toEqual([`4@55 ${long}!`]);
    }
    expect(next.line).toBe(5);
  });

  test('a line over the limit is told, not held; the next one is read', () => {
    const reader = createTailReader({ chunkBytes: 4, maxLineBytes: 10 });
    writeFileSync(path, `${'x'.repeat(11)}\n${'y'.repeat(10)}\nz\n`);
    expect(drain(reader, START).lines).toEqual(['1@0 too-long 11', `2@12 ${'y'.repeat(10)}`, '3@23 z']);
  });

  test('a tail of NULs is one fault, over chunks too; what follows is read', () => {
    const reader = createTailReader({ chunkBytes: 8 });
    writeFileSync(path, `one\n${'\0'.repeat(30)}`);
    const first = drain(reader, START);
    expect(first.lines).toEqual(['1@0 one', '2@4 nul-bytes 4']);
    expect(first.next).toEqual({ offset: 34, line: 2 });
    appendFileSync(path, 'two\n');
    expect(drain(reader, first.next).lines).toEqual(['2@34 two']);
  });

  test('an empty file, and one that became shorter in between', () => {
    const reader = createTailReader();
    expect(drain(reader, START)).toEqual({ lines: [], next: START });
    expect(reader.read(fd, { offset: 10, line: 2 }, 5)).toEqual({
      lines: [],
      bytes: null,
      next: { offset: 10, line: 2 },
      atEnd: true,
    });
  });

  test('whatever the chunks and the appends: the same lines as splitting the whole', () => {
    const text = fc
      .array(fc.constantFrom('a', 'bc', '\n', '\n\n', 'ééé', '{}'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (appends, chunkBytes) => {
        writeFileSync(path, '');
        const reader = createTailReader({ chunkBytes });
        const lines: string[] = [];
        let next = START;
        for (const part of appends) {
          appendFileSync(path, part);
          const read = drain(reader, next);
          lines.push(...read.lines.map((line) => line.replace(/^\S+ /, '')));
          next = read.next;
        }
        expect(lines).toEqual(appends.join('').split('\n').slice(0, -1));
      }),
      { numRuns: 200 },
    );
  });
});
