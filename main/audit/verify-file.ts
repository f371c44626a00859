import type { Finding } from '../../shared/domain/integrity.ts';
import type { NewFinding, StoredBlock } from '../db/audit-chain.ts';
import { type ChainBlock, createChain } from './chain.ts';
import { piecesOf } from './log-files.ts';

/** What differs from the record, without when it was found. */
export type Difference = Omit<NewFinding, 'found_at'>;

/** How far the chain of a file is known outside the database. */
export interface FileHead {
  bytes: number;
  lines: number;
  link: string;
}

/** One after the other; further ones are of no use to anybody. */
const MOST_DIFFERENCES = 20;

/**
 * Compares a file with the record, line by line where a block differs (quality page, "The record"). Yields the
 * bytes that each step has compared.
 *
 * @param fd of the file; null when it is gone
 * @param known blocks of its chain, in order
 * @param head as it is kept outside; null when there is none
 */
export function* verifyFile(
  file: string,
  fd: number | null,
  known: readonly StoredBlock[],
  head: FileHead | null,
): Generator<number, Difference[]> {
  const recorded = known.at(-1);
  const end = Math.max(recorded?.to_offset ?? 0, head?.bytes ?? 0);
  if (end === 0) return [];
  const lines = Math.max(head?.lines ?? 0, recorded === undefined ? 0 : lineBehind(recorded) - 1);
  if (fd === null)
    return [difference('deleted', file, null, null, `The file is gone; the record holds ${lines} lines.`)];

  const found: Difference[] = [];
  /** False once lines are no longer where they were: then nothing behind can be compared. */
  let inStep = true;
  const compare = (block: ChainBlock): void => {
    const stored = known[block.number];
    if (!inStep || stored === undefined || found.length >= MOST_DIFFERENCES) return;
    const inPlace = block.from_offset === stored.from_offset && block.to_offset === stored.to_offset;
    if (inPlace && block.hash === stored.hash) {
      if (found.length === 0 && block.link !== stored.link) {
        found.push(
          difference(
            'head',
            file,
            stored.first_line,
            lineBehind(stored) - 1,
            'The record of these lines does not follow from what is before it.',
          ),
        );
      }
      return;
    }
    found.push(locate(file, block, stored, known[block.number + 1]));
    inStep = inPlace && found.at(-1)?.kind === 'changed';
  };
  const chain = createChain(file, compare);
  const stops = [...new Set([recorded?.to_offset ?? 0, head?.bytes ?? 0])].filter((at) => at > 0).sort((a, b) => a - b);
  for (const stop of stops) {
    for (const piece of piecesOf(fd, chain.offset(), stop)) {
      chain.update(piece);
      yield piece.length;
      if (!inStep) return found;
    }
    const open = chain.open();
    if (chain.offset() < stop) {
      if (chain.offset() >= (recorded?.to_offset ?? 0)) {
        if (found.length === 0) found.push(cutTail(file, recorded === undefined ? 1 : lineBehind(recorded), lines));
      } else if (open === null) found.push(cutTail(file, lineAt(known, chain.offset()), lines));
      else compareCut(open);
      return found;
    }
    if (stop === recorded?.to_offset && open !== null) compare(open);
    if (stop === head?.bytes && found.length === 0 && open?.link !== head.link) {
      found.push(
        difference(
          'head',
          file,
          null,
          null,
          `The first ${head.lines} lines do not lead to the head that is kept outside the database.`,
        ),
      );
    }
  }
  return found;

  /** The file has ended inside a block. */
  function compareCut(open: ChainBlock): void {
    const stored = known[open.number];
    if (stored === undefined) return;
    const at = firstDifference(marksOf(open), marksOf(stored));
    // Up to its end it is as it was; a last line that was cut in its middle counts as cut.
    if (at >= open.lines) found.push(cutTail(file, open.first_line + open.lines, lines));
    else found.push(locate(file, open, stored, known[open.number + 1]));
  }
}

function lineBehind(block: Pick<ChainBlock, 'first_line' | 'lines'>): number {
  return block.first_line + block.lines;
}

function lineAt(known: readonly StoredBlock[], offset: number): number {
  return known.find((block) => block.from_offset >= offset)?.first_line ?? 1;
}

function cutTail(file: string, line: number, lines: number): Difference {
  return difference(
    'cut-tail',
    file,
    line,
    Math.max(line, lines),
    `The file ends before line ${line}; the record holds ${lines} lines.`,
  );
}

function difference(
  kind: Finding['kind'],
  file: string,
  line: number | null,
  last: number | null,
  detail: string,
): Difference {
  return { kind, file, line, last_line: last, detail, seen: '' };
}

function marksOf(block: Pick<ChainBlock, 'marks'>): number[] {
  return Array.from({ length: block.marks.length / 4 }, (_, n) => block.marks.readUInt32LE(n * 4));
}

/** @returns the place of the first mark that differs, or the length of the shorter list */
function firstDifference(now: readonly number[], before: readonly number[]): number {
  const length = Math.min(now.length, before.length);
  for (let n = 0; n < length; n++) if (now[n] !== before[n]) return n;
  return length;
}

/** Which line of a block differs, and how. */
function locate(file: string, block: ChainBlock, stored: StoredBlock, next: StoredBlock | undefined): Difference {
  const now = marksOf(block);
  const before = marksOf(stored);
  const at = firstDifference(now, before);
  const line = stored.first_line + at;
  if (at === Math.min(now.length, before.length)) {
    if (now.length >= before.length && block.to_offset === stored.to_offset) {
      const last = lineBehind(stored) - 1;
      return difference(
        'changed',
        file,
        stored.first_line,
        last,
        `A line from ${stored.first_line} to ${last} was changed.`,
      );
    }
    return difference('cut', file, line, line, `Lines were taken out or put in at line ${line}.`);
  }
  const all = next === undefined ? before : [...before, ...marksOf(next)];
  const partner = before.indexOf(now[at] ?? -1, at + 1);
  if (partner !== -1 && now[partner] === before[at]) {
    return difference(
      'changed',
      file,
      line,
      stored.first_line + partner,
      `Lines ${line} and ${stored.first_line + partner} changed places.`,
    );
  }
  const follows = (place: number): boolean =>
    now[at] === all[place] &&
    (now[at + 1] === undefined || all[place + 1] === undefined || now[at + 1] === all[place + 1]);
  for (let gone = 1; at + gone < all.length; gone++) {
    if (!follows(at + gone)) continue;
    const last = line + gone - 1;
    return difference(
      'cut',
      file,
      line,
      last,
      gone === 1 ? `Line ${line} was taken out.` : `Lines ${line} to ${last} were taken out.`,
    );
  }
  const back = now.indexOf(before[at] ?? -1, at + 1);
  if (
    back !== -1 &&
    (before[at + 1] === undefined || now[back + 1] === undefined || now[back + 1] === before[at + 1])
  ) {
    return difference('cut', file, line, line, `${back - at} lines were put in before line ${line}.`);
  }
  return difference('changed', file, line, line, `Line ${line} was changed.`);
}
