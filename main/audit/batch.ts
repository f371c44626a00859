import type { Batch, FileRecord } from '../db/audit-store.ts';
import type { FastLines } from './fast-lines.ts';
import { digestOf, slice } from './log-files.ts';
import { isBelievable } from './log-time.ts';
import { splitLine } from './split-line.ts';
import type { TailLine } from './tail-reader.ts';

const HEAD_BYTES = 4096;
const TAIL_BYTES = 256;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * The rows of some lines, and the record of their file behind them.
 * @param bytesOfAll the bytes of all lines, where they lie in a row in memory
 */
export function batchOf(
  before: FileRecord,
  lines: readonly TailLine[],
  to: { offset: number; line: number; size: number },
  fd: number,
  fast: FastLines,
  bytesOfAll: Buffer | null,
): Batch {
  const file: FileRecord = { ...before, offset: to.offset, next_line: to.line, size: to.size };
  const batch: Batch = { file, verdicts: [], events: [], faults: [] };
  const at = (ts: number | null): number => {
    if (isBelievable(ts)) file.last_at = ts;
    return file.last_at;
  };
  const text = bytesOfAll?.toString('latin1') ?? null;
  const decode = (from: number, end: number): string => (bytesOfAll as Buffer).toString('utf8', from, end);
  const base = lines[0]?.offset ?? 0;
  for (const { bytes, offset, line, fault } of lines) {
    if (bytes === null) {
      if (fault !== null) batch.faults.push({ line, offset, why: fault });
      file.lines++;
      continue;
    }
    const { length } = bytes;
    if (text !== null && bytes[0] === OPEN && bytes[length - 1] === CLOSE) {
      const start = offset - base;
      const read = fast.read(text, start, start + length, decode);
      if (read !== null) {
        const { ts, intent, facts } = read;
        file.lines++;
        batch.verdicts.push({ offset, length, at: at(ts), ts_known: isBelievable(ts), intent, facts });
        continue;
      }
    }
    const pieces = splitLine(bytes, offset);
    if (pieces.length > 0) file.lines++;
    for (const { offset: start, length: size, parsed } of pieces) {
      if (parsed.kind === 'unreadable') batch.faults.push({ line, offset: start, why: parsed.why });
      else if (parsed.kind === 'event') batch.events.push({ offset: start, at: at(parsed.ts), name: parsed.name });
      else {
        const { ts, intent, ...facts } = parsed.verdict;
        batch.verdicts.push({ offset: start, length: size, at: at(ts), ts_known: isBelievable(ts), intent, facts });
      }
    }
  }
  file.verdicts += batch.verdicts.length;
  file.events += batch.events.length;
  file.unreadable += batch.faults.length;
  if (file.head_length === 0) {
    const head = slice(fd, 0, Math.min(HEAD_BYTES, to.offset));
    const newline = head.indexOf(0x0a);
    file.head_length = newline === -1 ? head.length : newline + 1;
    file.first_line_hash = digestOf(head.subarray(0, file.head_length));
  }
  file.tail_length = Math.min(TAIL_BYTES, to.offset);
  file.tail_hash = digestOf(slice(fd, to.offset - file.tail_length, file.tail_length));
  return batch;
}

/** Whether a file begins and goes on as it did when it was indexed. */
export function isSame(file: FileRecord, inode: string, size: number, fd: number): boolean {
  return (
    file.inode === inode &&
    size >= file.offset &&
    digestOf(slice(fd, file.offset - file.tail_length, file.tail_length)) === file.tail_hash &&
    digestOf(slice(fd, 0, file.head_length)) === file.first_line_hash
  );
}

/** @param lastAt what a first line without a time stands at, Unix seconds */
export function emptyFile(name: string, inode: string, lastAt: number): Omit<FileRecord, 'id'> {
  return {
    name,
    inode,
    size: 0,
    offset: 0,
    next_line: 1,
    lines: 0,
    verdicts: 0,
    events: 0,
    unreadable: 0,
    last_at: lastAt,
    last_seq: 0,
    text_seq: 0,
    head_length: 0,
    first_line_hash: digestOf(Buffer.alloc(0)),
    tail_length: 0,
    tail_hash: digestOf(Buffer.alloc(0)),
  };
}
