import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RowPlace } from '../db/audit-queries.ts';
import { isBelievable } from './log-time.ts';
import { parseLine } from './parse-line.ts';
import type { RawLine } from './protocol.ts';

/**
 * A row's own JSON text, as it stands in its file now. It is given only while the file still says there what
 * the index says: another line in its place would be shown as evidence of something else.
 */
export function readRaw(folder: string, place: RowPlace | null): RawLine {
  if (place === null) return { text: null, problem: 'This line is no longer in the index. Load the list again.' };
  const path = join(folder, place.file);
  let text: string;
  try {
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(place.length);
      text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, place.length, place.offset));
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    return { text: null, problem: `${path} cannot be read: ${(error as Error).message}` };
  }
  const parsed = parseLine(text);
  const { seq: _, file, offset, ...row } = place.row;
  if (parsed.kind === 'verdict') {
    const { ts } = parsed.verdict;
    if (isDeepStrictEqual({ ...parsed.verdict, ts: isBelievable(ts) ? ts : null }, row)) return { text, problem: null };
  }
  return { text: null, problem: `${path} was changed at byte ${offset} since this line was indexed.` };
}
