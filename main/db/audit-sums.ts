import { createNameReader, type What } from './audit-names.ts';
import { binsOf, pairsOf } from './audit-rollup.ts';
import { type Counted, scoreBin } from './audit-store.ts';
import type { ReadDb } from './open.ts';

/**
 * Sums of the audit index (quality page, "statistics of the whole index"). Whole local days come from memory, where
 * they are kept along with the index; the hours at both ends from the roll-ups, what is left from the rows. So any
 * range costs about the same, however many rows lie in it.
 */

/** `count` verdicts that agree in everything else. `at` lies in the roll-up they fell in, Unix seconds. */
export interface Sum {
  at: number;
  what: What;
  count: number;
}

/** One file, or from `from` (inclusive) to `to` (exclusive), Unix seconds, exact to the row. */
export type Scope = { file: string } | { from: number; to: number };

export interface AuditSums {
  sums(scope: Scope): Sum[];
  /** As fine as the roll-ups are, where `sums` knows whole days. */
  fineSums(from: number, to: number): Sum[];
  /** Twenty bins of scores; guard blocks are not in it. */
  bins(scope: Scope): number[];
  /** Local days with verdicts of some kinds, newest first, and whether all of these are denied. */
  days(wanted: (what: What) => boolean): { list: { start: number; count: number }[]; allDenied: boolean };
  /** Reads what the first question would have to wait for. */
  warm(): void;
  /** Takes in what a batch added; null: begin anew. */
  take(counted: Counted | null): void;
}

export interface SumsOptions {
  /** Width of a roll-up, seconds, as the index was made with. */
  unit: number;
  /** Unix seconds of the local midnight of the day that holds `at`, plus some days. */
  dayStart: (at: number, plusDays?: number) => number;
}

interface Day {
  start: number;
  /** By file, then by what. */
  sums: Map<number, Map<number, Sum>>;
  bins: Map<number, number[]>;
}

export function createAuditSums(db: ReadDb, { unit, dayStart }: SumsOptions): AuditSums {
  const names = createNameReader(db);
  const all = db.prepare('SELECT slot, file_id, whats, bins FROM stats_hour').raw();
  const hours = db.prepare('SELECT slot, file_id, whats, bins FROM stats_hour WHERE slot >= ? AND slot < ?').raw();
  const rows = db
    .prepare(`SELECT v.at, k.what_id, s.score FROM verdicts v CROSS JOIN log_files f ON f.id = v.file_id
      CROSS JOIN log_kinds k ON k.id = v.kind_id CROSS JOIN log_says s ON s.id = v.say_id
      WHERE v.at >= ? AND v.at < ? AND f.name NOT LIKE 'gone:%'`)
    .raw();
  const fileId = db.prepare('SELECT id FROM log_files WHERE name = ?').pluck();
  let days: Map<number, Day> | null = null;
  const dayOfSlot = new Map<number, number>();

  const dayOf = (slot: number): Day => {
    let start = dayOfSlot.get(slot);
    if (start === undefined) {
      start = dayStart(slot * unit);
      if (dayOfSlot.size > 100_000) dayOfSlot.clear();
      dayOfSlot.set(slot, start);
    }
    const all = days as Map<number, Day>;
    let day = all.get(start);
    if (day === undefined) {
      day = { start, sums: new Map(), bins: new Map() };
      all.set(start, day);
    }
    return day;
  };
  const addSum = (slot: number, file: number, what: number, count: number): void => {
    const day = dayOf(slot);
    let ofFile = day.sums.get(file);
    if (ofFile === undefined) {
      ofFile = new Map();
      day.sums.set(file, ofFile);
    }
    const sum = ofFile.get(what);
    if (sum === undefined) ofFile.set(what, { at: day.start, what: names.what(what), count });
    else sum.count += count;
  };
  const addBins = (slot: number, file: number, bins: readonly number[]): void => {
    const day = dayOf(slot);
    const ofFile = day.bins.get(file) ?? new Array<number>(20).fill(0);
    day.bins.set(file, ofFile);
    for (const [bin, count] of bins.entries()) ofFile[bin] = (ofFile[bin] ?? 0) + count;
  };
  const load = (): Map<number, Day> => {
    if (days !== null) return days;
    days = new Map();
    for (const [slot, file, whats, bins] of all.all() as RollUp[]) {
      for (const [what, count] of pairsOf(whats)) addSum(slot, file, what, count);
      addBins(slot, file, binsOf(bins));
    }
    return days;
  };

  /** A stretch as whole roll-ups, and as rows where they do not fit. */
  const addEdges = (parts: Pick<Parts, 'slots' | 'rows'>, start: number, end: number): void => {
    if (start >= end) return;
    const first = Math.ceil(start / unit);
    const last = Math.max(first, Math.floor(end / unit));
    parts.slots.push([first, last]);
    const edges = [
      [start, Math.min(end, first * unit)],
      [Math.max(start, last * unit), end],
    ] as const;
    for (const [a, b] of edges) if (a < b) parts.rows.push([a, b]);
  };

  /** A range as whole days, stretches of whole roll-ups, and stretches of rows. */
  const partsOf = (from: number, to: number): Parts => {
    const parts: Parts = { days: [], slots: [], rows: [] };
    const whole = [...load().values()].filter((day) => day.start >= from && dayStart(day.start, 1) <= to);
    parts.days = whole;
    const firstDay = dayStart(from) === from ? from : dayStart(from, 1);
    const lastDay = Math.max(firstDay, dayStart(to));
    addEdges(parts, from, Math.min(to, firstDay));
    addEdges(parts, Math.max(from, lastDay), to);
    return parts;
  };

  const addParts = (found: Sum[], { slots, rows: edges }: Pick<Parts, 'slots' | 'rows'>): void => {
    for (const [first, last] of slots)
      for (const [slot, , whats] of hours.all(first, last) as RollUp[])
        for (const [what, count] of pairsOf(whats)) found.push({ at: slot * unit, what: names.what(what), count });
    for (const [from, to] of edges)
      for (const [at, what] of rows.all(from, to) as [number, number][])
        found.push({ at, what: names.what(what), count: 1 });
  };

  const sums = (scope: Scope): Sum[] => {
    const found: Sum[] = [];
    if ('file' in scope) {
      const id = (fileId.get(scope.file) as number | undefined) ?? -1;
      for (const day of load().values()) for (const sum of day.sums.get(id)?.values() ?? []) found.push(sum);
      return found;
    }
    const parts = partsOf(scope.from, scope.to);
    for (const day of parts.days)
      for (const ofFile of day.sums.values()) for (const sum of ofFile.values()) found.push(sum);
    addParts(found, parts);
    return found;
  };

  return {
    sums,
    fineSums(from, to) {
      const parts: Parts = { days: [], slots: [], rows: [] };
      addEdges(parts, from, to);
      const found: Sum[] = [];
      addParts(found, parts);
      return found;
    },
    bins(scope) {
      const bins = new Array<number>(20).fill(0);
      const add = (bin: number, count: number): void => {
        if (bin >= 0) bins[bin] = (bins[bin] ?? 0) + count;
      };
      if ('file' in scope) {
        const id = (fileId.get(scope.file) as number | undefined) ?? -1;
        for (const day of load().values()) for (const [bin, n] of (day.bins.get(id) ?? []).entries()) add(bin, n);
        return bins;
      }
      const parts = partsOf(scope.from, scope.to);
      for (const day of parts.days)
        for (const ofFile of day.bins.values()) for (const [bin, n] of ofFile.entries()) add(bin, n);
      for (const [first, last] of parts.slots)
        for (const [, , , text] of hours.all(first, last) as RollUp[])
          for (const [bin, n] of binsOf(text).entries()) add(bin, n);
      for (const [from, to] of parts.rows)
        for (const [, what, score] of rows.all(from, to) as [number, number, number | null][]) {
          const { approved, blocked_by } = names.what(what);
          if (approved || blocked_by !== 'guard') add(scoreBin(score), 1);
        }
      return bins;
    },
    days(wanted) {
      const list: { start: number; count: number }[] = [];
      let allDenied = true;
      for (const day of load().values()) {
        let count = 0;
        for (const ofFile of day.sums.values())
          for (const sum of ofFile.values()) {
            if (!wanted(sum.what)) continue;
            count += sum.count;
            if (sum.what.approved) allDenied = false;
          }
        if (count > 0) list.push({ start: day.start, count });
      }
      return { list: list.sort((a, b) => b.start - a.start), allDenied };
    },
    warm: () => void load(),
    take(counted) {
      if (counted === null) days = null;
      if (counted === null || days === null) return;
      for (const { slot, file, what, count } of counted.sums) addSum(slot, file, what, count);
      for (const { slot, file, bins } of counted.bins) addBins(slot, file, bins);
    },
  };
}

type RollUp = [slot: number, file: number, whats: string, bins: string];
interface Parts {
  days: Day[];
  slots: [number, number][];
  rows: [number, number][];
}
