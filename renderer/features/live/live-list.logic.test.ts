import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verdict } from '../../verdicts/verdict.fixture.ts';
import { LiveList } from './live-list.logic.ts';

const seqs = (list: LiveList) => Array.from({ length: list.length }, (_, index) => list.row(index)?.seq);

test('shows new rows first', () => {
  const list = new LiveList();
  list.reset([verdict(3), verdict(2)], false);
  list.addNew([verdict(4), verdict(5)], false);
  expect(seqs(list)).toEqual([5, 4, 3, 2]);
});

test('keeps what arrives while it stands still, and lets all of it in', () => {
  const list = new LiveList();
  list.reset([verdict(1)], false);
  list.addNew([verdict(2)], true);
  list.addNew([verdict(3)], true);
  expect(seqs(list)).toEqual([1]);
  expect(list.waiting).toBe(2);
  list.release();
  expect(seqs(list)).toEqual([3, 2, 1]);
  expect(list.waiting).toBe(0);
});

test('takes no row twice, whichever way it comes', () => {
  const list = new LiveList();
  list.reset([verdict(3), verdict(2)], true);
  list.addNew([verdict(3), verdict(4)], true);
  list.addNew([verdict(4)], false);
  list.addOlder([verdict(2), verdict(1)], false);
  list.release();
  expect(seqs(list)).toEqual([4, 3, 2, 1]);
});

test('puts a row of a clock that jumped back where its time is', () => {
  const list = new LiveList();
  list.reset([verdict(3, { ts: 30 }), verdict(2, { ts: 20 })], false);
  list.addNew([verdict(4, { ts: 25 })], false);
  expect(seqs(list)).toEqual([3, 4, 2]);
});

test('leaves a row behind the last one to scrolling, and only while there is more', () => {
  const list = new LiveList();
  list.reset([verdict(3, { ts: 30 }), verdict(2, { ts: 20 })], true);
  list.addNew([verdict(4, { ts: 10 })], false);
  expect(seqs(list)).toEqual([3, 2]);
  list.addOlder([verdict(4, { ts: 10 })], false);
  list.addNew([verdict(5, { ts: 5 })], false);
  expect(seqs(list)).toEqual([3, 2, 4, 5]);
});

test('shows a live row without a time as the newest, and one of a page where the engine put it', () => {
  const list = new LiveList();
  list.reset([verdict(3), verdict(2, { ts: null }), verdict(1)], false);
  list.addNew([verdict(4, { ts: null })], false);
  expect(seqs(list)).toEqual([4, 3, 2, 1]);
});

test('cuts the oldest beyond its limit, and knows that there is more', () => {
  const list = new LiveList(5);
  list.reset([verdict(4), verdict(3), verdict(2), verdict(1)], false);
  list.addNew([verdict(5), verdict(6), verdict(7)], false);
  expect(seqs(list)).toEqual([7, 6, 5, 4, 3]);
  expect(list.more).toBe(true);
  list.addOlder([verdict(2), verdict(1)], false);
  expect(seqs(list)).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

test('is bounded also while it stands still, and what is cut can be loaded again', () => {
  const list = new LiveList(3);
  list.reset([verdict(2), verdict(1)], false);
  for (let seq = 3; seq <= 9; seq++) list.addNew([verdict(seq)], true);
  expect(list.length + list.waiting).toBe(3);
  list.release();
  expect(seqs(list)).toEqual([9, 8, 7]);
  expect(list.more).toBe(true);
});

test('knows how far the stream has come, also by rows that were not kept', () => {
  const list = new LiveList();
  expect(list.lastSeq).toBeNull();
  list.saw([verdict(9)]);
  list.reset([verdict(4)], true);
  expect(list.lastSeq).toBe(9);
  list.forget();
  expect(list.lastSeq).toBeNull();
});

test('finds the place of a row', () => {
  const list = new LiveList();
  list.reset([verdict(3), verdict(2)], true);
  expect(list.indexOf(2)).toBe(1);
  expect(list.indexOf(7)).toBe(-1);
});

test('any order of arrival, pausing and releasing gives every row once, newest first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ ts: fc.integer({ min: 0, max: 20 }), held: fc.boolean(), release: fc.boolean() })),
      (steps) => {
        const list = new LiveList();
        list.reset([], false);
        const rows = steps.map((step, index) => verdict(index + 1, { ts: step.ts }));
        for (const [index, step] of steps.entries()) {
          const row = rows[index];
          if (row) list.addNew([row], step.held);
          if (step.release) list.release();
        }
        list.release();
        const expected = [...rows].sort((one, other) => (other.ts ?? 0) - (one.ts ?? 0) || other.seq - one.seq);
        expect(seqs(list)).toEqual(expected.map((row) => row.seq));
      },
    ),
  );
});
