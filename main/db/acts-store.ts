import { statSync } from 'node:fs';
import type { Act, ActKind } from '../../shared/domain/integrity.ts';
import { isMissingTable, openDatabase, type ReadDb, type WriteDb } from './open.ts';

/** Operator acts in the record (panel.db, `acts`), and where they are taken from: what was done is written there first. */
export type NewAct = Omit<Act, 'id'>;
export interface StoredAct extends Act {
  link: string;
}

export interface ActsStore {
  /** Ids of the rows that are in the record, as `source/source_id/kind`. */
  known(): Set<string>;
  add(act: NewAct, link: string): void;
  last(): { count: number; link: string | null };
  /** In order. */
  all(): Iterable<StoredAct>;
  page(asked: ActsAsked): { rows: Act[]; more: boolean };
}

export interface ActsAsked {
  kind?: ActKind | undefined;
  from_ts?: number | undefined;
  to_ts?: number | undefined;
  before?: number | undefined;
  limit: number;
}

type Row = Omit<Act, 'facts'> & { facts: string; link: string };

export function actKey({ source, source_id, kind }: Pick<NewAct, 'source' | 'source_id' | 'kind'>): string {
  return `${source}/${source_id}/${kind}`;
}

export function createActsStore(db: WriteDb): ActsStore {
  const known = db.prepare(`SELECT source || '/' || source_id || '/' || kind FROM acts`).pluck();
  const add = db.prepare(
    'INSERT INTO acts (at, kind, who, source, source_id, facts, link) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const last = db.prepare(
    'SELECT count(*) AS count, (SELECT link FROM acts ORDER BY id DESC LIMIT 1) AS link FROM acts',
  );
  const all = db.prepare('SELECT * FROM acts ORDER BY id');
  return {
    known: () => new Set(known.all() as string[]),
    add: ({ at, kind, who, source, source_id, facts }, link) =>
      void add.run(at, kind, who, source, source_id, JSON.stringify(facts), link),
    last: () => last.get() as { count: number; link: string | null },
    *all() {
      for (const row of all.iterate() as Iterable<Row>) yield { ...row, facts: JSON.parse(row.facts) as Act['facts'] };
    },
    page({ kind, from_ts, to_ts, before, limit }) {
      const where = ['1'];
      const values: (string | number)[] = [];
      const add = (sql: string, value: string | number | undefined): void => {
        if (value === undefined) return;
        where.push(sql);
        values.push(value);
      };
      add('kind = ?', kind);
      add('at >= ?', from_ts);
      add('at < ?', to_ts);
      add('(at, id) < (SELECT at, id FROM acts WHERE id = ?)', before);
      const sql = `SELECT * FROM acts WHERE ${where.join(' AND ')} ORDER BY at DESC, id DESC LIMIT ?`;
      const rows = (db.prepare(sql).all(...values, limit + 1) as Row[]).map(({ link: _, ...row }) => ({
        ...row,
        facts: JSON.parse(row.facts) as Act['facts'],
      }));
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    },
  };
}

/** A place that acts are taken from. A missing file or table holds none. */
export interface ActSource {
  name: string;
  /** It is the database that holds the record: where one is, the other is. */
  isOwn: boolean;
  /** Another text whenever something may have changed. */
  stamp(): string;
  /** Every act that stands there now. */
  read(): NewAct[];
}

export function panelActs(db: ReadDb): ActSource {
  const changes = db
    .prepare(`SELECT count(*) || '/' || coalesce(max(id), 0) || '/' ||
      (SELECT count(*) FROM chain_findings WHERE acknowledged_at IS NOT NULL) FROM level_changes WHERE done = 1`)
    .pluck();
  const levels = db.prepare('SELECT * FROM level_changes WHERE done = 1 ORDER BY id');
  const acknowledged = db.prepare('SELECT * FROM chain_findings WHERE acknowledged_at IS NOT NULL ORDER BY id');
  return {
    name: 'panel.db',
    isOwn: true,
    stamp: () => String(changes.get()),
    read: () => [
      ...(levels.all() as Facts[]).map(
        (row): NewAct => ({
          at: Number(row.at) / 1000,
          kind: 'level',
          who: textOf(row.who),
          source: 'panel.db',
          source_id: String(row.id),
          facts: pick(row, ['scope_kind', 'channel', 'sender_id', 'from_level', 'to_level', 'why', 'until_ms']),
        }),
      ),
      ...(acknowledged.all() as Facts[]).map(
        (row): NewAct => ({
          at: Number(row.acknowledged_at),
          kind: 'acknowledge',
          who: textOf(row.acknowledged_by),
          source: 'panel.db',
          source_id: String(row.id),
          facts: pick(row, ['kind', 'file', 'line', 'last_line', 'found_at', 'detail']),
        }),
      ),
    ],
  };
}

/** @param parse of a stored date, Unix ms or null */
export function grantActs(path: string, parse: (text: string) => number | null): ActSource {
  const terms = ['channel', 'sender_id', 'capability', 'target', 'granted_at', 'expires_at', 'granted_by'];
  return {
    name: 'grants.db',
    isOwn: false,
    stamp: () => stampOf(path),
    read: () =>
      readFrom(path, 'SELECT * FROM grants ORDER BY id').flatMap((row): NewAct[] => {
        const base = { source: 'grants.db', source_id: String(row.id) };
        const made: NewAct = {
          ...base,
          at: secondsOf(row.granted_at, parse),
          kind: 'grant',
          who: textOf(row.granted_by),
          facts: pick(row, terms),
        };
        if (row.revoked_at === null) return [made];
        const facts = pick(row, ['channel', 'sender_id', 'capability', 'target', 'revoked_at']);
        return [made, { ...base, at: secondsOf(row.revoked_at, parse), kind: 'revoke', who: null, facts }];
      }),
  };
}

export function approvalActs(path: string, parse: (text: string) => number | null): ActSource {
  const columns = [
    'channel',
    'sender_id',
    'capability_class',
    'action_verb',
    'target_summary',
    'status',
    'decision_at',
  ];
  const who = ['decision_by_channel', 'decision_by_sender'];
  return {
    name: 'approvals.db',
    isOwn: false,
    stamp: () => stampOf(path),
    read: () =>
      readFrom(path, "SELECT * FROM pending WHERE status IN ('approved', 'rejected') ORDER BY created_at, token").map(
        (row) => ({
          at: secondsOf(row.decision_at, parse),
          kind: row.status === 'approved' ? 'approve' : 'reject',
          who: who.map((column) => row[column]).join(':'),
          source: 'approvals.db',
          source_id: String(row.token),
          facts: pick(row, [...columns, ...who]),
        }),
      ),
  };
}

type Facts = Record<string, string | number | null>;

/** Another program's file is opened for the moment of reading alone. */
function readFrom(path: string, sql: string): Facts[] {
  const db = openDatabase(path, { mode: 'read', busyMs: 200 });
  if (db === null) return [];
  try {
    return db.prepare(sql).all() as Facts[];
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  } finally {
    db.close();
  }
}

function stampOf(path: string): string {
  return ['', '-wal']
    .map((end) => {
      const stats = statSync(path + end, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? '' : `${stats.ino}/${stats.size}/${stats.mtimeNs}`;
    })
    .join();
}

function pick(row: Facts, columns: readonly string[]): Act['facts'] {
  return Object.fromEntries(columns.map((column) => [column, plain(row[column])]));
}

/** Another program may have stored anything. */
function plain(value: unknown): string | number | null {
  if (typeof value === 'string' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : value === undefined ? null : String(value);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** 0 for a date that cannot be read: such an act is old rather than new. */
function secondsOf(value: unknown, parse: (text: string) => number | null): number {
  const ms = typeof value === 'string' ? parse(value) : null;
  return ms === null ? 0 : ms / 1000;
}
