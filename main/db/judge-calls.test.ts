import { expect, test } from 'vitest';
import { takeJudgeCall } from './judge-calls.ts';
import { createPanelStore } from './panel-store.ts';
import { readSetting, writeSetting } from './settings.ts';

const taker = () => {
  const store = createPanelStore(':memory:');
  const take = (day: string, limit = 2): boolean => store.write((db) => takeJudgeCall(db, { day, limit }));
  return { store, take };
};

test('a day has its calls, the next one new ones, and a clock that goes back finds what was spent', () => {
  const { take } = taker();
  expect([take('2026-11-29'), take('2026-11-29'), take('2026-11-29')]).toEqual([true, true, false]);
  expect([take('2026-11-30'), take('2026-11-29'), take('2026-11-30'), take('2026-11-30')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('a ceiling of none allows none, one that is raised allows the rest', () => {
  const { take } = taker();
  expect(take('2026-11-30', 0)).toBe(false);
  expect([take('2026-11-30', 1), take('2026-11-30', 1), take('2026-11-30', 2)]).toEqual([true, false, true]);
});

test('few days are kept, among them always the one that counts', () => {
  const { store, take } = taker();
  for (let day = 10; day < 30; day++) take(`2026-11-${day}`);
  expect([take('1970-01-01', 1), take('1970-01-01', 1)]).toEqual([true, false]);
  expect(Object.keys(JSON.parse(store.read((db) => readSetting(db, 'judge_calls')) ?? ''))).toHaveLength(7);
});

test.each(['no json', 'null', '{"2026-11-30": "many"}', '[]'])('a record of %s counts from nothing', (text) => {
  const { store, take } = taker();
  store.write((db) => writeSetting(db, 'judge_calls', text));
  expect([take('2026-11-30', 1), take('2026-11-30', 1)]).toEqual([true, false]);
});
