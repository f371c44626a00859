import { describe, expect, test } from 'vitest';
import type { Stats } from '../../../shared/rpc/audit.ts';
import {
  bucketInterval,
  intervalOf,
  joinBuckets,
  joinedInterval,
  monthInterval,
  rankExecutors,
  rankRules,
  scoreBins,
  searchFor,
  searchForBin,
  tilesOf,
} from './statistics.logic.ts';

const seconds = (...at: [number, number, number?]) => new Date(at[0], at[1], at[2] ?? 1).getTime() / 1000;

function days(n: number): Stats['over_time'] {
  return {
    step: 'day',
    buckets: Array.from({ length: n }, (_, i) => ({
      start: seconds(2026, 10, 1 + i),
      approved: i,
      guard: 1,
      judge: 2,
      other: 0,
    })),
  };
}

const stats: Stats = {
  range: '7d',
  total: 100,
  approved: 80,
  denied: 20,
  blocked_by: { guard: 15, judge: 4 },
  events: {},
  over_time: days(7),
  by_executor: [],
  by_rule: [],
  scores: { bins: Array.from({ length: 20 }, (_, i) => i), threshold: 0.3 },
  months: ['2026-11'],
  index: {
    phase: 'following',
    files: 1,
    lines: 100,
    unreadable: 3,
    unreadable_at: [],
    events: 0,
    problem: null,
    detail: null,
  },
};

describe('time', () => {
  test('a month has its local bounds, another text has none', () => {
    expect(monthInterval('2026-12')).toEqual({ from: seconds(2026, 11), to: seconds(2027, 0) });
    expect(monthInterval('24h')).toBeNull();
  });

  test('a relative range reaches back from now; everything is open on both sides', () => {
    expect(intervalOf('24h', 1_000_000.7)).toEqual({ from: 913_600 });
    expect(intervalOf('30d', 10_000_000)).toEqual({ from: 10_000_000 - 30 * 86_400 });
    expect(intervalOf('all', 1_000_000)).toEqual({});
    expect(intervalOf('2026-11', 0)).toEqual({ from: seconds(2026, 10), to: seconds(2026, 11) });
  });

  test('a bucket ends where the next begins, the last by the calendar', () => {
    expect(bucketInterval(days(3), 0)).toEqual({ from: seconds(2026, 10, 1), to: seconds(2026, 10, 2) });
    expect(bucketInterval(days(3), 2)).toEqual({ from: seconds(2026, 10, 3), to: seconds(2026, 10, 4) });
    expect(bucketInterval(days(3), 3)).toBeNull();
    const hour = { step: 'hour' as const, buckets: [{ start: 7200, approved: 0, guard: 0, judge: 0, other: 0 }] };
    expect(bucketInterval(hour, 0)).toEqual({ from: 7200, to: 10_800 });
  });

  test('too many bars are joined without losing a verdict, and keep their edges', () => {
    const over = days(100);
    const { size, buckets } = joinBuckets(over, 30);
    expect(size).toBe(4);
    expect(buckets).toHaveLength(25);
    const sum = (list: { approved: number; guard: number; judge: number }[]) =>
      list.reduce((n, b) => n + b.approved + b.guard + b.judge, 0);
    expect(sum(buckets)).toBe(sum(over.buckets));
    expect(joinedInterval(over, size, 24, undefined)).toEqual({
      from: seconds(2026, 10, 97),
      to: seconds(2026, 10, 101),
    });
    expect(joinBuckets(days(30), 30)).toEqual({ size: 1, buckets: days(30).buckets });
  });

  test('the first bar begins where the range begins', () => {
    const noon = seconds(2026, 10, 1) + 43_200;
    expect(joinedInterval(days(5), 1, 0, noon)).toEqual({ from: noon, to: seconds(2026, 10, 2) });
    expect(joinedInterval(days(5), 1, 1, noon)?.from).toBe(seconds(2026, 10, 2));
  });

  test('a last joined bar that is shorter ends with its last day', () => {
    expect(joinedInterval(days(5), 2, 2, undefined)).toEqual({ from: seconds(2026, 10, 5), to: seconds(2026, 10, 6) });
  });
});

describe('tiles', () => {
  test('shares are of all verdicts; another phase appears when there is one', () => {
    expect(tilesOf(stats).map((t) => [t.key, t.value, t.share])).toEqual([
      ['total', 100, null],
      ['approved', 80, 0.8],
      ['guard', 15, 0.15],
      ['judge', 4, 0.04],
      ['other', 1, 0.01],
      ['unreadable', 3, null],
    ]);
  });

  test('nothing judged is no share of nothing, and no fourth phase', () => {
    const none = tilesOf({ ...stats, total: 0, approved: 0, denied: 0, blocked_by: {} });
    expect(none.map((t) => t.key)).toEqual(['total', 'approved', 'guard', 'judge', 'unreadable']);
    expect(none.every((t) => t.share === null)).toBe(true);
  });
});

test('score bins have clean bounds and know their side of the threshold', () => {
  const bins = scoreBins(stats.scores);
  expect(bins[3]).toEqual({ from: 0.15, to: 0.2, count: 3, below: true });
  expect(bins.filter((b) => b.below)).toHaveLength(6);
  expect(bins[6]?.below).toBe(false);
});

test('ranks put the most first and settle ties by name', () => {
  const row = { approved: 0, guard: 0, judge: 0, other: 0 };
  const ranked = rankExecutors([
    { ...row, executor: 'b', total: 2 },
    { ...row, executor: 'a', total: 2 },
    { ...row, executor: 'c', total: 9 },
  ]);
  expect(ranked.map((r) => r.executor)).toEqual(['c', 'a', 'b']);
  const rules = rankRules([
    { rule: 'z', blocked_by: 'guard', count: 1 },
    { rule: 'judge:threshold', blocked_by: 'judge', count: 5 },
    { rule: 'a', blocked_by: 'guard', count: 1 },
  ]);
  expect(rules.map((r) => r.rule)).toEqual(['judge:threshold', 'a', 'z']);
});

test('a figure names the rows that it counts', () => {
  expect(searchFor('total', stats)).toEqual({});
  expect(searchFor('approved', stats)).toEqual({ outcome: 'approved' });
  expect(searchFor('judge', stats)).toEqual({ phase: 'judge' });
  expect(searchFor('other', { blocked_by: { guard: 1, scope: 2 } })).toEqual({ phase: 'scope' });
  expect(searchFor('other', { blocked_by: { scope: 2, policy: 1 } })).toEqual({ outcome: 'denied' });
});

test('the rows of a bin are those of its scores, without the guard’s zeros', () => {
  expect(searchForBin({ from: 0.25, to: 0.3 })).toEqual({ min: 0.25, max: 0.3 });
  expect(searchForBin({ from: 0, to: 0.05 })).toEqual({ min: 0, max: 0.05, phase: 'judge' });
  expect(searchForBin({ from: 0.95, to: 1 })).toEqual({ min: 0.95, max: 1 });
});
