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
  /** All lines with what is between them, up to `next`; null where they do not lie in a row. Valid as `bytes` is. */
  bytes: Buffer | null;
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

/** A line of a chunk; its bytes are cut out when they are asked for, which most readers of a whole chunk do not. */
class ChunkLine implements TailLine {
  readonly offset: number;
  readonly line: number;
  readonly length: number;
  readonly fault = null;
  readonly #chunk: Buffer;
  readonly #start: number;

  constructor(chunk: Buffer, start: number, length: number, offset: number, line: number) {
    this.#chunk = chunk;
    this.#start = start;
    this.length = length;
    this.offset = offset;
    this.line = line;
  }

  get bytes(): Buffer {
    return this.#chunk.subarray(this.#start, this.#start + this.length);
  }
}

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
        return { lines: [line], bytes: null, next, atEnd: next.offset >= size };
      }
      scanned += bytes.length;
      if (bytes.length === 0 || scanned >= size) {
        open = { offset: from.offset, scanned };
        return { lines: [], bytes: null, next: from, atEnd: true };
      }
    }
  };

  const read = (fd: number, from: TailPosition, size: number): TailRead => {
    if (open !== null && (open.offset !== from.offset || open.scanned > size)) open = null;
    if (open !== null) return finishLongLine(fd, from, size);
    const bytes = fill(fd, from.offset, size);
    if (bytes.length === 0) return { lines: [], bytes: null, next: from, atEnd: true };
    const lines: TailLine[] = [];
    let start = 0;
    let number = from.line;
    for (let newline = bytes.indexOf(NEWLINE); newline !== -1; newline = bytes.indexOf(NEWLINE, start)) {
      lines.push(new ChunkLine(bytes, start, newline - start, from.offset + start, number++));
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
      return { lines, bytes: null, next: { offset: end, line: number }, atEnd: end >= size };
    }
    const next = { offset, line: number };
    if (start > 0) return { lines, bytes: bytes.subarray(0, start), next, atEnd: end >= size };
    open = { offset, scanned: end };
    return end >= size ? { lines, bytes: null, next, atEnd: true } : finishLongLine(fd, from, size);
  };
  return { read };
}
