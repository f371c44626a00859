import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verdict } from '../../verdicts/verdict.fixture.ts';
import { act } from './act.fixture.ts';
import { filtersOf, idOf, interleave, partsShown, reachOf } from './entries.logic.ts';

const done = { rowsMore: false, actsMore: false };
const ids = (...args: Parameters<typeof interleave>) => interleave(...args).map(idOf);

test('acts stand between the verdicts by their time, newest first', () => {
  const rows = [verdict(30), verdict(20), verdict(10)];
  expect(ids({ rows, acts: [act(3, 35), act(2, 15), act(1, 5)], ...done })).toEqual([
    'act-3',
    'verdict-30',
    'verdict-20',
    'act-2',
    'verdict-10',
    'act-1',
  ]);
});

test('an act older than the last loaded verdict waits until more is loaded', () => {
  const rows = [verdict(30), verdict(20)];
  const loaded = { rows, acts: [act(2, 25), act(1, 5)], actsMore: false };
  expect(ids({ ...loaded, rowsMore: true })).toEqual(['verdict-30', 'act-2', 'verdict-20']);
  expect(ids({ ...loaded, rowsMore: false })).toEqual(['verdict-30', 'act-2', 'verdict-20', 'act-1']);
});

test('a verdict older than the last loaded act waits as well', () => {
  const rows = [verdict(30), verdict(20), verdict(10)];
  expect(ids({ rows, rowsMore: false, acts: [act(2, 25)], actsMore: true })).toEqual(['verdict-30', 'act-2']);
});

test('a line without a time stays where the engine put it', () => {
  const rows = [verdict(30), verdict(29, { ts: null }), verdict(10)];
  expect(ids({ rows, acts: [act(1, 20)], ...done })).toEqual(['verdict-30', 'verdict-29', 'act-1', 'verdict-10']);
});

test('says how far the acts have to reach', () => {
  const rows = [verdict(30), verdict(20), verdict(19, { ts: null })];
  expect(reachOf({ rows, rowsMore: true })).toBe(20);
  expect(reachOf({ rows, rowsMore: false })).toBe(Number.NEGATIVE_INFINITY);
});

test('when all is loaded every verdict and every act is there once, in order of time', () => {
  const times = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 20 });
  fc.assert(
    fc.property(times, times, (ofRows, ofActs) => {
      const down = (one: number, other: number) => other - one;
      const rows = [...ofRows].sort(down).map((ts, place) => verdict(place, { ts }));
      const acts = [...ofActs].sort(down).map((at, place) => act(place, at));
      const entries = interleave({ rows, acts, ...done });
      const at = entries.map((entry) => (entry.kind === 'verdict' ? (entry.row.ts ?? 0) : entry.act.at));
      expect(at).toEqual([...at].sort(down));
      expect(new Set(entries.map(idOf)).size).toBe(rows.length + acts.length);
    }),
  );
});

test.each([
  [{}, true, true, false],
  [{ from: 1, to: 2 }, true, true, false],
  [{ text: 'x' }, true, false, true],
  [{ max: 0.3 }, true, false, true],
  [{ show: 'verdicts' }, true, false, false],
  [{ show: 'acts', outcome: 'denied' }, false, true, false],
] as const)('%j', (search, verdicts, acts, hidden) => {
  expect(partsShown(search)).toEqual({ verdicts, acts, hidden });
});

test('only what narrows the present view counts as a filter', () => {
  const search = { from: 1, min: 0.2, text: 'x', act: 'revoke', row: 7 } as const;
  expect(filtersOf({ ...search, show: 'acts' })).toEqual({ from: 1, act: 'revoke' });
  expect(filtersOf(search)).toEqual({ from: 1, min: 0.2, text: 'x' });
  expect(filtersOf({ show: 'verdicts', row: 7 })).toEqual({});
});
