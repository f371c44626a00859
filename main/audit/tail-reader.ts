import { readSync } from 'node:fs';

/**
 * Reads a growing file from where it was left (files page, "what a real log holds"). Memory is bounded by a
 * chunk, or by one line where a line is longer; time by the bytes that are new, also for a line that grows
 * byte by byte.
 */
export interface TailPosition {
  /** Bytes from the start of the file; always the start of a line, or the end of a run of NUL bytes. */
  offset: number;
  /** Number of the line that begins there, from 1, as an editor counts. */
  line: number;
}

export interface TailLine extends TailPosition {
  length: number;
  /** Without the newline. Valid until the next `read`. Null for a fault. */
  bytes: Buffer | null;
  fault: 'too-long' | 'nul-bytes' | null;
}

export interface TailRead {
  lines: TailLine[];
  next: TailPosition;
  /** True when all complete lines up to `size` have been given. */
  atEnd: boolean;
}

export interface TailReader {
  /**
   * The next chunk of complete lines. A last line without its newline waits, but for one of NUL bytes alone:
   * that is what a crash leaves, no line that is being written.
   * @param size of the file, bytes
   */
  read(fd: number, from: TailPosition, size: number): TailRead;
}

const NEWLINE = 0x0a;

export function createTailReader(options: { chunkBytes?: number; maxLineBytes?: number } = {}): TailReader {
  const chunkBytes = options.chunkBytes ?? 1 << 20;
  const maxLineBytes = options.maxLineBytes ?? 16 << 20;
  const chunk = Buffer.allocUnsafe(chunkBytes);
  /** An unfinished line, and up to where it is known to hold no newline. */
  let open: { offset: number; scanned: number } | null = null;
  let nulsEndAt = -1;

  const fill = (fd: number, at: number, size: number): Buffer => {
    const length = Math.min(chunkBytes, size - at);
    return length <= 0 ? chunk.subarray(0, 0) : chunk.subarray(0, readSync(fd, chunk, 0, length, at));
  };

  const finishLongLine = (fd: number, from: TailPosition, size: number): TailRead => {
    let scanned = open?.scanned ?? from.offset;
    for (;;) {
      const bytes = fill(fd, scanned, size);
      const newline = bytes.indexOf(NEWLINE);
      if (newline !== -1) {
        open = null;
        const length = scanned + newline - from.offset;
        const line: TailLine = { ...from, length, bytes: null, fault: 'too-long' };
        if (length <= maxLineBytes) {
          const whole = Buffer.allocUnsafe(length);
          line.bytes = whole.subarray(0, readSync(fd, whole, 0, length, from.offset));
          line.fault = null;
        }
        const next = { offset: scanned + newline + 1, line: from.line + 1 };
        return { lines: [line], next, atEnd: next.offset >= size };
      }
      scanned += bytes.length;
      if (bytes.length === 0 || scanned >= size) {
        open = { offset: from.offset, scanned };
        return { lines: [], next: from, atEnd: true };
      }
    }
  };

  const read = (fd: number, from: TailPosition, size: number): TailRead => {
    if (open !== null && (open.offset !== from.offset || open.scanned > size)) open = null;
    if (open !== null) return finishLongLine(fd, from, size);
    const bytes = fill(fd, from.offset, size);
    if (bytes.length === 0) return { lines: [], next: from, atEnd: true };
    const lines: TailLine[] = [];
    let start = 0;
    let number = from.line;
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
      const line = bytes.subarray(start, newline);
      lines.push({ offset: from.offset + start, line: number++, length: line.length, bytes: line, fault: null });
      start = newline + 1;
    }
    const rest = bytes.subarray(start);
    const offset = from.offset + start;
    const end = offset + rest.length;
    if (rest.length > 0 && rest.every((byte) => byte === 0)) {
      // A run over several chunks is one fault.
      if (nulsEndAt !== offset) {
        lines.push({ offset, line: number, length: rest.length, bytes: null, fault: 'nul-bytes' });
      }
      nulsEndAt = end;
      return { lines, next: { offset: end, line: number }, atEnd: end >= size };
    }
    const next = { offset, line: number };
    if (start > 0) return { lines, next, atEnd: end >= size };
    open = { offset, scanned: end };
    return end >= size ? { lines, next, atEnd: true } : finishLongLine(fd, from, size);
  };
  return { read };
}
