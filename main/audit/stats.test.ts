import { chmodSync, copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { seededAudit } from '../db/test-index.ts';
import { INDEX_STARTING } from './index-client.ts';
import { rollUpUnit } from './log-time.ts';
import { statsOf } from './stats.ts';
import { casesFolder, guardBlock, makeTestLog, NOW, type TestLog, verdict } from './test-log.ts';

vi.setConfig({ testTimeout: 60_000 });

interface Line {
  approved: boolean;
  ts: number;
  score: number;
  blocked_by: string | null;
  executor: string;
}

/** Counted from the lines alone, the slow and plain way. */
function count(lines: Line[]): object {
  const by = (key: (line: Line) => string | null): Record<string, number> => {
    const counts: Record<string, number> = {};
    for (const line of lines) {
      const name = key(line);
      if (name !== null) counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  };
  const bins = new Array(20).fill(0);
  for (const { approved, score, blocked_by } of lines) {
    if (!approved && blocked_by === 'guard') continue;
    bins[Math.min(19, Math.floor(Number((score * 20).toFixed(6))))]++;
  }
  return {
    total: lines.length,
    approved: lines.filter(({ approved }) => approved).length,
    denied: lines.filter(({ approved }) => !approved).length,
    blocked_by: by(({ approved, blocked_by }) => (approved ? null : blocked_by)),
    executors: by(({ executor }) => executor),
    days: by(({ ts }) => new Date(ts * 1000).toDateString()),
    bins,
  };
}

type Stats = ReturnType<typeof statsOf>;
function asCount(stats: Stats): object {
  const { total, approved, denied, blocked_by, by_executor, over_time, scores } = stats;
  const days: Record<string, number> = {};
  for (const bucket of over_time.buckets) {
    const day = new Date(bucket.start * 1000).toDateString();
    const sum = bucket.approved + bucket.guard + bucket.judge + bucket.other;
    if (sum > 0) days[day] = (days[day] ?? 0) + sum;
  }
  const executors = Object.fromEntries(by_executor.map((entry) => [entry.executor, entry.total]));
  return { total, approved, denied, blocked_by, executors, days, bins: scores.bins };
}

const linesOf = (path: string): Line[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('over a real log', () => {
  const source = casesFolder('metnos-home/.local/share/metnos/vaglio');
  let log: TestLog;
  beforeEach(() => {
    log = makeTestLog();
  });
  afterEach(() => log.end());

  test.skipIf(source === null)('every range equals a count made from the files', async () => {
    const folder = source ?? '';
    const names = readdirSync(folder);
    for (const name of names) {
      copyFileSync(join(folder, name), log.file(name));
      chmodSync(log.file(name), 0o600);
    }
    const all = names.flatMap((name) => linesOf(join(folder, name)));
    const audit = log.start();
    await log.settled(audit, all.length);
    const since = (days: number): Line[] =>
      all.filter(({ ts }) => ts >= NOW / 1000 - days * 86_400 && ts <= NOW / 1000);
    expect(asCount(await audit.stats({ range: 'all' }))).toEqual(count(all));
    expect(asCount(await audit.stats({ range: '24h' }))).toEqual(count(since(1)));
    expect(asCount(await audit.stats({ range: '7d' }))).toEqual(count(since(7)));
    expect(asCount(await audit.stats({ range: '30d' }))).toEqual(count(since(30)));
    for (const name of names) {
      const range = name.slice(0, 7);
      expect(asCount(await audit.stats({ range })), name).toEqual(count(linesOf(join(folder, name))));
    }
    const { by_rule } = await audit.stats({ range: 'all' });
    expect(by_rule.reduce((sum, rule) => sum + rule.count, 0)).toBe(all.filter(({ approved }) => !approved).length);
  });

  test('what is appended counts at once; what stands behind a mark can be listed', async () => {
    const pattern = String.raw`\.aws/credentials`;
    log.append('2026-11.jsonl', verdict(), guardBlock(pattern), guardBlock(pattern.replaceAll('\\', '\\\\')));
    const audit = log.start();
    await log.settled(audit, 3);
    log.append(
      '2026-11.jsonl',
      verdict({ approved: false, blocked_by: 'judge', reason: 'judge: score 0.20 < soglia 0.30 (x)' }),
    );
    log.append('2026-11.jsonl', '{"approved": false}\n');
    await log.settled(audit, 5);
    const stats = await audit.stats({ range: '24h' });
    expect(stats.by_rule).toEqual([
      { rule: pattern, blocked_by: 'guard', count: 2 },
      { rule: 'judge:threshold', blocked_by: 'judge', count: 1 },
      { rule: 'unknown', blocked_by: 'unknown', count: 1 },
    ]);
    expect(stats.blocked_by).toEqual({ guard: 2, judge: 1, unknown: 1 });
    for (const { rule, blocked_by, count: expected } of stats.by_rule) {
      expect((await audit.page({ limit: 10, filter: { rule } })).rows, rule).toHaveLength(expected);
      expect((await audit.page({ limit: 10, filter: { blocked_by } })).rows, blocked_by).toHaveLength(expected);
    }
    expect(stats.scores.threshold).toBe(0.3);
  });
});

describe('buckets', () => {
  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  const total = (stats: Stats): number =>
    stats.over_time.buckets.reduce(
      (sum, { approved, guard, judge, other }) => sum + approved + guard + judge + other,
      0,
    );

  test.each(['UTC', 'Europe/Rome', 'Asia/Kolkata', 'America/St_Johns', 'Australia/Lord_Howe'])(
    '%s: exact to the row, without a gap, whatever the times',
    (TZ) => {
      process.env.TZ = TZ;
      const line = fc.record({
        approved: fc.boolean(),
        ts: fc.double({ min: NOW / 1000 - 40 * 86_400, max: NOW / 1000 + 86_400, noNaN: true }),
        score: fc.integer({ min: 0, max: 100 }).map((n) => n / 100),
        blocked_by: fc.constantFrom('guard', 'judge', 'policy'),
        executor: fc.constantFrom('a', 'b', '__proto__'),
      });
      fc.assert(
        fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
          const { queries, close } = seededAudit(lines, ':memory:', rollUpUnit());
          const now = NOW / 1000;
          for (const [range, length] of [
            ['24h', 1],
            ['7d', 7],
            ['30d', 30],
          ] as const) {
            const stats = statsOf(queries, range, NOW, 0.3, INDEX_STARTING);
            const inside = lines.filter(({ ts }) => ts >= now - length * 86_400 && ts < now + 1);
            expect(stats.total).toBe(inside.length);
            expect(total(stats)).toBe(inside.length);
            const { buckets, step } = stats.over_time;
            for (const [n, { start }] of buckets.entries()) {
              const local = new Date(start * 1000);
              expect([local.getMinutes(), local.getSeconds()]).toEqual([0, 0]);
              if (step === 'day') expect(local.getHours()).toBe(0);
              const before = buckets[n - 1]?.start;
              if (before !== undefined) expect(start - before).toBeLessThanOrEqual(step === 'hour' ? 3600 : 25 * 3600);
            }
          }
          const all = statsOf(queries, 'all', NOW, 0.3, INDEX_STARTING);
          expect(asCount(all)).toMatchObject({ ...count(lines), executors: expect.anything() });
          const month = statsOf(queries, '2026-11', NOW, 0.3, INDEX_STARTING);
          expect(total(month)).toBe(lines.length);
          close();
        }),
        { numRuns: 15 },
      );
    },
  );

  test('a range without lines shows its silence; a month ends today', () => {
    const { queries, close } = seededAudit([]);
    expect(statsOf(queries, '24h', NOW, 0.3, INDEX_STARTING).over_time.buckets).toHaveLength(25);
    expect(statsOf(queries, '7d', NOW, 0.3, INDEX_STARTING).over_time.buckets).toHaveLength(8);
    expect(statsOf(queries, 'all', NOW, 0.3, INDEX_STARTING).over_time.buckets).toHaveLength(1);
    expect(statsOf(queries, '2026-10', NOW, 0.3, INDEX_STARTING).over_time.buckets).toHaveLength(31);
    expect(
      statsOf(queries, '2026-11', Date.parse('2026-11-10T12:00:00Z'), 0.3, INDEX_STARTING).over_time.buckets,
    ).toHaveLength(10);
    expect(statsOf(queries, '2031-01', NOW, 0.3, INDEX_STARTING).over_time.buckets).toHaveLength(1);
    close();
  });
});
