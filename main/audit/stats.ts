import type { IndexState, Stats, StatsRange } from '../../shared/rpc/audit.ts';
import type { What } from '../db/audit-names.ts';
import { type AuditQueries, UNKNOWN } from '../db/audit-queries.ts';
import type { Sum } from '../db/audit-sums.ts';
import { dayStart, FOREVER, hourStart, monthStart } from './log-time.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const LENGTHS = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY } as const;

type Counts = { approved: number; guard: number; judge: number; other: number };

/**
 * The statistics page's figures (panel page), from the roll-ups. A relative range reaches from exactly that long
 * ago to now; `all` takes every line, a month the lines of its file.
 *
 * @param now Unix ms
 * @param threshold of the judge, to be drawn
 */
export function statsOf(
  queries: AuditQueries,
  range: StatsRange,
  now: number,
  threshold: number,
  index: IndexState,
): Stats {
  const end = now / 1000;
  // The line of this very moment counts, though the clock that is asked may be a little behind the one that wrote it.
  const scope = range in LENGTHS ? { from: end - LENGTHS[range as '24h'], to: end + 1 } : null;
  const month = scope === null && range !== 'all' ? { file: `${range}.jsonl` } : null;
  const sums = queries.sums(scope ?? month ?? FOREVER);
  const starts =
    scope === null
      ? dayStarts(...daysOf(sums, month === null ? null : range, end))
      : range === '24h'
        ? hourStarts(scope.from, end)
        : dayStarts(scope.from, end);
  const buckets = starts.map((start) => ({ start, ...zero() }));
  const executors = new Map<string, Counts>();
  const rules = new Map<string, { rule: string; blocked_by: string; count: number }>();
  const blockedBy = new Map<string, number>();
  const bins = queries.bins(scope ?? month ?? FOREVER);
  const all = zero();

  // By number first, by name after that: the same few things are counted over and over.
  const counted = new Map<number, { what: What; column: keyof Counts; count: number }>();
  for (const sum of sums) {
    let entry = counted.get(sum.what.id);
    if (entry === undefined) {
      entry = { what: sum.what, column: columnOf(sum.what), count: 0 };
      counted.set(sum.what.id, entry);
    }
    entry.count += sum.count;
    const bucket = buckets[lastAtOrBefore(starts, sum.at)];
    if (bucket !== undefined) bucket[entry.column] += sum.count;
  }
  for (const { what, column, count } of counted.values()) {
    all[column] += count;
    const executor = executors.get(what.executor) ?? zero();
    executors.set(what.executor, executor);
    executor[column] += count;
    if (what.approved) continue;
    const by = what.blocked_by ?? UNKNOWN;
    blockedBy.set(by, (blockedBy.get(by) ?? 0) + count);
    const rule = what.rule ?? UNKNOWN;
    const entry = rules.get(`${by}\n${rule}`) ?? { rule, blocked_by: by, count: 0 };
    rules.set(`${by}\n${rule}`, entry);
    entry.count += count;
  }
  return {
    range,
    total: totalOf(all),
    approved: all.approved,
    denied: totalOf(all) - all.approved,
    blocked_by: Object.fromEntries(blockedBy),
    events: queries.events(scope ?? month ?? FOREVER),
    over_time: { step: range === '24h' ? 'hour' : 'day', buckets },
    by_executor: [...executors]
      .map(([executor, counts]) => ({ executor, total: totalOf(counts), ...counts }))
      .sort((a, b) => b.total - a.total || compare(a.executor, b.executor)),
    by_rule: [...rules.values()].sort((a, b) => b.count - a.count || compare(a.rule, b.rule)),
    scores: { bins, threshold },
    months: queries.months(),
    index,
  };
}

function columnOf(what: What): keyof Counts {
  if (what.approved) return 'approved';
  return what.blocked_by === 'guard' || what.blocked_by === 'judge' ? what.blocked_by : 'other';
}

/** First and last moment to be drawn: where rows are, and the month itself up to today, so that a silence shows. */
function daysOf(sums: readonly Sum[], month: string | null, now: number): [number, number] {
  let first = month === null ? now : monthStart(month);
  let last = month === null ? now : Math.max(first, Math.min(now, monthStart(month, 1) - 1));
  for (const { at } of sums) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  return [first, last];
}

function dayStarts(from: number, to: number): number[] {
  const starts: number[] = [];
  for (let day = 0, start = dayStart(from); start <= to; start = dayStart(from, ++day)) starts.push(start);
  return starts;
}

function hourStarts(from: number, to: number): number[] {
  const starts: number[] = [];
  for (let start = hourStart(from); start <= to; start += HOUR) starts.push(start);
  return starts;
}

/** Index of the bucket that holds `at`; -1 before the first. */
function lastAtOrBefore(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function zero(): Counts {
  return { approved: 0, guard: 0, judge: 0, other: 0 };
}

function totalOf({ approved, guard, judge, other }: Counts): number {
  return approved + guard + judge + other;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
