import type { CountFilter, CountKey, Counts } from '../../shared/rpc/audit.ts';
import type { What } from '../db/audit-names.ts';
import { type AuditQueries, wantedOf } from '../db/audit-queries.ts';
import { FOREVER } from './log-time.ts';

const NUL = '\0';

/**
 * Verdicts counted by several things at once (panel page, "Statistics"), from the roll-ups; exact to the row at
 * both ends of a time range.
 */
export function countsOf(queries: AuditQueries, by: readonly CountKey[], filter: CountFilter): Counts {
  const scope = { from: filter.from_ts ?? FOREVER.from, to: filter.to_ts ?? FOREVER.to };
  const wanted = wantedOf(filter);
  const texts = new Map<number, string>();
  const groups = new Map<number, Group>();
  const byName = new Map<string, Group>();
  /** By time, which is empty where nothing is counted by it, then by the group's place. */
  const found = new Map<string, number[]>();
  const sums = by.includes('hour') ? queries.fineSums(scope.from, scope.to) : queries.sums(scope);
  let total = 0;
  let lastAt = Number.NaN;
  let ofTime: number[] = [];
  for (const { what, at, count } of sums) {
    let group = groups.get(what.id);
    if (group === undefined) {
      group = groupOf(what, by, byName, wanted(what));
      groups.set(what.id, group);
    }
    if (!group.wanted) continue;
    total += count;
    if (at !== lastAt) {
      lastAt = at;
      const time = timeOf(at, by, texts);
      ofTime = found.get(time) ?? [];
      found.set(time, ofTime);
    }
    ofTime[group.place] = (ofTime[group.place] ?? 0) + count;
  }
  const times = [...found].sort(([a], [b]) => compare(a, b));
  const isTimed = by.some(isTime);
  const byRank = [...byName.values()].sort((a, b) => compare(a.name, b.name));
  const rows = times.flatMap(([time, counts]) => {
    const countOf = ({ place }: Group): number => counts[place] ?? 0;
    const counted = byRank.filter((group) => countOf(group) > 0);
    if (!isTimed) counted.sort((a, b) => countOf(b) - countOf(a));
    return counted.map((group) => ({
      keys: by.map((key, n) => group.keys[n] ?? timeKey(time, key)),
      count: countOf(group),
    }));
  });
  return { rows, total };
}

/** Verdicts that agree in all that is asked for but the time. */
interface Group {
  name: string;
  /** Among all, in the order in which they were met. */
  place: number;
  keys: (string | null)[];
  wanted: boolean;
}

function groupOf(what: What, by: readonly CountKey[], known: Map<string, Group>, wanted: boolean): Group {
  const keys = by.map((key) => keyOf(what, key));
  const name = `${wanted}${NUL}${keys.map((key) => key ?? '').join(NUL)}${NUL}${keys.map((key) => key === null).join()}`;
  const group = known.get(name) ?? { name, place: known.size, keys, wanted };
  known.set(name, group);
  return group;
}

/** null for a time, which is no matter of what was counted, and for what the line does not say. */
function keyOf(what: What, key: CountKey): string | null {
  switch (key) {
    case 'executor':
      return what.executor;
    case 'blocked_by':
      return what.blocked_by;
    case 'rule':
      return what.rule;
    case 'outcome':
      return what.approved ? 'approved' : 'denied';
    case 'hour':
    case 'day':
    case 'month':
      return null;
    default:
      return key satisfies never;
  }
}

const LENGTHS = { month: 7, day: 10, hour: 13 } as const;

function isTime(key: CountKey): key is keyof typeof LENGTHS {
  return key === 'day' || key === 'hour' || key === 'month';
}

function timeKey(time: string, key: CountKey): string | null {
  return isTime(key) ? time.slice(0, LENGTHS[key]) : null;
}

/** The finest of the times that are asked for; empty for none. */
function timeOf(at: number, by: readonly CountKey[], texts: Map<number, string>): string {
  let length = 0;
  for (const key of by) if (isTime(key)) length = Math.max(length, LENGTHS[key]);
  return length === 0 ? '' : localHour(at, texts).slice(0, length);
}

/** @param texts what was written before, by time: a roll-up's time comes many times */
function localHour(at: number, texts: Map<number, string>): string {
  const known = texts.get(at);
  if (known !== undefined) return known;
  const date = new Date(at * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const text = `${day}T${two(date.getHours())}`;
  texts.set(at, text);
  return text;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
