import type { Stats } from 'node:fs';
import type { Statement } from 'better-sqlite3';
import { createFileMark, type FileMark } from './file-mark.ts';
import { followFile } from './followed.ts';
import { isMissingTable, openDatabase, type WriteDb } from './open.ts';

/** A row of `pairings` (files page) as stored; the file belongs to another program, so any text may be in it. */
export interface PairingRow {
  id: number;
  channel: string;
  sender_id: string;
  autonomy_level: string;
  paired_at: string;
  last_seen: string | null;
  revoked_at: string | null;
  display_name: string | null;
}

export interface PairingLevelChange {
  channel: string;
  sender_id: string;
  from: string;
  to: string;
}

export interface PairingsRepository {
  /** By channel and sender; empty when there is no file. @throws UserError naming the file */
  list(): PairingRow[];
  /** @throws UserError naming the file */
  find(channel: string, senderId: string): PairingRow | null;
  /**
   * Sets the level of a pairing that is not revoked and still has `from`.
   * @returns false when it is gone, revoked or was changed meanwhile; then nothing was written
   * @throws UserError naming the file
   */
  setLevel(change: PairingLevelChange): boolean;
  /** As `setLevel` for several, all in one transaction; false for those that were not as expected. */
  setLevels(changes: readonly PairingLevelChange[]): boolean[];
  close(): void;
}

/** Modes in which every commit writes the file itself, so that its entry tells. */
const ROLLBACK_MODES = new Set(['delete', 'truncate', 'persist']);
const MOST_REMEMBERED = 1000;
const COLUMNS = 'id, channel, sender_id, autonomy_level, paired_at, last_seen, revoked_at, display_name';

function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function toRow(row: Record<string, unknown>): PairingRow {
  return {
    id: Number(row.id),
    channel: String(row.channel),
    sender_id: String(row.sender_id),
    autonomy_level: String(row.autonomy_level),
    paired_at: String(row.paired_at),
    last_seen: textOrNull(row.last_seen),
    revoked_at: textOrNull(row.revoked_at),
    display_name: textOrNull(row.display_name),
  };
}

interface Reading {
  all: Statement<[]>;
  journalMode: Statement<[]>;
  one: Statement<[string, string]>;
  close(): void;
}

function openForReading(path: string, options: { busyMs?: number }): Reading | null {
  const db = openDatabase(path, { ...options, mode: 'read' });
  if (db === null) return null;
  try {
    const select = `SELECT ${COLUMNS} FROM pairings`;
    const all = db.prepare<[]>(`${select} ORDER BY channel, sender_id`);
    const one = db.prepare<[string, string]>(`${select} WHERE channel = ? AND sender_id = ?`);
    const journalMode = db.prepare<[]>('PRAGMA journal_mode').pluck();
    return { all, one, journalMode, close: () => db.close() };
  } catch (error) {
    const isEmpty = isMissingTable(error) && db.pragma('schema_version', { simple: true }) === 0;
    db.close();
    // An empty file is one that its owner has not set up yet: nobody is paired.
    if (isEmpty) return null;
    throw error;
  }
}

/** null: there is no file; undefined: it cannot be looked at, and opening it will tell why. */
function lookSafely(mark: FileMark): Stats | null | undefined {
  try {
    return mark.look() ?? null;
  } catch {
    return undefined;
  }
}

/** Reads and changes pairings.db; never makes the file, a table or a row. */
export function createPairingsRepository(path: string, options: { busyMs?: number } = {}): PairingsRepository {
  const reading = followFile(path, () => openForReading(path, options));
  const rows = (read: (statements: Reading) => unknown[]): PairingRow[] =>
    (reading.use(read) ?? []).map((row) => toRow(row as Record<string, unknown>));
  const setLevels = (changes: readonly PairingLevelChange[]): boolean[] => {
    if (changes.length === 0) return [];
    const writing = followFile<WriteDb>(path, () => openDatabase(path, { ...options, mode: 'write' }));
    try {
      const changed = writing.use((db) => {
        const set = db.prepare(
          `UPDATE pairings SET autonomy_level = ?
           WHERE channel = ? AND sender_id = ? AND autonomy_level = ? AND revoked_at IS NULL`,
        );
        return db
          .transaction(() =>
            changes.map(({ channel, sender_id, from, to }) => set.run(to, channel, sender_id, from).changes > 0),
          )
          .immediate();
      });
      return changed ?? changes.map(() => false);
    } finally {
      writing.close();
    }
  };
  const mark = createFileMark(path);
  const found = new Map<string, PairingRow | null>();
  const find = (channel: string, senderId: string): PairingRow | null => {
    const key = `${channel.length}:${channel}${senderId}`;
    if (mark.isUnchanged()) {
      const row = found.get(key);
      if (row !== undefined) return row;
    } else {
      mark.forget();
      found.clear();
    }
    const looked = lookSafely(mark);
    // Nobody is paired where there is no file.
    if (looked === null) return null;
    let rollback = false;
    const [row = null] = rows(({ one, journalMode }) => {
      rollback = ROLLBACK_MODES.has(String(journalMode.get()));
      return one.all(channel, senderId);
    });
    if (found.size >= MOST_REMEMBERED) found.clear();
    if (found.size === 0 && looked !== undefined) mark.settle(looked, rollback);
    found.set(key, row);
    return row;
  };
  return {
    list: () => rows(({ all }) => all.all()),
    find,
    setLevel: (change) => setLevels([change])[0] === true,
    setLevels,
    close: reading.close,
  };
}
