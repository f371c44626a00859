import { closeSync, fstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as macrotask, setTimeout as pause } from 'node:timers/promises';
import type { IndexState } from '../../shared/rpc/audit.ts';
import type { AuditStore, FileRecord } from '../db/audit-store.ts';
import { batchOf, emptyFile, isSame } from './batch.ts';
import { createFastLines } from './fast-lines.ts';
import { codeOf, openRegular } from './log-files.ts';
import { MONTH_FILE, monthStart } from './log-time.ts';
import { createProgress } from './progress.ts';
import type { Recorder } from './record.ts';
import { createTailReader, type TailReader } from './tail-reader.ts';

/**
 * Keeps the index the same as the month files of one folder: what is new is read, what was cut, replaced or
 * deleted is taken out. Newest month first. A folder that is not there takes nothing out: it may only be
 * unmounted.
 */
export interface Indexer {
  /** @param names of the files that changed; all of them when absent. @throws what the index's database throws */
  scan(names?: ReadonlySet<string>): Promise<void>;
  state(): IndexState;
  /** How often rows were taken out. */
  removals(): number;
  /** Bytes of the log that are indexed. */
  bytes(): number;
}

export interface IndexerParts {
  store: AuditStore;
  /** null where nothing is kept: an index in memory. */
  recorder: Recorder | null;
  /** Puts some texts into text search, and says how many; 0 when all are there. */
  indexTexts: () => number;
  textsLeft: () => number;
  /** ms, monotonic. */
  elapsed: () => number;
  /** True when something has changed meanwhile: what just came has to be seen first. */
  hasOtherWork: () => boolean;
}

const FAULTS_SHOWN = 20;
/** More bytes than this to read is a backlog, which is told as `indexing`, not as live rows. */
const BACKLOG_BYTES = 4 << 20;
/** Bytes that are taken into the record at once. */
const RECORD_STEP = 4 << 20;
/** No verdict line is shorter: it has at least `{"approved":0}`. */
const LEAST_LINE_BYTES = 14;
/** ms. Who writes a file anew often empties it first: what is missing then may be back in a moment. */
const REWRITE_MS = 300;
/** After a batch of this many rows another writer of the same database gets a moment to take its lock. */
const LARGE_BATCH = 1000;

/**
 * @param onProgress called after each batch that changed something
 * @param stopped true once the work has to end
 */
export function createIndexer(
  folder: string,
  { store, recorder, indexTexts, textsLeft, elapsed, hasOtherWork }: IndexerParts,
  onProgress: () => void,
  stopped: () => boolean = () => false,
): Indexer {
  const files = new Map<string, FileRecord>(store.files().map((file) => [file.name, file]));
  const readers = new Map<string, TailReader>();
  const unreadable = new Map<string, string>();
  const fast = createFastLines();
  const progress = createProgress(elapsed);
  let phase: IndexState['phase'] = 'starting';
  let problem: IndexState['problem'] = null;
  let detail: string | null = null;
  let faults = store.faults(FAULTS_SHOWN);
  let removals = 0;
  /** A backlog's rows come first, its record and its texts after them. */
  let isCatchingUp = false;

  const purge = async (): Promise<void> => {
    while (!stopped() && store.purge()) await macrotask();
  };

  const remove = (file: FileRecord, fd: number | null): void => {
    recorder?.broken(file.name, fd);
    store.remove(file.id);
    files.delete(file.name);
    readers.delete(file.name);
    faults = store.faults(FAULTS_SHOWN);
    removals++;
    onProgress();
  };

  const open = (name: string, fd: number): { file: FileRecord; size: number } => {
    const { dev, ino, size } = fstatSync(fd, { bigint: true });
    const known = files.get(name);
    if (known !== undefined && !isSame(known, `${dev}:${ino}`, Number(size), fd)) remove(known, fd);
    const file = files.get(name) ?? store.add(emptyFile(name, `${dev}:${ino}`, monthStart(name)));
    files.set(name, file);
    return { file, size: Number(size) };
  };

  const readFile = async (name: string, fd: number): Promise<void> => {
    const opened = open(name, fd);
    const { size } = opened;
    let { file } = opened;
    const reader = readers.get(name) ?? createTailReader();
    readers.set(name, reader);
    for (let atEnd = false; !atEnd && !stopped(); ) {
      const read = reader.read(fd, { offset: file.offset, line: file.next_line }, size);
      atEnd = read.atEnd;
      if (read.next.offset === file.offset) break;
      const { bytes } = read;
      const batch = batchOf(file, read, size, fd, fast);
      batch.textsLater = isCatchingUp;
      if (recorder !== null && !isCatchingUp) {
        batch.blocks = recorder.advance(name, fd, read.next.offset, batch.file.last_at, bytes);
      }
      const readBytes = read.next.offset - file.offset;
      file = store.append(batch);
      files.set(name, file);
      if (batch.faults.length > 0) faults = store.faults(FAULTS_SHOWN);
      progress.add(readBytes, read.lines.length);
      onProgress();
      if (!atEnd) await (read.lines.length >= LARGE_BATCH ? pause(1) : macrotask());
    }
  };

  const scanFile = async (name: string): Promise<void> => {
    let fd: number;
    try {
      fd = openRegular(join(folder, name));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        const known = files.get(name);
        unreadable.delete(name);
        if (known !== undefined && list() !== null) remove(known, null);
        return;
      }
      unreadable.set(name, `${join(folder, name)}: ${(error as Error).message}`);
      return;
    }
    try {
      unreadable.delete(name);
      if (fstatSync(fd).size < (files.get(name)?.offset ?? 0)) await pause(REWRITE_MS);
      await readFile(name, fd);
    } catch (error) {
      // A disk that gives no bytes is the file's trouble; what the index's own database throws is not.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      unreadable.set(name, `${join(folder, name)}: ${error.message}`);
    } finally {
      closeSync(fd);
    }
  };

  /** @returns null when the folder cannot be read; `problem` then says why */
  const list = (): string[] | null => {
    try {
      const names = readdirSync(folder).filter((name) => MONTH_FILE.test(name));
      problem = null;
      detail = null;
      return names.sort().reverse();
    } catch (error) {
      problem = codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable';
      detail = `${folder}: ${(error as Error).message}`;
      return null;
    }
  };

  /** Bytes to be read, by file. */
  const backlog = (names: readonly string[]): Map<string, number> => {
    const left = new Map<string, number>();
    for (const name of names) {
      const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      const bytes = size - (files.get(name)?.offset ?? 0);
      if (bytes > 0) left.set(name, bytes);
    }
    return left;
  };

  /** Seqs grow with the months, so that the newest month, which is read first, gets the last ones. */
  const reserve = (left: Map<string, number>): void => {
    const [, ...older] = [...left.keys()].sort().reverse();
    for (const name of older.reverse()) {
      let fd: number;
      try {
        fd = openRegular(join(folder, name));
      } catch {
        continue;
      }
      try {
        store.reserve(open(name, fd).file.id, Math.ceil((left.get(name) ?? 0) / LEAST_LINE_BYTES) + 1);
      } finally {
        closeSync(fd);
      }
    }
  };

  const addToRecord = async (name: string): Promise<void> => {
    const file = files.get(name);
    if (recorder === null || file === undefined || recorder.offset(name) >= file.offset) return;
    let fd: number;
    try {
      fd = openRegular(join(folder, name));
    } catch {
      // Its next scan says why.
      return;
    }
    try {
      for (let to = 0; to < file.offset && !stopped(); ) {
        to = Math.min(file.offset, Math.max(recorder.offset(name), to) + RECORD_STEP);
        store.putBlocks(name, recorder.advance(name, fd, to, file.last_at, null));
        await macrotask();
      }
    } finally {
      closeSync(fd);
    }
  };

  /** @returns false when there are more: something else came in between */
  const addTexts = async (): Promise<boolean> => {
    const left = textsLeft();
    if (left === 0) return true;
    progress.begin('text', 0, 0, left);
    for (let done = indexTexts(); done > 0 && !stopped() && !hasOtherWork(); done = indexTexts()) {
      progress.add(0, done);
      onProgress();
      await pause(1);
    }
    return textsLeft() === 0;
  };

  return {
    async scan(changed) {
      const names =
        changed === undefined
          ? list()
          : [...changed]
              .filter((name) => MONTH_FILE.test(name))
              .sort()
              .reverse();
      const left = backlog(names ?? []);
      const bytes = [...left.values()].reduce((sum, each) => sum + each, 0);
      const isBacklog = bytes > BACKLOG_BYTES;
      if (phase === 'starting' || isBacklog) phase = 'indexing';
      onProgress();
      if (names !== null) {
        if (changed === undefined) {
          for (const file of [...files.values()]) if (!names.includes(file.name)) remove(file, null);
          for (const name of unreadable.keys()) if (!names.includes(name)) unreadable.delete(name);
        }
        if (isBacklog) {
          progress.begin('rows', left.size, bytes, 0);
          reserve(left);
        }
        isCatchingUp = isBacklog;
        for (const name of names) {
          await scanFile(name);
          if (left.has(name)) progress.fileDone();
        }
        isCatchingUp = false;
        if (!stopped()) store.finish();
        await purge();
      }
      phase = 'following';
      // Without a moment between the two at which all would seem to be done.
      if (textsLeft() > 0) progress.begin('text', 0, 0, textsLeft());
      else progress.end('rows');
      onProgress();
      for (const name of names ?? []) await addToRecord(name);
      if (await addTexts()) progress.end('text');
      onProgress();
    },
    state() {
      const sum = (key: 'lines' | 'events' | 'unreadable'): number =>
        [...files.values()].reduce((total, file) => total + file[key], 0);
      const oneUnreadable = unreadable.values().next().value ?? null;
      const now = progress.now();
      return {
        phase,
        files: files.size,
        lines: sum('lines'),
        unreadable: sum('unreadable'),
        unreadable_at: faults,
        events: sum('events'),
        problem: problem ?? (oneUnreadable === null ? null : 'unreadable'),
        detail: detail ?? oneUnreadable,
        ...(now === null ? {} : { progress: now }),
      };
    },
    removals: () => removals,
    bytes: () => [...files.values()].reduce((total, { offset }) => total + offset, 0),
  };
}
