import { closeSync, openSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { UserError } from '../engine/errors.ts';
import { makeFolder } from '../engine/make-folder.ts';

/**
 * Opens SQLite files that other programs hold open too (files page): never sets a journal mode, never
 * changes a schema, never creates over something that is there. The only room that imports better-sqlite3.
 */
declare const access: unique symbol;
/** A handle that may read. */
export type ReadDb = Database.Database & { readonly [access]: 'read' | 'write' };
/** A handle that may write as well; usable wherever a `ReadDb` is. */
export type WriteDb = Database.Database & { readonly [access]: 'write' };

export interface OpenOptions {
  mode: 'read' | 'write';
  /** Make folder (0700) and file (0600) when there is no file. */
  create?: boolean;
  /** How long to wait for a lock of another connection, ms; 2000 when absent. */
  busyMs?: number;
}

const MEMORY = ':memory:';
const DEFAULT_BUSY_MS = 2000;

/**
 * @returns null when the file is not there and `create` is not set: a missing file is no error.
 * @throws UserError `locked`, `damaged`, `unreadable` or `read-only`, naming the file.
 */
export function openDatabase(path: string, options: OpenOptions & { mode: 'write'; create: true }): WriteDb;
export function openDatabase(path: string, options: OpenOptions & { mode: 'write' }): WriteDb | null;
export function openDatabase(path: string, options: OpenOptions): ReadDb | null;
export function openDatabase(path: string, options: OpenOptions): ReadDb | WriteDb | null {
  const timeout = options.busyMs ?? DEFAULT_BUSY_MS;
  try {
    if (path === MEMORY) return new Database(MEMORY, { timeout }) as WriteDb;
    const file = resolve(path);
    if (!fileThere(file)) {
      if (options.mode === 'read' || options.create !== true) return null;
      createEmpty(file);
    }
    return options.mode === 'write' ? openProbed(file, false, timeout) : openForReading(file, timeout);
  } catch (error) {
    throw toUserError(error, path);
  }
}

/**
 * Which file a path means now, or null when there is none. Compare it with the one noted at opening: as long
 * as the handle is open its inode cannot be given to another file, so equal means the same file.
 */
export function fileIdentity(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

/** True when SQLite said that the table itself is not there. */
export function isMissingTable(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_ERROR' && /^no such table:/.test((error as Error).message);
}

/**
 * What a failure of SQLite or of the file system means to a person.
 * @returns a UserError that names the file, or the error itself when it is neither (a fault of ours).
 */
export function toUserError(error: unknown, path: string): Error {
  if (error instanceof UserError) return error;
  const missing = /^no such (table|column)(?=:)/.exec(sqliteCode(error) === null ? '' : (error as Error).message);
  const code = missing?.[0] ?? sqliteCode(error) ?? systemCode(error);
  const known = code === null ? undefined : MEANINGS.find(({ codes }) => codes.test(code));
  if (known === undefined) return error instanceof Error ? error : new Error(String(error));
  return new UserError(known.code, `${path} ${known.text}`, path, { cause: error });
}

const MEANINGS = [
  {
    codes: /^SQLITE_(BUSY|LOCKED|PROTOCOL)/,
    code: 'locked',
    text: 'is locked by another program. Wait until it is done, or close the program that holds it, and try again.',
  },
  {
    codes: /^SQLITE_(CORRUPT|NOTADB|FORMAT)/,
    code: 'damaged',
    text: 'is damaged or no SQLite database. It is left as it is; put a backup in its place or move it away.',
  },
  {
    codes: /^SQLITE_READONLY|^EROFS$/,
    code: 'read-only',
    text: 'cannot be written. Check who owns the file and its folder and whether they may be written.',
  },
  {
    codes: /^SQLITE_FULL$|^ENOSPC$|^EDQUOT$/,
    code: 'read-only',
    text: 'cannot be written: the disk is full. Make room and try again.',
  },
  {
    codes:
      /^SQLITE_(CANTOPEN|PERM|AUTH|IOERR)|^(EACCES|EPERM|ENOTDIR|EISDIR|ELOOP|EIO|ENAMETOOLONG|EEXIST|EMFILE|ENFILE|ENOENT)$/,
    code: 'unreadable',
    text: 'cannot be opened. Check that it is a file, who owns it, and that its folder may be entered and written.',
  },
  {
    codes: /^no such (table|column)$/,
    code: 'damaged',
    text: 'does not hold the table it should. It is left as it is; check that the path names the right file.',
  },
] as const;

function fileThere(file: string): boolean {
  const stats: Stats | undefined = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isFile()) return true;
  // A pipe would block for ever, a folder gives SQLite's least helpful message.
  const what = stats.isDirectory() ? 'is a folder, not a file' : 'is not a regular file';
  throw new UserError('unreadable', `${file} ${what}. Move it away, or name another file.`, file);
}

function createEmpty(file: string): void {
  makeFolder(dirname(file));
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    // Another program made it in between: then it is theirs, and as good.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}

function openForReading(file: string, timeout: number): ReadDb {
  try {
    return openProbed(file, true, timeout);
  } catch (error) {
    // A writer died in the middle: only a writing handle may roll its half transaction back.
    if (!/^SQLITE_READONLY_(ROLLBACK|RECOVERY|CANTINIT)$/.test(sqliteCode(error) ?? '')) throw error;
    openProbed(file, false, timeout).close();
    return openProbed(file, true, timeout);
  }
}

function openProbed(file: string, readonly: boolean, timeout: number): WriteDb {
  const db = new Database(file, { readonly, fileMustExist: true, timeout });
  try {
    // SQLite reads nothing at opening; this is the first look into the file.
    db.pragma('schema_version');
    return db as WriteDb;
  } catch (error) {
    db.close();
    throw error;
  }
}

function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null;
}

function systemCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
