import { createHash, type Hash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { StoredBlock } from '../db/audit-chain.ts';

/**
 * The chain over the bytes of one log file (quality page, "The record"). A file is cut into blocks of whole lines at
 * places that depend on its bytes alone; each block's link is over the link before it. So one link stands for all
 * bytes up to a place, whoever computes it and in however many steps the file grew.
 */
export interface Chain {
  /** Takes in the bytes behind `offset`. */
  update(bytes: Buffer): void;
  /** Bytes that were taken in. */
  offset(): number;
  /** The block that is not full yet, as it stands; null when it has no byte. */
  open(): ChainBlock | null;
}

export type ChainBlock = Omit<StoredBlock, 'last_at'>;

/** A line that begins behind a multiple of this begins a new block. */
export const BLOCK_BYTES = 1 << 18;
const NEWLINE = 0x0a;

/** What the first block of a file is linked to. */
export function firstLink(file: string): string {
  return digest(`vaglio chain 1\n${file}\n`);
}

/** Where a block begins, and the link that it is linked to. */
export type ChainStart = Pick<ChainBlock, 'number' | 'from_offset' | 'first_line'> & { previous: string };

/**
 * @param onBlock is given each block when it is full
 * @param start of the block that is taken in first; the file's beginning when absent
 */
export function createChain(file: string, onBlock: (block: ChainBlock) => void, start?: ChainStart): Chain {
  let previous = start?.previous ?? firstLink(file);
  let number = start?.number ?? 0;
  let from = start?.from_offset ?? 0;
  let offset = from;
  let firstLine = start?.first_line ?? 1;
  let whole: Hash = createHash('sha256');
  let marks = new Uint32Array(256);
  let lines = 0;
  /** Of the line that has begun. */
  let mark = 0;
  let limit = (Math.floor(from / BLOCK_BYTES) + 1) * BLOCK_BYTES;
  let lineHasBegun = false;

  const block = (): ChainBlock => {
    const bytesHash = whole.copy().digest('hex');
    const partial = lineHasBegun ? 1 : 0;
    const bytes = Buffer.alloc((lines + partial) * 4);
    for (let n = 0; n < lines; n++) bytes.writeUInt32LE(marks[n] ?? 0, n * 4);
    if (lineHasBegun) bytes.writeUInt32LE(mark, lines * 4);
    const base = { number, from_offset: from, to_offset: offset, first_line: firstLine, lines, hash: bytesHash };
    return { ...base, marks: bytes, link: linkOf(previous, base, bytes) };
  };
  const close = (): void => {
    const full = block();
    onBlock(full);
    previous = full.link;
    number++;
    from = offset;
    firstLine += lines;
    lines = 0;
    whole = createHash('sha256');
    limit = (Math.floor(offset / BLOCK_BYTES) + 1) * BLOCK_BYTES;
  };

  return {
    update(bytes) {
      let hashed = 0;
      let start = 0;
      while (start < bytes.length) {
        const newline = bytes.indexOf(NEWLINE, start);
        const end = newline === -1 ? bytes.length : newline + 1;
        if (!lineHasBegun && offset >= limit) {
          whole.update(bytes.subarray(hashed, start));
          hashed = start;
          close();
        }
        mark = crc32(bytes.subarray(start, end), lineHasBegun ? mark : 0);
        lineHasBegun = newline === -1;
        offset += end - start;
        start = end;
        if (lineHasBegun) break;
        if (lines === marks.length) {
          const more = new Uint32Array(lines * 2);
          more.set(marks);
          marks = more;
        }
        marks[lines++] = mark;
      }
      whole.update(bytes.subarray(hashed));
    },
    offset: () => offset,
    open: () => (offset === from ? null : block()),
  };
}

function linkOf(previous: string, base: Omit<ChainBlock, 'marks' | 'link'>, marks: Buffer): string {
  const { number, from_offset, to_offset, first_line, lines, hash: bytesHash } = base;
  const facts = [previous, number, from_offset, to_offset, first_line, lines, bytesHash, hash('sha256', marks, 'hex')];
  return digest(facts.join('\n'));
}

export function digest(text: string): string {
  return hash('sha256', text, 'hex');
}
