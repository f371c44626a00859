import type { CountFilter, CountKey, Counts } from '../../shared/rpc/audit.ts';
import { type AuditQueries, wantedOf } from '../db/audit-queries.ts';
import type { Sum } from '../db/audit-sums.ts';
import { FOREVER } from './log-time.ts';

const NUL = '\0';

/**
 * Verdicts counted by several things at once (panel page, "Statistics"), from the roll-ups; exact to the row at
 * both ends of a time range.
 */
export function countsOf(queries: AuditQueries, by: readonly CountKey[], filter: CountFilter): Counts {
  const scope = { from: filter.from_ts ?? FOREVER.from, to: filter.to_ts ?? FOREVER.to };
  const wanted = wantedOf(filter);
  const timed = by.some((key) => key === 'day' || key === 'hour' || key === 'month');
  const texts = new Map<number, string>();
  const found = new Map<string, { keys: (string | null)[]; count: number }>();
  let total = 0;
  for (const sum of queries.sums(scope)) {
    if (!wanted(sum.what)) continue;
    total += sum.count;
    const keys = by.map((key) => keyOf(sum, key, texts));
    const text = keys.join(NUL);
    const entry = found.get(text);
    if (entry === undefined) found.set(text, { keys, count: sum.count });
    else entry.count += sum.count;
  }
  const rows = [...found.values()].sort((a, b) => (timed ? 0 : b.count - a.count) || compareKeys(a.keys, b.keys, by));
  return { rows, total };
}

function keyOf(sum: Sum, key: CountKey, texts: Map<number, string>): string | null {
  switch (key) {
    case 'executor':
      return sum.what.executor;
    case 'blocked_by':
      return sum.what.blocked_by;
    case 'rule':
      return sum.what.rule;
    case 'outcome':
      return sum.what.approved ? 'approved' : 'denied';
    case 'hour':
      return localHour(sum.at, texts);
    case 'day':
      return localHour(sum.at, texts).slice(0, 10);
    case 'month':
      return localHour(sum.at, texts).slice(0, 7);
    default:
      return key satisfies never;
  }
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

function compareKeys(a: (string | null)[], b: (string | null)[], by: readonly CountKey[]): number {
  // Times first, whichever place they have in the answer.
  const order = by.map((_, n) => n).sort((x, y) => Number(isTime(by[y])) - Number(isTime(by[x])) || x - y);
  for (const n of order) {
    const [left, right] = [a[n] ?? '', b[n] ?? ''];
    if (left !== right) return left < right ? -1 : 1;
  }
  return 0;
}

function isTime(key: CountKey | undefined): boolean {
  return key === 'day' || key === 'hour' || key === 'month';
}
