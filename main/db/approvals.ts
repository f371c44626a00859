import type { Statement } from 'better-sqlite3';
import type { PendingRow } from '../../shared/domain/approval.ts';
import { UserError } from '../engine/errors.ts';
import { parseInstant } from '../policy/dates.ts';
import { followFile } from './followed.ts';
import { isMissingTable, openDatabase, type ReadDb, type WriteDb } from './open.ts';

/**
 * approvals.db, table `pending` (pipeline page, "Approvals"; files page). A running Metnos reads and writes the same file:
 * the schema and the journal mode of a file that exists are left alone, every change is one short transaction.
 */
export type NewPending = Pick<
  PendingRow,
  | 'token'
  | 'channel'
  | 'sender_id'
  | 'capability_class'
  | 'action_verb'
  | 'target_summary'
  | 'created_at'
  | 'expires_at'
  | 'request_extra'
>;

export interface Resolution {
  token: string;
  status: 'approved' | 'rejected' | 'expired';
  /** As `formatInstant` writes. */
  at: string;
  by: { channel: string; sender_id: string };
  /** Only when the request came from exactly this channel and sender; for a requester who answers it. */
  onlyFrom?: { channel: string; sender_id: string };
  /** Rewrites the row's `request_extra` in the same transaction. */
  extra?: (stored: string | null) => string | null;
}

/** Every method throws UserError `locked`, `damaged`, `unreadable` or `read-only`, naming the file. */
export interface ApprovalsRepository {
  /**
   * On disk when it returns, all in one transaction: a disk takes as long for many as for one. File, folder and table are
   * made where there are none.
   */
  add(...rows: NewPending[]): void;
  find(token: string): PendingRow | null;
  /** Rows whose status is `pending`, overdue ones too; oldest first. */
  pending(limit: number): PendingRow[];
  /** All others and overdue ones, newest decision first. @param now ms since the epoch */
  resolved(limit: number, now: number): PendingRow[];
  /** Rows that wait and are not overdue. */
  countPending(now: number): number;
  /** How often the like of each was asked before it: same channel, sender, capability and verb. */
  askedBefore(tokens: readonly string[]): Map<string, number>;
  /**
   * One row from pending to `status`, all or nothing.
   * @throws UserError `not-found` unknown, `conflict` already resolved, `refused` expired or not the requester's; nothing
   * changes then
   */
  resolve(resolution: Resolution, now: number): PendingRow;
  /** Rewrites `request_extra` of an approved row; false when there is none, or `change` answers null. */
  changeExtra(token: string, change: (stored: string | null) => string | null): boolean;
  close(): void;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS pending (
  token TEXT PRIMARY KEY, channel TEXT NOT NULL, sender_id TEXT NOT NULL, capability_class TEXT NOT NULL,
  action_verb TEXT NOT NULL, target_summary TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  decision_at TEXT, decision_by_channel TEXT, decision_by_sender TEXT, request_extra TEXT );
`;
const COLUMNS = `token, channel, sender_id, capability_class, action_verb, target_summary, created_at, expires_at, status,
  decision_at, decision_by_channel, decision_by_sender, request_extra`;
/** `fs:write` of `fs:write:~/Archivio/**`. */
const CAPABILITY = `CASE instr(substr(capability_class, instr(capability_class, ':') + 1), ':')
  WHEN 0 THEN capability_class
  ELSE substr(capability_class, 1, instr(capability_class, ':')
    + instr(substr(capability_class, instr(capability_class, ':') + 1), ':') - 1) END`;
const ASKED_BEFORE = `SELECT token, before FROM (
  SELECT token, row_number() OVER (PARTITION BY channel, sender_id, action_verb, ${CAPABILITY} ORDER BY rowid) - 1 AS before
  FROM pending) WHERE token IN (SELECT value FROM json_each(?))`;

interface Reading {
  one: Statement;
  pending: Statement;
  others: Statement;
  before: Statement;
  close(): void;
}

interface Writing {
  db: WriteDb;
  add: Statement;
  one: Statement;
  resolve: Statement;
  extra: Statement;
  close(): void;
}

/** An expiry that cannot be read counts as reached. */
export function isOverdue(row: Pick<PendingRow, 'expires_at'>, now: number): boolean {
  const expires = parseInstant(row.expires_at);
  return expires === null || expires <= now;
}

/** @param options.busyMs how long a call waits for another program's lock, ms; 2000 when absent */
export function createApprovalsRepository(path: string, options: { busyMs?: number } = {}): ApprovalsRepository {
  const reading = followFile<Reading>(path, () => openForReading(path, options));
  const writing = followFile<Writing>(path, () => openForWriting(path, options, false));

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

  function write<T>(work: (statements: Writing) => T): T | null {
    try {
      return writing.use((statements) => statements.db.transaction(() => work(statements)).immediate());
    } catch (error) {
      // The handle of a file that was damaged or locked must not outlive the trouble.
      writing.close();
      throw error;
    }
  }

  const rows = (list: unknown[] | null): PendingRow[] =>
    (list ?? []).map((row) => toRow(row as Record<string, unknown>));

  return {
    add: (...fresh) => {
      const insert = ({ add }: Writing): true => {
        for (const row of fresh) add.run(row);
        return true;
      };
      if (write(insert) !== null) return;
      openForWriting(path, options, true)?.close();
      if (write(insert) === null) throw new UserError('unreadable', `${path} cannot be made.`, path);
    },
    find: (token) => rows(read(({ one }) => one.all(token)))[0] ?? null,
    pending: (limit) => rows(read(({ pending }) => pending.all(limit))),
    resolved: (limit, now) =>
      rows(read(({ others }) => others.all()))
        .filter((row) => row.status !== 'pending' || isOverdue(row, now))
        .sort((a, b) => endOf(b) - endOf(a))
        .slice(0, limit),
    countPending: (now) => rows(read(({ pending }) => pending.all(-1))).filter((row) => !isOverdue(row, now)).length,
    askedBefore: (tokens) => {
      const found = read(({ before }) => before.all(JSON.stringify(tokens))) as
        | { token: string; before: number }[]
        | null;
      return new Map((found ?? []).map((one) => [one.token, one.before]));
    },
    resolve: (resolution, now) => {
      const { token, status, at, by } = resolution;
      const done = write(({ one, resolve }) => {
        const row = rows(one.all(token))[0];
        if (row === undefined) return null;
        check(row, resolution, now);
        const extra = resolution.extra === undefined ? row.request_extra : resolution.extra(row.request_extra);
        resolve.run(status, at, by.channel, by.sender_id, extra, token);
        return { ...row, status, decision_at: at, decision_by_channel: by.channel, decision_by_sender: by.sender_id };
      });
      if (done === null) throw new UserError('not-found', 'There is no such request for approval.', token);
      return done;
    },
    changeExtra: (token, change) =>
      write(({ one, extra }) => {
        const row = rows(one.all(token))[0];
        if (row === undefined || row.status !== 'approved') return false;
        const next = change(row.request_extra);
        if (next === null) return false;
        extra.run(next, token);
        return true;
      }) ?? false,
    close: () => {
      reading.close();
      writing.close();
    },
  };
}

function check(row: PendingRow, { token, status, onlyFrom }: Resolution, now: number): void {
  if (row.status !== 'pending') {
    throw new UserError('conflict', `This request is already resolved: it was ${row.status}.`, token);
  }
  if (onlyFrom !== undefined && (onlyFrom.channel !== row.channel || onlyFrom.sender_id !== row.sender_id)) {
    throw new UserError('refused', 'Only who asked can answer this request.', token);
  }
  if (status !== 'expired' && isOverdue(row, now)) {
    throw new UserError('refused', `This request expired (${row.expires_at}): it has to be asked again.`, token);
  }
}

function endOf(row: PendingRow): number {
  return parseInstant(row.decision_at ?? row.expires_at) ?? 0;
}

function openForReading(path: string, options: { busyMs?: number }): Reading | null {
  const db = openDatabase(path, { ...options, mode: 'read' });
  if (db === null) return null;
  try {
    return {
      one: db.prepare(`SELECT ${COLUMNS} FROM pending WHERE token = ?`),
      pending: db.prepare(`SELECT ${COLUMNS} FROM pending WHERE status = 'pending' ORDER BY created_at, rowid LIMIT ?`),
      others: db.prepare(`SELECT ${COLUMNS} FROM pending ORDER BY rowid DESC LIMIT 5000`),
      before: db.prepare(ASKED_BEFORE),
      close: () => db.close(),
    };
  } catch (error) {
    const nothingYet = isMissingTable(error) && isEmpty(db);
    db.close();
    if (nothingYet) return null;
    throw error;
  }
}

/** @param create makes file and table; a file that exists keeps its journal mode, a new one writes ahead */
function openForWriting(path: string, options: { busyMs?: number }, create: boolean): Writing | null {
  const db = openDatabase(path, { ...options, mode: 'write', create } as {
    mode: 'write';
    create: true;
  }) as WriteDb | null;
  if (db === null) return null;
  try {
    if (isEmpty(db)) {
      if (!create) {
        db.close();
        return null;
      }
      db.pragma('journal_mode = WAL');
      db.exec(SCHEMA);
    }
    // As durable as the original: a card that was shown is there after a power cut.
    db.pragma('synchronous = FULL');
    return {
      db,
      add: db.prepare(`INSERT INTO pending (token, channel, sender_id, capability_class, action_verb, target_summary,
          created_at, expires_at, status, request_extra)
        VALUES (:token, :channel, :sender_id, :capability_class, :action_verb, :target_summary, :created_at, :expires_at,
          'pending', :request_extra)`),
      one: db.prepare(`SELECT ${COLUMNS} FROM pending WHERE token = ?`),
      resolve:
        db.prepare(`UPDATE pending SET status = ?, decision_at = ?, decision_by_channel = ?, decision_by_sender = ?,
        request_extra = ? WHERE token = ? AND status = 'pending'`),
      extra: db.prepare(`UPDATE pending SET request_extra = ? WHERE token = ? AND status = 'approved'`),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: ReadDb): boolean {
  return db.prepare('SELECT count(*) FROM sqlite_master').pluck().get() === 0;
}

/** Another program may have stored any type. */
function toRow(row: Record<string, unknown>): PendingRow {
  const text = (value: unknown): string => String(value);
  const orNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));
  return {
    token: text(row.token),
    channel: text(row.channel),
    sender_id: text(row.sender_id),
    capability_class: text(row.capability_class),
    action_verb: text(row.action_verb),
    target_summary: text(row.target_summary),
    created_at: text(row.created_at),
    expires_at: text(row.expires_at),
    status: text(row.status),
    decision_at: orNull(row.decision_at),
    decision_by_channel: orNull(row.decision_by_channel),
    decision_by_sender: orNull(row.decision_by_sender),
    request_extra: orNull(row.request_extra),
  };
}
