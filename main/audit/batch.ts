import type { Batch, FileRecord } from '../db/audit-store.ts';
import type { FastLines } from './fast-lines.ts';
import { digestOf, slice } from './log-files.ts';
import { isBelievable } from './log-time.ts';
import { splitLine } from './split-line.ts';
import type { TailRead } from './tail-reader.ts';

const HEAD_BYTES = 4096;
const TAIL_BYTES = 256;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * The rows of some lines, and the record of their file behind them.
 * @param size of the file, bytes
 */
export function batchOf(before: FileRecord, read: TailRead, size: number, fd: number, fast: FastLines): Batch {
  const { lines, next: to } = read;
  const file: FileRecord = { ...before, offset: to.offset, next_line: to.line, size };
  const batch: Batch = { file, verdicts: [], events: [], faults: [] };
  const at = (ts: number | null): number => {
    if (isBelievable(ts)) file.last_at = ts;
    return file.last_at;
  };
  const text = read.bytes?.toString('latin1') ?? null;
  const decode = (from: number, end: number): string => (read.bytes as Buffer).toString('utf8', from, end);
  for (const each of lines) {
    const { offset, line, length, fault } = each;
    const start = offset - before.offset;
    if (text !== null && text.charCodeAt(start) === OPEN && text.charCodeAt(start + length - 1) === CLOSE) {
      const found = fast.read(text, start, start + length, decode);
      if (found !== null) {
        const { ts, intent, facts } = found;
        file.lines++;
        batch.verdicts.push({ offset, length, at: at(ts), ts_known: isBelievable(ts), intent, facts });
        continue;
      }
    }
    const { bytes } = each;
    if (bytes === null) {
      if (fault !== null) batch.faults.push({ line, offset, why: fault });
      file.lines++;
      continue;
    }
    const pieces = splitLine(bytes, offset);
    if (pieces.length > 0) file.lines++;
    for (const { offset: from, length: bytesOf, parsed } of pieces) {
      if (parsed.kind === 'unreadable') batch.faults.push({ line, offset: from, why: parsed.why });
      else if (parsed.kind === 'event') batch.events.push({ offset: from, at: at(parsed.ts), name: parsed.name });
      else {
        const { ts, intent, ...facts } = parsed.verdict;
        batch.verdicts.push({ offset: from, length: bytesOf, at: at(ts), ts_known: isBelievable(ts), intent, facts });
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
