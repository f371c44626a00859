import type { Statement } from 'better-sqlite3';
import { z } from 'zod';
import type { AutonomyLevel, CapabilityName } from '../../shared/domain/capability.ts';
import { type DecisionRow, decisionRowSchema } from '../../shared/domain/decision.ts';
import { addCellCounts, pruneCellCounts } from './cell-counts.ts';
import { fateOf } from './cell-fate.ts';
import type { ReadDb, WriteDb } from './open.ts';

/** Kept answers (pipeline page; panel.db, `decisions`). */
export type NewDecision = Omit<DecisionRow, 'id'>;

export interface DecisionFilter {
  limit: number;
  before?: number | undefined;
  channel?: string | undefined;
  sender_id?: string | undefined;
  capability?: string | undefined;
  decision?: string | undefined;
  turn_id?: string | undefined;
  verdict_ts?: number | undefined;
  approval_token?: string | undefined;
  from_ms?: number | undefined;
}

/** By position: binding so many values by name takes a third longer. */
const INSERT = `INSERT INTO decisions (at, channel, sender_id, executor, capability, target, level, decision, stage, rule,
  decided_by, stages, verdict_ts, grant_id, approval_token, turn_id, step, error, fate)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const inserts = new WeakMap<object, Statement>();

export function insertDecisions(db: WriteDb, decisions: readonly NewDecision[]): void {
  let insert = inserts.get(db);
  if (insert === undefined) {
    insert = db.prepare(INSERT);
    inserts.set(db, insert);
  }
  for (const one of decisions) {
    insert.run(
      one.at,
      one.channel,
      one.sender_id,
      one.executor,
      one.capability,
      one.target,
      one.level,
      one.decision,
      one.stage,
      one.rule,
      one.decided_by,
      JSON.stringify(one.stages),
      one.verdict_ts,
      one.grant_id,
      one.approval_token,
      one.turn_id,
      one.step,
      one.error,
      fateOf(one),
    );
  }
  addCellCounts(db, decisions);
}

/** Newest first; one more than `limit` tells that there are more. */
export function listDecisions(db: ReadDb, filter: DecisionFilter): DecisionRow[] {
  const { limit, before, from_ms, ...equal } = filter;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  for (const [column, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    conditions.push(`${column} = ?`);
    values.push(value);
  }
  if (before !== undefined) {
    conditions.push('id < ?');
    values.push(before);
  }
  if (from_ms !== undefined) {
    conditions.push('at >= ?');
    values.push(from_ms);
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  const rows = db.prepare(`SELECT * FROM decisions ${where} ORDER BY id DESC LIMIT ?`).all(...values, limit + 1);
  return rows.flatMap((row) => toRow(row as Record<string, unknown>));
}

/** Calls that a cell of the matrix answered, newest first. */
export function listCellDecisions(
  db: ReadDb,
  cell: { level: AutonomyLevel; capability: CapabilityName },
  limit: number,
): DecisionRow[] {
  const select =
    'SELECT * FROM decisions WHERE level = ? AND capability = ? AND fate IS NOT NULL ORDER BY id DESC LIMIT ?';
  const rows = db.prepare(select).all(cell.level, cell.capability, limit);
  return rows.flatMap((row) => toRow(row as Record<string, unknown>));
}

/** Where a part of a list ended. */
export interface DecisionPlace {
  at: number;
  id: number;
}

/**
 * Answers to one sender for one capability, newest first, a part at a time.
 *
 * @param fromMs Unix time, ms, inclusive
 * @param before where the part before ended; null for the first part
 * @returns `looked_at` counts also rows of a version that we do not know, which are left out; `last` is null without any
 */
export function listScopeDecisions(
  db: ReadDb,
  scope: { channel: string; sender_id: string; capability: string },
  fromMs: number,
  before: DecisionPlace | null,
  limit: number,
): { rows: DecisionRow[]; looked_at: number; last: DecisionPlace | null } {
  const { at, id } = before ?? { at: Number.MAX_SAFE_INTEGER, id: 0 };
  const found = db
    .prepare(
      `SELECT * FROM decisions WHERE channel = ? AND sender_id = ? AND capability = ? AND at >= ? AND (at, id) < (?, ?)
       ORDER BY at DESC, id DESC LIMIT ?`,
    )
    .all(scope.channel, scope.sender_id, scope.capability, fromMs, at, id, limit) as Record<string, unknown>[];
  const last = found.at(-1);
  return {
    rows: found.flatMap(toRow),
    looked_at: found.length,
    last: last === undefined ? null : { at: Number(last.at), id: Number(last.id) },
  };
}

/** Time of the oldest kept answer, Unix ms; null when there is none. */
export function oldestDecision(db: ReadDb): number | null {
  return db.prepare('SELECT min(at) FROM decisions').pluck().get() as number | null;
}

const stagesSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue('no JSON');
    return z.NEVER;
  }
});
const storedSchema = decisionRowSchema.extend({ stages: stagesSchema.pipe(decisionRowSchema.shape.stages) });

/** A row of a version that we do not know is left out. */
function toRow(row: Record<string, unknown>): DecisionRow[] {
  const { success, data } = storedSchema.safeParse(row);
  return success ? [data] : [];
}

/** @param before Unix time, ms; a part at a time, so that no other write waits long @returns rows that went */
export function pruneDecisions(db: WriteDb, before: number, most: number): number {
  pruneCellCounts(db, before);
  return db
    .prepare('DELETE FROM decisions WHERE id IN (SELECT id FROM decisions WHERE at < ? ORDER BY at LIMIT ?)')
    .run(before, most).changes;
}
