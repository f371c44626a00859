import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as macrotask, setTimeout as pause } from 'node:timers/promises';
import type { IndexState } from '../../shared/rpc/audit.ts';
import type { AuditStore, Batch, FileRecord } from '../db/audit-store.ts';
import { isBelievable, MONTH_FILE, monthStart } from './log-time.ts';
import { splitLine } from './split-line.ts';
import { createTailReader, type TailLine, type TailReader } from './tail-reader.ts';

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
}

const HEAD_BYTES = 4096;
const TAIL_BYTES = 256;
const FAULTS_SHOWN = 20;
/** More bytes than this to read is a backlog, which is told as `indexing`, not as live rows. */
const BACKLOG_BYTES = 4 << 20;
/** After a batch of this many rows another writer of the same database gets a moment to take its lock. */
const LARGE_BATCH = 1000;

/**
 * @param onProgress called after each batch that changed something
 * @param stopped true once the work has to end
 */
export function createIndexer(
  folder: string,
  store: AuditStore,
  onProgress: () => void,
  stopped: () => boolean = () => false,
): Indexer {
  const files = new Map<string, FileRecord>(store.files().map((file) => [file.name, file]));
  const readers = new Map<string, TailReader>();
  const unreadable = new Map<string, string>();
  let phase: IndexState['phase'] = 'starting';
  let problem: IndexState['problem'] = null;
  let detail: string | null = null;
  let faults = store.faults(FAULTS_SHOWN);
  let removals = 0;

  const purge = async (): Promise<void> => {
    while (!stopped() && store.purge()) await macrotask();
  };

  const remove = (file: FileRecord): void => {
    store.remove(file.id);
    files.delete(file.name);
    readers.delete(file.name);
    faults = store.faults(FAULTS_SHOWN);
    removals++;
    onProgress();
  };

  const readFile = async (name: string, fd: number): Promise<void> => {
    const { dev, ino, size } = fstatSync(fd, { bigint: true });
    const known = files.get(name);
    if (known !== undefined && !isSame(known, `${dev}:${ino}`, Number(size), fd)) remove(known);
    let file = files.get(name) ?? store.add(emptyFile(name, `${dev}:${ino}`));
    files.set(name, file);
    const reader = readers.get(name) ?? createTailReader();
    readers.set(name, reader);
    for (let atEnd = false; !atEnd && !stopped(); ) {
      const read = reader.read(fd, { offset: file.offset, line: file.next_line }, Number(size));
      atEnd = read.atEnd;
      if (read.next.offset === file.offset) break;
      const batch = batchOf(file, read.lines, { ...read.next, size: Number(size) }, fd);
      store.append(batch);
      file = batch.file;
      files.set(name, file);
      if (batch.faults.length > 0) faults = store.faults(FAULTS_SHOWN);
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
        if (known !== undefined && list() !== null) remove(known);
        return;
      }
      unreadable.set(name, `${join(folder, name)}: ${(error as Error).message}`);
      return;
    }
    try {
      unreadable.delete(name);
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

  const backlog = (names: Iterable<string>): number => {
    let bytes = 0;
    for (const name of names) {
      const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      bytes += Math.max(0, size - (files.get(name)?.offset ?? 0));
    }
    return bytes;
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
      if (phase === 'starting' || (names !== null && backlog(names) > BACKLOG_BYTES)) phase = 'indexing';
      onProgress();
      if (names !== null) {
        if (changed === undefined) {
          for (const file of [...files.values()]) if (!names.includes(file.name)) remove(file);
          for (const name of unreadable.keys()) if (!names.includes(name)) unreadable.delete(name);
        }
        for (const name of names) await scanFile(name);
        await purge();
      }
      phase = 'following';
      onProgress();
    },
    state() {
      const sum = (key: 'lines' | 'events' | 'unreadable'): number =>
        [...files.values()].reduce((total, file) => total + file[key], 0);
      const oneUnreadable = unreadable.values().next().value ?? null;
      return {
        phase,
        files: files.size,
        lines: sum('lines'),
        unreadable: sum('unreadable'),
        unreadable_at: faults,
        events: sum('events'),
        problem: problem ?? (oneUnreadable === null ? null : 'unreadable'),
        detail: detail ?? oneUnreadable,
      };
    },
    removals: () => removals,
  };
}

/** The rows of some lines, and the record of their file behind them. */
function batchOf(
  before: FileRecord,
  lines: readonly TailLine[],
  to: { offset: number; line: number; size: number },
  fd: number,
): Batch {
  const file: FileRecord = { ...before, offset: to.offset, next_line: to.line, size: to.size };
  const batch: Batch = { file, verdicts: [], events: [], faults: [] };
  const at = (ts: number | null): number => {
    if (isBelievable(ts)) file.last_at = ts;
    return file.last_at;
  };
  for (const { bytes, offset, line, fault } of lines) {
    if (bytes === null) {
      if (fault !== null) batch.faults.push({ line, offset, why: fault });
      file.lines++;
      continue;
    }
    const pieces = splitLine(bytes, offset);
    if (pieces.length > 0) file.lines++;
    for (const { offset: start, length, parsed } of pieces) {
      if (parsed.kind === 'unreadable') batch.faults.push({ line, offset: start, why: parsed.why });
      else if (parsed.kind === 'event') batch.events.push({ offset: start, at: at(parsed.ts), name: parsed.name });
      else {
        const { ts, ...verdict } = parsed.verdict;
        batch.verdicts.push({ ...verdict, offset: start, length, at: at(ts), ts_known: isBelievable(ts) });
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
    file.first_line_hash = digest(head.subarray(0, file.head_length));
  }
  file.tail_length = Math.min(TAIL_BYTES, to.offset);
  file.tail_hash = digest(slice(fd, to.offset - file.tail_length, file.tail_length));
  return batch;
}

function isSame(file: FileRecord, inode: string, size: number, fd: number): boolean {
  return (
    file.inode === inode &&
    size >= file.offset &&
    digest(slice(fd, file.offset - file.tail_length, file.tail_length)) === file.tail_hash &&
    digest(slice(fd, 0, file.head_length)) === file.first_line_hash
  );
}

function emptyFile(name: string, inode: string): Omit<FileRecord, 'id'> {
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
    last_at: monthStart(name),
    head_length: 0,
    first_line_hash: digest(Buffer.alloc(0)),
    tail_length: 0,
    tail_hash: digest(Buffer.alloc(0)),
  };
}

/** A pipe of that name would block for ever: it is opened without waiting, and refused. */
function openRegular(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error('not a regular file');
}

function slice(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
}

function digest(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex');
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
