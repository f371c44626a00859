import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CountKey } from '../../shared/rpc/audit.ts';
import { seededAudit } from '../db/test-index.ts';
import { countsOf } from './counts.ts';
import { rollUpUnit } from './log-time.ts';

const START = Date.UTC(2026, 9, 20) / 1000;
const KEYS: readonly CountKey[] = ['executor', 'blocked_by', 'rule', 'outcome', 'day', 'hour', 'month'];
const line = fc.record({
  at: fc.integer({ min: 0, max: 40 * 24 * 4 }).map((n) => START + n * 900 + 0.5),
  executor: fc.constantFrom('a', 'b', '__proto__'),
  approved: fc.boolean(),
  blocked_by: fc.constantFrom(null, 'guard', 'judge', ''),
  rule: fc.constantFrom(null, 'r'),
});

function keyOf(
  row: { at: number; executor: string; approved: boolean; blocked_by: string | null; rule: string | null },
  key: CountKey,
): string | null {
  const local = new Date(row.at * 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const hour = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}T${two(local.getHours())}`;
  const all: Record<CountKey, string | null> = {
    executor: row.executor,
    blocked_by: row.blocked_by,
    rule: row.rule,
    outcome: row.approved ? 'approved' : 'denied',
    hour,
    day: hour.slice(0, 10),
    month: hour.slice(0, 7),
  };
  return all[key];
}

test('whatever is counted by whatever, in whatever range: the same as counting the rows', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.uniqueArray(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 4 }),
      fc.option(
        fc.integer({ min: 0, max: 40 * 24 * 4 }).map((n) => START + n * 900 + 0.25),
        { nil: undefined },
      ),
      fc.option(
        fc.integer({ min: 0, max: 40 * 24 * 4 }).map((n) => START + n * 900 + 0.25),
        { nil: undefined },
      ),
      fc.constantFrom(undefined, 'a', 'nobody'),
      (lines, by, from_ts, to_ts, executor) => {
        const { queries, close } = seededAudit(lines, ':memory:', rollUpUnit());
        const expected = new Map<string, number>();
        const inside = lines.filter(
          (row) =>
            row.at >= (from_ts ?? 0) &&
            row.at < (to_ts ?? 1e11) &&
            (executor === undefined || row.executor === executor),
        );
        for (const row of inside) {
          const name = JSON.stringify(by.map((key) => keyOf(row, key)));
          expected.set(name, (expected.get(name) ?? 0) + 1);
        }
        const { rows, total } = countsOf(queries, by, { from_ts, to_ts, executor });
        expect(total).toBe(inside.length);
        expect(new Map(rows.map(({ keys, count }) => [JSON.stringify(keys), count]))).toEqual(expected);
        expect(rows).toHaveLength(expected.size);
        const time = by.findIndex((key) => key === 'hour' || key === 'day' || key === 'month');
        if (time === -1)
          expect(rows.map(({ count }) => count)).toEqual(rows.map(({ count }) => count).sort((a, b) => b - a));
        else if (by.length === 1)
          expect(rows.map(({ keys }) => keys[0])).toEqual(rows.map(({ keys }) => keys[0]).sort());
        close();
      },
    ),
    { numRuns: 60 },
  );
});
