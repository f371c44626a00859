import type { ChainStore, StoredBlock } from '../db/audit-chain.ts';
import { type Chain, type ChainBlock, createChain, firstLink } from './chain.ts';
import { piecesOf } from './log-files.ts';
import { type Difference, type FileHead, verifyFile } from './verify-file.ts';

/**
 * Keeps the chain of every file along with the index (quality page, "The record"): what is indexed is taken in; what
 * was indexed before and reads otherwise now is a finding. A file that only grew is as it should be.
 */
export interface Recorder {
  /**
   * Brings a file's chain up to what is about to be indexed.
   * @param to bytes that are indexed afterwards
   * @param lastAt time of the newest row then, Unix seconds
   * @param bytes the last ones up to `to`, where they are at hand
   * @returns blocks to be stored along with the rows
   */
  advance(file: string, fd: number, to: number, lastAt: number, bytes: Buffer | null): StoredBlock[];
  /** Bytes of a file that are in its chain. */
  offset(file: string): number;
  /** The file is not what was indexed: finds out where, keeps that, and begins its chain anew. @param fd null: it is gone */
  broken(file: string, fd: number | null): void;
  /** What stands in a file now is what it is held to from here on. @param fd null: it is gone @param size bytes of it */
  holdTo(file: string, fd: number | null, size: number): void;
  /** How far each file's chain is, for the head. */
  heads(): { [file: string]: FileHead };
  /** Lines in the record, and time of the newest one. */
  totals(): { lines: number; last_at: number | null };
}

interface Running {
  chain: Chain;
  /** Blocks that became full and are not stored yet. */
  full: ChainBlock[];
  /** What the chain has to lead to on its way: known from outside, when the database has lost it. */
  due: FileHead | null;
}

/**
 * @param now Unix seconds
 * @param outside what the head's file says of a log file
 */
export function createRecorder(
  store: ChainStore,
  now: () => number,
  outside: (file: string) => FileHead | null,
): Recorder {
  const running = new Map<string, Running>();
  const heads = new Map<string, FileHead>();
  let newest: number | null = store.totals().last_at;
  for (const file of store.files()) {
    const last = store.last(file);
    if (last !== null) heads.set(file, headOf(last));
  }

  const keep = (differences: readonly Difference[]): void => {
    for (const difference of differences) store.addFinding({ ...difference, found_at: now() });
  };
  const check = (file: string, fd: number | null, head: FileHead | null): void => {
    const steps = verifyFile(file, fd, store.blocks(file), head);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    keep(step.value);
  };
  const begin = (file: string, due: FileHead | null): Running => {
    const full: ChainBlock[] = [];
    const started: Running = { chain: createChain(file, (block) => full.push(block)), full, due };
    running.set(file, started);
    return started;
  };
  const anew = (file: string): Running => {
    store.drop(file);
    heads.delete(file);
    return begin(file, null);
  };

  /** Goes on where the last block stands: its bytes are read once more, and have to be what they were. */
  const resume = (file: string, fd: number): Running => {
    const last = store.last(file);
    if (last === null) return begin(file, outside(file));
    const full: ChainBlock[] = [];
    const before = last.number === 0 ? firstLink(file) : store.linkOf(file, last.number - 1);
    if (before !== null) {
      const chain = createChain(file, (block) => full.push(block), { ...last, previous: before });
      for (const piece of piecesOf(fd, last.from_offset, last.to_offset)) chain.update(piece);
      if (chain.open()?.link === last.link) {
        const resumed: Running = { chain, full, due: null };
        running.set(file, resumed);
        return resumed;
      }
    }
    check(file, fd, null);
    return anew(file);
  };

  return {
    advance(file, fd, to, lastAt, bytes) {
      let state = running.get(file) ?? resume(file, fd);
      // The index begins the file anew, and its chain has gone on: what was before is looked at when it is verified.
      if (state.chain.offset() > to) return [];
      const feed = (end: number): void => {
        const from = state.chain.offset();
        if (end <= from) return;
        if (bytes !== null && to - bytes.length <= from) {
          const start = from - (to - bytes.length);
          state.chain.update(bytes.subarray(start, start + end - from));
        } else for (const piece of piecesOf(fd, from, end)) state.chain.update(piece);
      };
      const { due } = state;
      if (due !== null && due.bytes <= to && due.bytes > state.chain.offset()) {
        feed(due.bytes);
        if (state.chain.open()?.link !== due.link) keep([notTheHead(file, due)]);
        state = { ...state, due: null };
        running.set(file, state);
      }
      feed(to);
      const open = state.chain.open();
      const blocks = state.full.splice(0);
      if (open !== null) {
        blocks.push(open);
        if (state.due === null) heads.set(file, headOf(open));
        newest = Math.max(newest ?? lastAt, lastAt);
      }
      return blocks.map((block) => ({ ...block, last_at: lastAt }));
    },
    offset: (file) => running.get(file)?.chain.offset() ?? heads.get(file)?.bytes ?? 0,
    broken(file, fd) {
      running.delete(file);
      if (store.last(file) !== null) check(file, fd, null);
      anew(file);
    },
    holdTo(file, fd, size) {
      const before = store.last(file);
      const to = Math.min(size, running.get(file)?.chain.offset() ?? before?.to_offset ?? 0);
      const { chain, full } = anew(file);
      running.delete(file);
      if (fd === null || to === 0) return;
      for (const piece of piecesOf(fd, 0, to)) chain.update(piece);
      const open = chain.open();
      const blocks = open === null ? full : [...full, open];
      for (const block of blocks) store.put(file, { ...block, last_at: before?.last_at ?? 0 });
      const last = blocks.at(-1);
      if (last !== undefined) heads.set(file, headOf(last));
    },
    totals: () => ({ lines: [...heads.values()].reduce((sum, { lines }) => sum + lines, 0), last_at: newest }),
    heads: () => Object.fromEntries([...heads].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function headOf({ to_offset, first_line, lines, link }: ChainBlock): FileHead {
  return { bytes: to_offset, lines: first_line + lines - 1, link };
}

function notTheHead(file: string, { lines }: FileHead): Difference {
  const detail = `The first ${lines} lines do not lead to the head that is kept outside the database.`;
  const last_line = lines === 0 ? null : lines;
  return { kind: 'head', file, line: lines === 0 ? null : 1, last_line, detail, seen: '' };
}
