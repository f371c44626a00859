import type { AutonomyLevel } from '../../shared/domain/capability.ts';
import { autonomyLevelSchema } from '../../shared/domain/capability.ts';
import { type LevelChange, type LevelScope, levelChangeSchema } from '../../shared/domain/level.ts';
import type { ReadDb, WriteDb } from './open.ts';

export interface NewLevelChange {
  /** Unix time, ms. */
  at: number;
  who: string;
  scope: LevelScope;
  from: string;
  to: AutonomyLevel;
  /** `set` when absent. */
  why?: LevelChange['why'];
  /** End of a rise for a limited time, Unix time, ms. */
  until_ms?: number | null;
}

interface Row {
  id: number;
  at: number;
  who: string;
  scope_kind: string;
  channel: string | null;
  sender_id: string | null;
  from_level: string;
  to_level: string;
  why: string;
  until_ms: number | null;
}

/** Records a change that is about to be made; it is in no history until it is marked as done. */
export function beginLevelChange(db: WriteDb, change: NewLevelChange): number {
  const { scope } = change;
  const [channel, sender] = scope.kind === 'pairing' ? [scope.channel, scope.sender_id] : [null, null];
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO level_changes (at, who, scope_kind, channel, sender_id, from_level, to_level, why, until_ms, done)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0)`,
    )
    .run(
      change.at,
      change.who,
      scope.kind,
      channel,
      sender,
      change.from,
      change.to,
      change.why ?? 'set',
      change.until_ms ?? null,
    );
  return Number(lastInsertRowid);
}

export function finishLevelChange(db: WriteDb, id: number): void {
  db.prepare('UPDATE level_changes SET done = 1 WHERE id = ?').run(id);
}

/** For a change that was not made after all. */
export function dropLevelChange(db: WriteDb, id: number): void {
  db.prepare('DELETE FROM level_changes WHERE id = ? AND done = 0').run(id);
}

/** Changes whose maker did not live to say whether they were made, oldest first. */
export function unfinishedLevelChanges(db: ReadDb): LevelChange[] {
  return (db.prepare('SELECT * FROM level_changes WHERE done = 0 ORDER BY id').all() as Row[]).map(toChange);
}

/** Newest first. */
export function listLevelChanges(db: ReadDb, limit: number): LevelChange[] {
  const rows = db.prepare('SELECT * FROM level_changes WHERE done = 1 ORDER BY id DESC LIMIT ?').all(limit);
  return (rows as Row[]).map(toChange);
}

function toChange(row: Row): LevelChange {
  const { id, at, who, scope_kind, channel, sender_id, from_level, to_level, until_ms } = row;
  const scope: LevelScope =
    scope_kind === 'pairing'
      ? { kind: 'pairing', channel: channel ?? '', sender_id: sender_id ?? '' }
      : { kind: 'default' };
  const why = levelChangeSchema.shape.why.catch('set').parse(row.why);
  return { id, at, who, scope, from: from_level, to: autonomyLevelSchema.parse(to_level), why, until_ms };
}
