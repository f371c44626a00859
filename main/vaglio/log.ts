/**
 * The verdict log's writer (vaglio page, section 5): one line is one write to a file opened for append, because
 * other programs write the same file. A log that cannot be written never changes or stops a verdict; `health` says so.
 */
import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { ResourceHealth } from '../../shared/domain/health.ts';
import type { Clock } from '../engine/clock.ts';
import { makeFolder } from '../engine/make-folder.ts';
import { type LogEntry, logLine } from './log-line.ts';

/** How often the file is compared with what lies at its path, ms. A deleted file is noticed at once. */
const PATH_CHECK_MS = 250;
/** After a failure the next attempt waits so long, ms: a broken disk must not slow every verdict. */
const RETRY_MS = 100;
/** Lines kept while the file cannot be written, to be written once it can. */
const MAX_PENDING = 1000;

const NEWLINE = 0x0a;

export interface VerdictLogOptions {
  /** The folder of the month files. */
  folder: string;
  clock: Clock;
}

export interface VerdictLogHealth extends ResourceHealth {
  /** Verdicts given whose line is not in the file: those that still wait and those given up. */
  missing: number;
}

interface Month {
  /** Its file. */
  path: string;
  start: number;
  end: number;
}

/** A line and the file that it belongs to. */
interface Item {
  path: string;
  line: string;
}

interface OpenFile {
  fd: number;
  path: string;
  ino: number;
  dev: number;
  /** Size after our last write; another size means that somebody else wrote or cut. */
  size: number;
  /** Is the last line known to be whole? */
  whole: boolean;
}

function monthOf(folder: string, ms: number): Month {
  const at = new Date(ms);
  const year = at.getFullYear();
  const month = at.getMonth();
  const name = `${String(year).padStart(4, '0')}-${String(month + 1).padStart(2, '0')}.jsonl`;
  return {
    path: join(folder, name),
    start: new Date(year, month, 1).getTime(),
    end: new Date(year, month + 1, 1).getTime(),
  };
}

export class VerdictLog {
  readonly #options: VerdictLogOptions;
  readonly #lastByte = new Uint8Array(1);
  #month: Month = { path: '', start: 0, end: 0 };
  #file: OpenFile | null = null;
  #statAt = Number.NaN;
  #pathCheckedAt = Number.NEGATIVE_INFINITY;
  #failure: { at: number; error: unknown } | null = null;
  #pending: Item[] = [];
  #lost = 0;

  /** Opens nothing: the file is opened by the first line. */
  constructor(options: VerdictLogOptions) {
    this.#options = options;
  }

  /** Puts one line into the file before it returns, or notes the failure. Never throws. */
  write(entry: LogEntry): void {
    try {
      const now = this.#options.clock();
      const item = { path: this.#path(now), line: logLine(entry) };
      if (this.#failure !== null && Math.abs(now - this.#failure.at) < RETRY_MS) {
        this.#keep(item);
        return;
      }
      this.#attempt(item, now);
    } catch (error) {
      this.#failure = { at: Number.NEGATIVE_INFINITY, error };
      this.#lost++;
    }
  }

  /** Tries once more to write what waits; for a moment when nothing is decided. Never throws. */
  retry(): void {
    const item = this.#pending.pop();
    if (item === undefined) return;
    this.#attempt(item, this.#options.clock());
  }

  health(): VerdictLogHealth {
    const path = this.#file?.path ?? this.#options.folder;
    const missing = this.#pending.length + this.#lost;
    if (this.#failure === null) {
      return {
        name: 'verdict-log',
        path,
        state: 'ok',
        advice: missing > 0 ? 'log-lines-lost' : '',
        detail: null,
        missing,
      };
    }
    const { error } = this.#failure;
    const code = (error as NodeJS.ErrnoException).code;
    const state = code === 'EROFS' ? 'read-only' : code === 'EACCES' || code === 'EPERM' ? 'unreadable' : 'failed';
    const detail = error instanceof Error ? error.message : String(error);
    return { name: 'verdict-log', path, state, advice: 'log-not-written', detail, missing };
  }

  close(): void {
    this.retry();
    this.#closeFile();
  }

  #keep(item: Item): void {
    this.#pending.push(item);
    if (this.#pending.length <= MAX_PENDING) return;
    this.#pending.shift();
    this.#lost++;
  }

  #attempt(item: Item, now: number): void {
    try {
      while (this.#pending[0] !== undefined) {
        this.#append(this.#pending[0], now);
        this.#pending.shift();
      }
      this.#append(item, now);
      this.#failure = null;
    } catch (error) {
      this.#failure = { at: now, error };
      this.#keep(item);
      this.#closeFile();
    }
  }

  #path(now: number): string {
    const inside = now >= this.#month.start && now < this.#month.end;
    if (!inside) this.#month = monthOf(this.#options.folder, now);
    return this.#month.path;
  }

  #append(item: Item, now: number): void {
    const file = this.#current(item.path, now);
    const bytes = this.#endsWhole(file) ? `${item.line}\n` : `\n${item.line}\n`;
    const length = Buffer.byteLength(bytes);
    let written = writeSync(file.fd, bytes);
    if (written < length) {
      // A disk that fills up takes a part; the failure that follows closes the file, and the next line looks at its tail.
      const all = Buffer.from(bytes);
      while (written < length) {
        const more = writeSync(file.fd, all, written);
        if (more === 0) throw new Error(`${item.path}: nothing more could be written`);
        written += more;
      }
    }
    file.size += length;
  }

  /** The file that lies at `path` now, opened anew when it was deleted, replaced or belongs to another month. */
  #current(path: string, now: number): OpenFile {
    const file = this.#file;
    if (file !== null && file.path === path) {
      // Once a millisecond: what is deleted in between takes lines of this moment with those before it.
      if (now === this.#statAt) return file;
      this.#statAt = now;
      const state = fstatSync(file.fd);
      if (state.nlink > 0 && !this.#moved(file, now)) {
        if (state.size !== file.size) {
          file.size = state.size;
          file.whole = false;
        }
        return file;
      }
    }
    this.#closeFile();
    return this.#open(path, now);
  }

  #moved(file: OpenFile, now: number): boolean {
    if (Math.abs(now - this.#pathCheckedAt) < PATH_CHECK_MS) return false;
    this.#pathCheckedAt = now;
    const there = statSync(file.path, { throwIfNoEntry: false });
    return there === undefined || there.ino !== file.ino || there.dev !== file.dev;
  }

  /** Another writer may have left its last line without a newline; looked at when the file is not as we left it. */
  #endsWhole(file: OpenFile): boolean {
    const known = file.whole || file.size === 0;
    file.whole = true;
    if (known) return true;
    return readSync(file.fd, this.#lastByte, 0, 1, file.size - 1) !== 1 || this.#lastByte[0] === NEWLINE;
  }

  #open(path: string, now: number): OpenFile {
    makeFolder(this.#options.folder);
    // Non-blocking: a pipe in the file's place must not hang a verdict.
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
    const fd = openSync(path, flags, 0o600);
    const state = fstatSync(fd);
    if (!state.isFile()) {
      closeSync(fd);
      throw new Error(`${path} is not a file`);
    }
    this.#file = { fd, path, ino: state.ino, dev: state.dev, size: state.size, whole: false };
    this.#pathCheckedAt = now;
    this.#statAt = now;
    return this.#file;
  }

  #closeFile(): void {
    if (this.#file === null) return;
    try {
      closeSync(this.#file.fd);
    } catch {
      // Nothing is buffered in us: what was written is with the kernel.
    }
    this.#file = null;
  }
}
