import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTurnIndex, type TurnEntry } from './turn-index.ts';

function entry(key: string, at_ms: number, over: Partial<TurnEntry['row']> = {}): TurnEntry {
  const row: TurnEntry['row'] = {
    key,
    source: 'log',
    turn_id: key,
    at_ms,
    start_ms: at_ms,
    end_ms: at_ms + 5,
    last_ms: at_ms + 5,
    intent: '',
    channel: 'cli',
    sender: 'anna',
    final_kind: 'answer',
    steps: 1,
    refused: 0,
    failed: 0,
    ...over,
  };
  return { row, tools: [], place: null, verdict_ts: null };
}
const keys = (entries: readonly TurnEntry[] | undefined) => entries?.map(({ row }) => row.key);

test('pages hold every turn once, newest first, in whatever order they came', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 })), fc.integer({ min: 1, max: 7 }), (times, limit) => {
      const index = createTurnIndex();
      for (const [place, at] of times.entries()) index.put(entry(`k${place}`, at));
      const seen: TurnEntry[] = [];
      for (let before: string | undefined; ; ) {
        const page = index.page({}, before, limit);
        seen.push(...(page?.entries ?? []));
        before = seen.at(-1)?.row.key;
        if (!page?.more) break;
      }
      expect(new Set(keys(seen)).size).toBe(times.length);
      expect(seen.map(({ row }) => row.at_ms)).toEqual([...times].sort((one, other) => other - one));
    }),
  );
});

test('a turn that is put again takes its own place', () => {
  const index = createTurnIndex();
  index.put(entry('a', 1));
  index.put(entry('b', 2));
  index.put(entry('a', 3));
  expect(keys(index.page({}, undefined, 9)?.entries)).toEqual(['a', 'b']);
  expect(index.size()).toBe(2);
});

test('tells what changed since, each turn once; too long ago it cannot tell', () => {
  const index = createTurnIndex();
  index.put(entry('a', 1));
  const then = index.version();
  for (let round = 0; round < 3; round++) index.put(entry('b', 2));
  expect(keys(index.changesSince(then) ?? [])).toEqual(['b']);
  expect(index.changesSince(index.version())).toEqual([]);
  for (let n = 0; n < 5000; n++) index.put(entry(`n${n}`, n));
  expect(index.changesSince(then)).toBeNull();
  expect(index.changesSince(index.version() + 1)).toBeNull();
});

test('keeps the newest when there are too many, and counts the others', () => {
  const index = createTurnIndex(100);
  for (let at = 500; at > 0; at--) index.put(entry(`k${at}`, at));
  expect(index.size()).toBeLessThanOrEqual(102);
  expect(index.size() + index.leftOut()).toBe(500);
  const newest = Array.from({ length: 100 }, (_, place) => `k${500 - place}`);
  expect(keys(index.page({}, undefined, 100)?.entries)).toEqual(newest);
});

test('finds what was going on at a time', () => {
  const index = createTurnIndex();
  index.put(entry('before', 10, { end_ms: 20 }));
  index.put(entry('long', 12, { end_ms: 90 }));
  index.put(entry('open', 15, { end_ms: null, last_ms: 60 }));
  index.put(entry('behind', 70));
  expect(keys(index.around(50))).toEqual(['open', 'long']);
  expect(keys(index.around(20))).toEqual(['open', 'long', 'before']);
});

test('forgets what is taken out, and says that something was', () => {
  const index = createTurnIndex();
  index.put(entry('a', 1));
  index.put(entry('b', 2));
  index.remove(({ row }) => row.key === 'a');
  expect(keys(index.page({}, undefined, 9)?.entries)).toEqual(['b']);
  expect([index.get('a'), index.removals(), index.page({}, 'a', 1)]).toEqual([undefined, 1, null]);
  index.remove(() => false);
  expect(index.removals()).toBe(1);
});
