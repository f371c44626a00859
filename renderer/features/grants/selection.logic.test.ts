import { expect, test } from 'vitest';
import { keepShown, NOTHING_SELECTED, toggle, toggleAll } from './selection.logic.ts';

const shown = [9, 7, 5, 3, 1];
const ids = (selection: { ids: ReadonlySet<number> }) => [...selection.ids].sort();

test('a click ticks and unticks one row', () => {
  const one = toggle(NOTHING_SELECTED, 7, shown, false);
  expect(ids(one)).toEqual([7]);
  expect(ids(toggle(one, 7, shown, false))).toEqual([]);
});

test('shift takes the rows in between, in the order shown, up or down', () => {
  const from = toggle(NOTHING_SELECTED, 3, shown, false);
  expect(ids(toggle(from, 9, shown, true))).toEqual([3, 5, 7, 9]);
  expect(ids(toggle(from, 1, shown, true))).toEqual([1, 3]);
});

test('a range from an unticked anchor unticks', () => {
  const all = toggleAll(NOTHING_SELECTED, shown);
  const off = toggle(all, 5, shown, false);
  expect(ids(toggle(off, 9, shown, true))).toEqual([1, 3]);
});

test('shift without an anchor that is shown is a plain click', () => {
  expect(ids(toggle(NOTHING_SELECTED, 5, shown, true))).toEqual([5]);
  expect(ids(toggle({ ids: new Set(), anchor: 42 }, 5, shown, true))).toEqual([5]);
});

test('select all turns into select none when all are ticked', () => {
  const all = toggleAll(NOTHING_SELECTED, shown);
  expect(ids(all)).toEqual([1, 3, 5, 7, 9]);
  expect(ids(toggleAll(all, shown))).toEqual([]);
  expect(ids(toggleAll(NOTHING_SELECTED, []))).toEqual([]);
});

test('a row that is filtered out leaves the selection', () => {
  const all = toggleAll(NOTHING_SELECTED, shown);
  expect(ids(keepShown(all, [5, 1]))).toEqual([1, 5]);
  expect(keepShown(all, shown)).toBe(all);
});
