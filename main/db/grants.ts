import type { Statement } from 'better-sqlite3';
import type { Grant } from '../../shared/domain/grant.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import { parseInstant } from '../policy/dates.ts';
import type { CheckedGrant } from '../policy/grant-rules.ts';
import { createFileMark } from './file-mark.ts';
import { followFile } from './followed.ts';
import { isMissingTable, openDatabase, type ReadDb, toUserError, type WriteDb } from './open.ts';

/**
 * grants.db (policy page, section 3). Other programs read and write the same file, so it is looked at
 * afresh on every call, written in one short transaction, and its schema stays exactly the contract's.
 */
export interface GrantsFilter {
  channel?: string | undefined;
  sender_id?: string | undefined;
  includeRevoked?: boolean | undefined;
}

/** The part of a grant that decides what it covers. */
export type GrantedTarget = Pick<Grant, 'id' | 'target' | 'expires_at'>;

/** Every method throws UserError `locked`, `damaged`, `unreadable` or `read-only`, naming the file. */
export interface GrantsRepository {
  /** Another number whenever the file may hold something else, by whomever; 0 = there is no file. */
  version(): number;
  /**
   * What the unrevoked rows of exactly these three cover; expiry is the caller's, who has the clock.
   * @param above only rows with a higher id; quick also in a file of a million
   */
  targets(channel: string, senderId: string, capability: string, above?: number): GrantedTarget[];
  /** Newest `granted_at` first by instant, unreadable ones last. A missing file holds nothing. */
  list(filter: GrantsFilter): Grant[];
  find(id: number): Grant | null;
  /**
   * Makes folder, file and table where there are none.
   * @param options.once gives the newest unrevoked grant of the very same terms instead, where there is one
   */
  record(grant: CheckedGrant, options?: { once?: boolean }): Grant;
  /** All in one transaction; false for an unknown or already revoked id. @param at as `formatInstant` writes */
  revoke(ids: readonly number[], at: string): boolean[];
  close(): void;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel TEXT NOT NULL, sender_id TEXT NOT NULL, capability TEXT NOT NULL, target TEXT NOT NULL,
  granted_at TEXT NOT NULL, expires_at TEXT, granted_by TEXT, revoked_at TEXT );
CREATE INDEX IF NOT EXISTS idx_grants_lookup ON grants (channel, sender_id, capability, target);
CREATE INDEX IF NOT EXISTS idx_grants_active ON grants (revoked_at, expires_at);
`;
const COLUMNS = 'id, channel, sender_id, capability, target, granted_at, expires_at, granted_by, revoked_at';
const SAME_TERMS = `SELECT ${COLUMNS} FROM grants WHERE channel = :channel AND sender_id = :sender_id
  AND capability = :capability AND target = :target AND expires_at IS :expires_at AND revoked_at IS NULL
  ORDER BY id DESC LIMIT 1`;
/** Another program may have made its table with other types or collations: equal means equal text. */
const OF_SCOPE = ['channel', 'sender_id', 'capability']
  .map((column) => `${column} = ? COLLATE BINARY AND typeof(${column}) = 'text'`)
  .concat("typeof(target) = 'text' AND typeof(granted_at) = 'text' AND +revoked_at IS NULL")
  .join(' AND ');
const TARGETS = `SELECT id, target, expires_at FROM grants WHERE ${OF_SCOPE}`;
/** The plus keeps SQLite from its index over the scope, in which the new rows lie scattered. */
const NEW_TARGETS = `SELECT id, target, expires_at FROM grants WHERE id > ? AND +${OF_SCOPE}`;
/** More openings than this in one process do not happen; `data_version` counts from anew for each handle. */
const PER_OPENING = 2 ** 32;

/** Modes in which every commit writes the file itself. */
const ROLLBACK_MODES = new Set(['delete', 'truncate', 'persist']);

type Row = Record<keyof Grant, unknown>;

interface Reading {
  opening: number;
  dataVersion: Statement;
  journalMode: Statement;
  targets: Statement;
  newTargets: Statement;
  all: Statement;
  one: Statement;
  close(): void;
}

/**
 * @param options.busyMs how long a call waits for another program's lock, ms; 2000 when absent
 * @param options.fileClock the clock by which the system dates files; for tests
 */
export function createGrantsRepository(
  path: string,
  options: { busyMs?: number; fileClock?: Clock } = {},
): GrantsRepository {
  let openings = 0;
  const reading = followFile<Reading>(path, () => {
    const db = openDatabase(path, { ...options, mode: 'read' });
    if (db === null) return null;
    openings += 1;
    return prepareReading(db, openings);
  });

  function read<T>(work: (statements: Reading) => T): T | null {
    try {
      return reading.use(work);
    } catch (error) {
      reading.close();
      // A writer died since we opened: opening again rolls its half transaction back.
      if (error instanceof UserError && error.code === 'read-only') return reading.use(work);
      throw error;
    }
  }

  function write<T>(create: boolean, work: (db: WriteDb) => T): T | null {
    const db = openDatabase(path, { ...options, mode: 'write', create });
    if (db === null) return null;
    try {
      // Beginning to write would already fill an empty file.
      if (!create && isEmpty(db)) return null;
      return db
        .transaction(() => {
          if (create && isEmpty(db)) db.exec(SCHEMA);
          return work(db);
        })
        .immediate();
    } catch (error) {
      throw toUserError(error, path);
    } finally {
      db.close();
    }
  }

  /** In WAL mode, where the file itself tells nothing of a commit. */
  let askedAlways = false;
  let lastOpening = 0;
  const mark = createFileMark(path, { clock: options.fileClock ?? Date.now });
  let version = 0;

  return {
    version: () => {
      if (mark.isUnchanged()) return version;
      mark.forget();
      const looked = askedAlways ? undefined : mark.look();
      version =
        read(({ opening, dataVersion, journalMode }) => {
          const seen = opening * PER_OPENING + Number(dataVersion.get());
          // While we hold it open, nobody can take a file out of WAL mode.
          if (!askedAlways || opening !== lastOpening) {
            askedAlways = !ROLLBACK_MODES.has(String(journalMode.get()));
          }
          lastOpening = opening;
          return seen;
        }) ?? 0;
      if (version !== 0) mark.settle(looked, !askedAlways);
      return version;
    },
    targets: (channel, senderId, capability, above) => {
      // SQLite takes a broken character for another one: only equal text is the same sender.
      if (!channel.isWellFormed() || !senderId.isWellFormed() || !capability.isWellFormed()) return [];
      const rows = read(({ targets, newTargets }) =>
        above !== undefined
          ? newTargets.all(above, channel, senderId, capability)
          : targets.all(channel, senderId, capability),
      ) as Pick<Row, keyof GrantedTarget>[] | null;
      // Changed where they are: there may be a million.
      return (rows ?? []).filter((row): row is GrantedTarget => {
        if (typeof row.expires_at !== 'string') row.expires_at = textOrNull(row.expires_at);
        return Number.isSafeInteger(row.id);
      });
    },
    list: (filter) =>
      toGrants(read(({ all }) => all.all()))
        .filter((grant) => wanted(grant, filter))
        .sort(newestFirst),
    find: (id) => toGrants(read(({ one }) => one.all(id)))[0] ?? null,
    record: (grant, { once = false } = {}) => {
      const row = write(true, (db) => {
        const same = once ? db.prepare(SAME_TERMS).get(grant) : undefined;
        if (same !== undefined) return same;
        return db
          .prepare(
            `INSERT INTO grants (channel, sender_id, capability, target, granted_at, expires_at, granted_by)
             VALUES (:channel, :sender_id, :capability, :target, :granted_at, :expires_at, :granted_by) RETURNING ${COLUMNS}`,
          )
          .get(grant);
      });
      const stored = toGrants(row === null ? null : [row])[0];
      if (stored === undefined) throw new Error('the grant was stored but not given back');
      return stored;
    },
    revoke: (ids, at) =>
      write(false, (db) => {
        const revoke = db.prepare('UPDATE grants SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
        return ids.map((id) => revoke.run(at, id).changes > 0);
      }) ?? ids.map(() => false),
    close: () => reading.close(),
  };
}

function prepareReading(db: ReadDb, opening: number): Reading | null {
  try {
    return {
      opening,
      dataVersion: db.prepare('PRAGMA data_version').pluck(),
      journalMode: db.prepare('PRAGMA journal_mode').pluck(),
      targets: db.prepare(TARGETS),
      newTargets: db.prepare(NEW_TARGETS),
      all: db.prepare(`SELECT ${COLUMNS} FROM grants`),
      one: db.prepare(`SELECT ${COLUMNS} FROM grants WHERE id = ?`),
      close: () => db.close(),
    };
  } catch (error) {
    const nothingYet = isMissingTable(error) && isEmpty(db);
    db.close();
    if (nothingYet) return null;
    throw error;
  }
}

/** A file that nobody has set up yet. One with other tables is another program's, and is left alone. */
function isEmpty(db: ReadDb): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0;
}

/**
 * Rows of the contract's shape. A row that could be neither shown nor revoked (bytes where text belongs, an
 * id beyond a number's precision) grants nothing.
 */
function toGrants(rows: unknown[] | null): Grant[] {
  return (rows as Row[] | null)?.map(toGrant).filter((grant) => grant !== null) ?? [];
}

function toGrant(row: Row): Grant | null {
  const { id, channel, sender_id, capability, target, granted_at } = row;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || typeof granted_at !== 'string') return null;
  if (typeof channel !== 'string' || typeof sender_id !== 'string') return null;
  if (typeof capability !== 'string' || typeof target !== 'string') return null;
  return {
    id,
    channel,
    sender_id,
    capability,
    target,
    granted_at,
    expires_at: textOrNull(row.expires_at),
    granted_by: textOrNull(row.granted_by),
    revoked_at: textOrNull(row.revoked_at),
  };
}

/** Bytes become text that is no date: such an expiry counts as expired. */
function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

function wanted(grant: Grant, { channel, sender_id, includeRevoked }: GrantsFilter): boolean {
  if (channel !== undefined && grant.channel !== channel) return false;
  if (sender_id !== undefined && grant.sender_id !== sender_id) return false;
  return includeRevoked === true || grant.revoked_at === null;
}

function newestFirst(a: Grant, b: Grant): number {
  const at = ({ granted_at }: Grant): number => parseInstant(granted_at) ?? Number.NEGATIVE_INFINITY;
  const [first, second] = [at(a), at(b)];
  return first === second ? b.id - a.id : second - first;
}
