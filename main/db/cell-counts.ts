import { type Fate, fateOf } from './cell-fate.ts';
import type { NewDecision } from './decisions.ts';
import type { ReadDb, WriteDb } from './open.ts';

/**
 * Kept answers counted by quarters of a day, so that how often a cell fired does not cost a look at each of them
 * (panel.db, `cell_counts`). Who asked is kept, since a level is somebody's.
 */
export interface CellCount {
  /** Quarters of a day since 1970, UTC. */
  slot: number;
  channel: string;
  sender_id: string;
  capability: string;
  level: string;
  fate: Fate;
  calls: number;
}

export const SLOT_MS = 6 * 3_600_000;

type Counted = [number, string, string, string, string, string, number];

const INSERT = `INSERT INTO cell_counts (slot, channel, sender_id, capability, level, fate, calls) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`;

/** Adds answers that are kept in the same transaction; those of one slot and kind are one write. */
export function addCellCounts(db: WriteDb, decisions: readonly NewDecision[]): void {
  const sums = new Map<string, Counted>();
  for (const one of decisions) {
    const fate = fateOf(one);
    if (fate === null || one.capability === null || one.level === null) continue;
    const slot = slotOf(one.at);
    const key = JSON.stringify([slot, one.channel, one.sender_id, one.capability, one.level, fate]);
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, [slot, one.channel, one.sender_id, one.capability, one.level, fate, 1]);
    else sum[6] += 1;
  }
  if (sums.size === 0) return;
  const insert = db.prepare(INSERT);
  for (const sum of sums.values()) insert.run(...sum);
}

/**
 * Counts of the slot that holds `fromMs` (Unix ms) and of all later ones, a part at a time in their order.
 *
 * @param after the last one of the part before; null for the first part
 */
export function cellCounts(db: ReadDb, fromMs: number, after: CellCount | null, limit: number): CellCount[] {
  const from = after ?? { slot: slotOf(fromMs), channel: '', sender_id: '', capability: '', level: '', fate: '' };
  const rows = db
    .prepare(
      `SELECT slot, channel, sender_id, capability, level, fate, calls FROM cell_counts
       WHERE (slot, channel, sender_id, capability, level, fate) > (?, ?, ?, ?, ?, ?)
       ORDER BY slot, channel, sender_id, capability, level, fate LIMIT ?`,
    )
    .all(from.slot, from.channel, from.sender_id, from.capability, from.level, from.fate, limit);
  return rows as CellCount[];
}

/** The slot of an instant in Unix ms. */
export function slotOf(ms: number): number {
  return Math.floor(ms / SLOT_MS);
}

/** Drops slots that ended before `before` (Unix ms); one that is half over stays. */
export function pruneCellCounts(db: WriteDb, before: number): void {
  db.prepare('DELETE FROM cell_counts WHERE slot < ?').run(slotOf(before));
}
