import { expect, test } from 'vitest';
import { turnRow } from './turn.fixture.ts';
import { addOlder, kindOf, mergeRows, QUIET_MS, tookText } from './turn-list.logic.ts';

const keys = (rows: readonly { key: string }[]) => rows.map(({ key }) => key);
const rows = [turnRow('c', 30), turnRow('b', 20), turnRow('a', 10)];

test('a turn that has grown is shown as it is now, in its place', () => {
  const { rows: merged } = mergeRows(rows, [turnRow('b', 20, { steps: 9 })], { more: false, open: true });
  expect(keys(merged)).toEqual(['c', 'b', 'a']);
  expect(merged[1]?.steps).toBe(9);
});

test('a new turn comes to its place in time', () => {
  const both = [turnRow('d', 40), turnRow('x', 15)];
  expect(keys(mergeRows(rows, both, { more: false, open: true }).rows)).toEqual(['d', 'c', 'b', 'x', 'a']);
});

test('one that belongs behind the last row is left to scrolling, while there is more', () => {
  const old = [turnRow('z', 1)];
  expect(keys(mergeRows(rows, old, { more: true, open: true }).rows)).toEqual(['c', 'b', 'a']);
  expect(keys(mergeRows(rows, old, { more: false, open: true }).rows)).toEqual(['c', 'b', 'a', 'z']);
});

test('behind a filter only the engine says what is new; what is shown is still kept up to date', () => {
  const changed = [turnRow('d', 40), turnRow('a', 10, { steps: 9 })];
  const { rows: merged, unknown } = mergeRows(rows, changed, { more: false, open: false });
  expect(keys(merged)).toEqual(['c', 'b', 'a']);
  expect([merged[2]?.steps, unknown]).toEqual([9, true]);
  expect(mergeRows(rows, [turnRow('a', 10)], { more: false, open: false }).unknown).toBe(false);
});

test('an older page brings no turn twice', () => {
  expect(keys(addOlder(rows, [turnRow('a', 10), turnRow('z', 1)]))).toEqual(['c', 'b', 'a', 'z']);
});

test.each([
  ['answer', {}, 'answer'],
  ['a word of a later version', { final_kind: 'handover' }, { other: 'handover' }],
  ['open, heard of just now', { final_kind: null, end_ms: null, last_ms: 1000 }, 'running'],
  ['open, silent for long', { final_kind: null, end_ms: null, last_ms: 1000 - QUIET_MS }, 'none'],
  ['ended without saying how', { final_kind: null, end_ms: 900, last_ms: 1000 }, 'none'],
])('%s', (_, over, kind) => {
  expect(kindOf(turnRow('a', 10, over), 1000)).toEqual(kind);
});

test.each([
  [80, '80 ms'],
  [1840, '1.8 s'],
  [11_200, '11 s'],
  [185_000, '3 min 5 s'],
  [3_725_000, '1 h 2 min'],
  [-1, null],
])('%s ms', (ms, text) => {
  expect(tookText(0, ms, 'en')).toBe(text);
});
