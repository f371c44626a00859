import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Reading of log files, and how a file is told from another one that bears its name. */

/** A pipe of that name would block for ever: it is opened without waiting, and refused. */
export function openRegular(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error('not a regular file');
}

export function slice(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
}

export function digestOf(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex');
}

export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}

const PIECE_BYTES = 1 << 20;

/**
 * The bytes of a stretch, piece by piece; fewer where the file ends earlier. A piece is valid until the next one.
 */
export function* piecesOf(fd: number, from: number, to: number): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(1, to - from)));
  for (let at = from; at < to; ) {
    const length = readSync(fd, buffer, 0, Math.min(buffer.length, to - at), at);
    if (length === 0) return;
    yield buffer.subarray(0, length);
    at += length;
  }
}
