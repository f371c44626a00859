import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as macrotask } from 'node:timers/promises';
import type { TurnsState } from '../../shared/rpc/turns.ts';
import { splitLineOf } from '../audit/split-line.ts';
import { createTailReader, type TailReader } from '../audit/tail-reader.ts';
import { TURN_LINES, type TurnHead } from './parse-turn.ts';
import type { TurnPlace } from './turn-index.ts';

/**
 * Follows the day files of the turn log: what is new is read, what was cut, replaced or deleted is forgotten.
 * Newest day first. A folder that is not there makes nothing forgotten: it may only be unmounted.
 */
export interface TurnFiles {
  /** @param names of the files that changed; all of them when absent */
  scan(names?: ReadonlySet<string>): Promise<void>;
  state(): Pick<TurnsState, 'files' | 'unreadable' | 'unreadable_at' | 'problem' | 'detail'> & { reading: boolean };
}

export interface TurnFilesEvents {
  onTurn(head: TurnHead, place: TurnPlace): void;
  /** All of a file's turns are to be forgotten. */
  onForget(file: string): void;
  /** After each chunk that changed something. */
  onProgress(): void;
  stopped(): boolean;
}

type Fault = TurnsState['unreadable_at'][number];

interface Known {
  inode: string;
  offset: number;
  line: number;
  /** What it began with and what stood just before `offset`, to tell a file that was rewritten. */
  head: Buffer;
  tail: Buffer;
  faults: Fault[];
  unreadable: number;
  /** Kept only while a line is unfinished: there is a file for each day. */
  reader: TailReader | null;
}

export const DAY_FILE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])\.jsonl$/;
const EDGE_BYTES = 256;
const FAULTS_SHOWN = 20;
const CHUNK_BYTES = 1 << 20;
const LEAST_BYTES = 64 << 10;
/** More bytes than this to read is a backlog. */
const BACKLOG_BYTES = 1 << 20;

export function createTurnFiles(folder: string, events: TurnFilesEvents): TurnFiles {
  const files = new Map<string, Known>();
  const unreadable = new Map<string, string>();
  let reading = true;
  let problem: TurnsState['problem'] = null;
  let detail: string | null = null;

  const forget = (name: string): void => {
    if (files.delete(name)) events.onForget(name);
  };

  const readFile = async (name: string, fd: number): Promise<void> => {
    const { dev, ino, size } = fstatSync(fd, { bigint: true });
    const inode = `${dev}:${ino}`;
    const before = files.get(name);
    if (before !== undefined && !isSame(before, inode, Number(size), fd)) forget(name);
    const file = files.get(name) ?? emptyFile(inode);
    files.set(name, file);
    const left = Number(size) - file.offset;
    const reader = file.reader ?? createTailReader({ chunkBytes: Math.min(CHUNK_BYTES, Math.max(LEAST_BYTES, left)) });
    for (let atEnd = false; !atEnd && !events.stopped(); ) {
      const read = reader.read(fd, { offset: file.offset, line: file.line }, Number(size));
      atEnd = read.atEnd;
      if (read.next.offset === file.offset) break;
      for (const { bytes, offset, line, fault } of read.lines) {
        const found = (at: number, why: string): void => {
          file.unreadable++;
          file.faults = [{ file: name, line, offset: at, why }, ...file.faults].slice(0, FAULTS_SHOWN);
        };
        if (bytes === null) found(offset, fault ?? 'too-long');
        else {
          for (const { offset: start, length, parsed } of splitLineOf(TURN_LINES, bytes, offset)) {
            if (parsed.kind === 'unreadable') found(start, parsed.why);
            else events.onTurn(parsed, { file: name, line, offset: start, length });
          }
        }
      }
      file.offset = read.next.offset;
      file.line = read.next.line;
      if (file.head.length < EDGE_BYTES) file.head = slice(fd, 0, Math.min(EDGE_BYTES, file.offset));
      const tail = Math.min(EDGE_BYTES, file.offset);
      file.tail = slice(fd, file.offset - tail, tail);
      events.onProgress();
      if (!atEnd) await macrotask();
    }
    file.reader = file.offset < Number(size) ? reader : null;
  };

  const scanFile = async (name: string): Promise<void> => {
    let fd: number;
    try {
      fd = openRegular(join(folder, name));
    } catch (error) {
      unreadable.delete(name);
      if (codeOf(error) !== 'ENOENT') unreadable.set(name, `${join(folder, name)}: ${(error as Error).message}`);
      else if (list() !== null) forget(name);
      return;
    }
    try {
      unreadable.delete(name);
      await readFile(name, fd);
    } catch (error) {
      // A disk that gives no bytes is the file's trouble; all else is ours.
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      unreadable.set(name, `${join(folder, name)}: ${error.message}`);
    } finally {
      closeSync(fd);
    }
  };

  /** @returns null when the folder cannot be read; `problem` then says why */
  const list = (): string[] | null => {
    try {
      const names = readdirSync(folder).filter((name) => DAY_FILE.test(name));
      problem = null;
      detail = null;
      return names.sort().reverse();
    } catch (error) {
      problem = codeOf(error) === 'ENOENT' ? 'missing' : 'unreadable';
      detail = `${folder}: ${(error as Error).message}`;
      return null;
    }
  };

  const backlog = (names: readonly string[]): number =>
    names.reduce((bytes, name) => {
      const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      return bytes + Math.max(0, size - (files.get(name)?.offset ?? 0));
    }, 0);

  return {
    async scan(changed) {
      const names =
        changed === undefined
          ? list()
          : [...changed]
              .filter((name) => DAY_FILE.test(name))
              .sort()
              .reverse();
      if (names !== null) {
        reading ||= backlog(names) > BACKLOG_BYTES;
        if (changed === undefined) {
          for (const name of [...files.keys()]) if (!names.includes(name)) forget(name);
          for (const name of unreadable.keys()) if (!names.includes(name)) unreadable.delete(name);
        }
        for (const name of names) if (!events.stopped()) await scanFile(name);
      }
      reading = false;
      events.onProgress();
    },
    state() {
      const all = [...files.values()];
      const one = unreadable.values().next().value ?? null;
      const newest = [...files].sort(([one_], [other]) => (one_ < other ? 1 : -1)).flatMap(([, { faults }]) => faults);
      return {
        reading,
        files: files.size,
        unreadable: all.reduce((sum, file) => sum + file.unreadable, 0),
        unreadable_at: newest.slice(0, FAULTS_SHOWN),
        problem: problem ?? (one === null ? null : 'unreadable'),
        detail: detail ?? one,
      };
    },
  };
}

function emptyFile(inode: string): Known {
  const none = Buffer.alloc(0);
  return { inode, offset: 0, line: 1, head: none, tail: none, faults: [], unreadable: 0, reader: null };
}

function isSame(file: Known, inode: string, size: number, fd: number): boolean {
  return (
    file.inode === inode &&
    size >= file.offset &&
    slice(fd, 0, file.head.length).equals(file.head) &&
    slice(fd, file.offset - file.tail.length, file.tail.length).equals(file.tail)
  );
}

/** A pipe of that name would block for ever: it is opened without waiting, and refused. */
export function openRegular(path: string): number {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error('not a regular file');
}

function slice(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
