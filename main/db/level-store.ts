import type { Statement } from 'better-sqlite3';
import { type AutonomyLevel, autonomyLevelSchema } from '../../shared/domain/capability.ts';
import type { LevelScope } from '../../shared/domain/level.ts';
import type { ReadDb, WriteDb } from './open.ts';

/** A rise that ends by itself (panel.db, `timed_levels`). */
export interface TimedLevel {
  scope: LevelScope;
  level: AutonomyLevel;
  falls_back_to: AutonomyLevel;
  /** Unix time, ms. */
  until_ms: number;
}

/** The freeze in force (panel.db, `freeze` and `frozen_levels`). */
export interface StoredFreeze {
  since_ms: number;
  who: string;
  /** JSON, as the caller wrote it. */
  requests: string;
  levels: { scope: LevelScope; level: AutonomyLevel }[];
}

/** All that panel.db holds about levels, but for the record of changes. */
export interface LevelFacts {
  /** As stored, whatever text that is; null when none was ever set. */
  default_level: string | null;
  timed: TimedLevel[];
  freeze: StoredFreeze | null;
}

export const DEFAULT_LEVEL_KEY = 'default_level';

interface Statements {
  setting: Statement;
  timed: Statement;
  freeze: Statement;
  frozen: Statement;
}

const prepared = new WeakMap<object, Statements>();

function statementsOf(db: ReadDb): Statements {
  let statements = prepared.get(db);
  if (statements === undefined) {
    statements = {
      setting: db.prepare('SELECT value FROM settings WHERE key = ?').pluck(),
      timed: db.prepare('SELECT * FROM timed_levels'),
      freeze: db.prepare('SELECT since_ms, who, requests FROM freeze'),
      frozen: db.prepare('SELECT * FROM frozen_levels ORDER BY channel, sender_id'),
    };
    prepared.set(db, statements);
  }
  return statements;
}

const scopeOf = (row: { channel: string; sender_id: string }): LevelScope =>
  row.channel === '' ? { kind: 'default' } : { kind: 'pairing', channel: row.channel, sender_id: row.sender_id };

/** `channel` and `sender_id` of a scope as the tables have them. */
const keysOf = (scope: LevelScope): [string, string] =>
  scope.kind === 'default' ? ['', ''] : [scope.channel, scope.sender_id];

/** Rows with a level that we do not know are left out: nothing rises because of them. */
export function readLevelFacts(db: ReadDb): LevelFacts {
  const { setting, timed, freeze, frozen } = statementsOf(db);
  const known = (text: unknown): AutonomyLevel | null => autonomyLevelSchema.safeParse(text).data ?? null;
  const stored = setting.get(DEFAULT_LEVEL_KEY);
  const rows = timed.all() as {
    channel: string;
    sender_id: string;
    level: string;
    falls_back_to: string;
    until_ms: number;
  }[];
  const row = freeze.get() as { since_ms: number; who: string; requests: string } | undefined;
  const levels = row === undefined ? [] : (frozen.all() as { channel: string; sender_id: string; level: string }[]);
  return {
    default_level: typeof stored === 'string' ? stored : null,
    timed: rows.flatMap((one) => {
      const level = known(one.level);
      if (level === null) return [];
      return [
        { scope: scopeOf(one), level, falls_back_to: known(one.falls_back_to) ?? 'ReadOnly', until_ms: one.until_ms },
      ];
    }),
    freeze:
      row === undefined
        ? null
        : {
            ...row,
            levels: levels.flatMap((one) => {
              const level = known(one.level);
              return level === null ? [] : [{ scope: scopeOf(one), level }];
            }),
          },
  };
}

/** Puts the end of a rise in the place of an earlier one. */
export function writeTimedLevel(db: WriteDb, { scope, level, falls_back_to, until_ms }: TimedLevel): void {
  db.prepare(
    `INSERT INTO timed_levels (channel, sender_id, level, falls_back_to, until_ms) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (channel, sender_id) DO UPDATE SET level = excluded.level, falls_back_to = excluded.falls_back_to,
       until_ms = excluded.until_ms`,
  ).run(...keysOf(scope), level, falls_back_to, until_ms);
}

export function dropTimedLevel(db: WriteDb, scope: LevelScope): void {
  db.prepare('DELETE FROM timed_levels WHERE channel = ? AND sender_id = ?').run(...keysOf(scope));
}

/** Keeps the beginning of a freeze that is in force already, and what it has to bring back. */
export function writeFreeze(db: WriteDb, { since_ms, who, requests, levels }: StoredFreeze): void {
  db.prepare(
    `INSERT INTO freeze (id, since_ms, who, requests) VALUES (1, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET requests = excluded.requests`,
  ).run(since_ms, who, requests);
  const keep = db.prepare('INSERT OR IGNORE INTO frozen_levels (channel, sender_id, level) VALUES (?, ?, ?)');
  for (const { scope, level } of levels) keep.run(...keysOf(scope), level);
}

export function dropFrozenLevel(db: WriteDb, scope: LevelScope): void {
  db.prepare('DELETE FROM frozen_levels WHERE channel = ? AND sender_id = ?').run(...keysOf(scope));
}

export function dropFreeze(db: WriteDb): void {
  db.exec('DELETE FROM frozen_levels; DELETE FROM freeze;');
}
