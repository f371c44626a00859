import type { Stats, StatsRange } from '../../../shared/rpc/audit.ts';

export const RANGES = ['24h', '7d', '30d', 'all'] as const;
export const PHASES = ['guard', 'judge', 'other'] as const;
export type Phase = (typeof PHASES)[number];

/** Half-open interval in Unix seconds; a missing end is open. */
export interface Interval {
  from?: number;
  to?: number;
}

const LENGTHS: Readonly<Record<string, number>> = { '24h': 86_400, '7d': 7 * 86_400, '30d': 30 * 86_400 };

/**
 * The time that a range covers, as a filter of rows. A relative range reaches from exactly that long
 * ago to now, as the engine counts it; `now` in Unix seconds.
 */
export function intervalOf(range: StatsRange, now: number): Interval {
  const length = LENGTHS[range];
  if (length !== undefined) return { from: Math.floor(now - length) };
  return monthInterval(range) ?? {};
}

/** Local bounds of `YYYY-MM`, null for another text. */
export function monthInterval(range: StatsRange): Required<Interval> | null {
  const found = /^(\d{4})-(\d{2})$/.exec(range);
  if (!found) return null;
  const year = Number(found[1]);
  const month = Number(found[2]) - 1;
  return { from: new Date(year, month, 1).getTime() / 1000, to: new Date(year, month + 1, 1).getTime() / 1000 };
}

/** Interval of one bucket: up to the start of the next one, the last by the calendar (a day may have 23 or 25 hours). */
export function bucketInterval(over: Stats['over_time'], index: number): Required<Interval> | null {
  const bucket = over.buckets[index];
  if (!bucket) return null;
  const next = over.buckets[index + 1];
  if (next) return { from: bucket.start, to: next.start };
  if (over.step === 'hour') return { from: bucket.start, to: bucket.start + 3600 };
  const end = new Date(bucket.start * 1000);
  end.setDate(end.getDate() + 1);
  return { from: bucket.start, to: end.getTime() / 1000 };
}

export interface Tile {
  key: 'total' | 'approved' | Phase | 'unreadable';
  value: number;
  /** Share of all verdicts in [0, 1]; null where a share says nothing. */
  share: number | null;
}

/** The figures on top. `other` appears only when some program wrote another phase. */
export function tilesOf(stats: Stats): Tile[] {
  const share = (n: number) => (stats.total === 0 ? null : n / stats.total);
  const guard = stats.blocked_by.guard ?? 0;
  const judge = stats.blocked_by.judge ?? 0;
  const other = stats.denied - guard - judge;
  const tiles: Tile[] = [
    { key: 'total', value: stats.total, share: null },
    { key: 'approved', value: stats.approved, share: share(stats.approved) },
    { key: 'guard', value: guard, share: share(guard) },
    { key: 'judge', value: judge, share: share(judge) },
  ];
  if (other > 0) tiles.push({ key: 'other', value: other, share: share(other) });
  tiles.push({ key: 'unreadable', value: stats.index.unreadable, share: null });
  return tiles;
}

export type Bucket = Stats['over_time']['buckets'][number];

/** Most bars a chart can hold and still be read; older days of a long log are joined by weeks or more. */
export const MOST_BARS = 62;

/** Joins neighbouring buckets so that at most `most` are left; sums stay the same. */
export function joinBuckets(over: Stats['over_time'], most: number = MOST_BARS): { size: number; buckets: Bucket[] } {
  const size = Math.max(1, Math.ceil(over.buckets.length / most));
  if (size === 1) return { size, buckets: over.buckets };
  const buckets: Bucket[] = [];
  for (let i = 0; i < over.buckets.length; i += size) {
    const part = over.buckets.slice(i, i + size);
    const first = part[0];
    if (!first) continue;
    buckets.push(
      part.slice(1).reduce<Bucket>(
        (sum, b) => ({
          start: sum.start,
          approved: sum.approved + b.approved,
          guard: sum.guard + b.guard,
          judge: sum.judge + b.judge,
          other: sum.other + b.other,
        }),
        { ...first },
      ),
    );
  }
  return { size, buckets };
}

/**
 * The interval of a joined bucket, by the edges of the buckets it was made from.
 * @param earliest where the range begins: its first day is counted from there on only
 */
export function joinedInterval(
  over: Stats['over_time'],
  size: number,
  index: number,
  earliest: number | undefined,
): Required<Interval> | null {
  const first = bucketInterval(over, index * size);
  const last = bucketInterval(over, Math.min((index + 1) * size, over.buckets.length) - 1);
  return first && last ? { from: Math.max(first.from, earliest ?? first.from), to: last.to } : null;
}

export interface ScoreBin {
  from: number;
  to: number;
  count: number;
  /** The whole bin lies below the threshold: its verdicts were denied. */
  below: boolean;
}

/** Bins of the score chart. Bounds are computed from whole numbers, since 0.05 * 3 is not 0.15. */
export function scoreBins(scores: Stats['scores']): ScoreBin[] {
  const n = scores.bins.length;
  return scores.bins.map((count, i) => ({
    from: i / n,
    to: (i + 1) / n,
    count,
    below: (i + 1) / n <= scores.threshold,
  }));
}

/**
 * Which rows a bin counts. Guard blocks stand at 0 in the log without having been scored, so the first bin is the
 * judge's alone.
 */
export function searchForBin({ from, to }: Pick<ScoreBin, 'from' | 'to'>): {
  min: number;
  max: number;
  phase?: string;
} {
  return { min: from, max: to, ...(from === 0 ? { phase: 'judge' } : {}) };
}

export type ExecutorRow = Stats['by_executor'][number];

/** Most called first; ties by name, so that the order does not flicker while rows arrive. */
export function rankExecutors(rows: readonly ExecutorRow[]): ExecutorRow[] {
  return [...rows].sort((a, b) => b.total - a.total || (a.executor < b.executor ? -1 : 1));
}

export type RuleRow = Stats['by_rule'][number];

export function rankRules(rows: readonly RuleRow[]): RuleRow[] {
  return [...rows].sort((a, b) => b.count - a.count || (a.rule < b.rule ? -1 : 1));
}

/** The part of a row filter that stands for a figure; times come on top. */
export interface FigureSearch {
  outcome?: 'approved' | 'denied';
  phase?: string;
}

/**
 * Which rows a figure counts. "Other" is one filter only where a single other name is in the log;
 * otherwise its rows are among all the denied.
 */
export function searchFor(key: Tile['key'], stats: Pick<Stats, 'blocked_by'>): FigureSearch {
  switch (key) {
    case 'approved':
      return { outcome: 'approved' };
    case 'guard':
    case 'judge':
      return { phase: key };
    case 'other': {
      const names = Object.keys(stats.blocked_by).filter((name) => name !== 'guard' && name !== 'judge');
      const [only] = names;
      return names.length === 1 && only ? { phase: only } : { outcome: 'denied' };
    }
    default:
      return {};
  }
}
