import type { TurnRow } from '../../../shared/domain/turn.ts';

/** A turn of which nothing was heard for longer is not said to run, ms. */
export const QUIET_MS = 10 * 60_000;

export const KINDS = ['answer', 'ask', 'error', 'loop_break'] as const;
export type TurnKind = (typeof KINDS)[number] | 'running' | 'none';

/** How a turn stands; another text of the log is given as it is. */
export function kindOf(
  row: Pick<TurnRow, 'final_kind' | 'end_ms' | 'last_ms'>,
  now: number,
): TurnKind | { other: string } {
  const known = KINDS.find((kind) => kind === row.final_kind);
  if (known !== undefined) return known;
  if (row.final_kind !== null) return { other: row.final_kind };
  return row.end_ms === null && now - row.last_ms < QUIET_MS ? 'running' : 'none';
}

function before(one: TurnRow, other: TurnRow): boolean {
  return one.at_ms > other.at_ms || (one.at_ms === other.at_ms && one.key > other.key);
}

/**
 * Rows (newest first) with those that have changed: one that is shown is shown as it is now, a new one comes to
 * its place.
 *
 * @param more older turns are there that are not loaded; a new row that belongs among them is left to scrolling
 * @param open a new row is shown without being asked about: there is no filter that it might not pass
 * @returns `unknown` when there were new rows that only the engine can say whether they are to be shown
 */
export function mergeRows(
  rows: readonly TurnRow[],
  changed: readonly TurnRow[],
  { more, open }: { more: boolean; open: boolean },
): { rows: TurnRow[]; unknown: boolean } {
  const byKey = new Map(changed.map((row) => [row.key, row]));
  const merged = rows.map((row) => {
    const now = byKey.get(row.key);
    byKey.delete(row.key);
    return now ?? row;
  });
  if (!open) return { rows: merged, unknown: byKey.size > 0 };
  const last = rows.at(-1);
  for (const row of byKey.values()) {
    if (more && last !== undefined && before(last, row)) continue;
    const place = merged.findIndex((each) => before(row, each));
    merged.splice(place === -1 ? merged.length : place, 0, row);
  }
  return { rows: merged, unknown: false };
}

/** Adds the page behind the last row; a turn that moved meanwhile is not shown twice. */
export function addOlder(rows: readonly TurnRow[], older: readonly TurnRow[]): TurnRow[] {
  const known = new Set(rows.map(({ key }) => key));
  return [...rows, ...older.filter(({ key }) => !known.has(key))];
}

/** A span as a person says it: `80 ms`, `1.8 s`, `12 s`, `3 min 5 s`, `1 h 2 min`; null for one that is not known or runs backwards. */
export function tookText(from: number | null, to: number | null, language: 'en' | 'it'): string | null {
  if (from === null || to === null || to < from) return null;
  const seconds = (to - from) / 1000;
  if (seconds < 1) return `${Math.round(to - from)} ms`;
  if (seconds < 10) return `${seconds.toLocaleString(language, { maximumFractionDigits: 1 })} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
