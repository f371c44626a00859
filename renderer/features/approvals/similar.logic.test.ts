import { expect, test } from 'vitest';
import { endOf, readiness, SIMILAR_PRESETS } from './similar.logic.ts';

const NOW = new Date(2026, 10, 30, 12, 0, 0);

test('every end is bounded but the last, and in order', () => {
  const ends = SIMILAR_PRESETS.map((preset) => endOf(preset, NOW));
  expect(ends.at(-1)).toBeNull();
  const bounded = ends.slice(0, -1).map((end) => Date.parse(end ?? ''));
  expect(bounded.every((end) => end > NOW.getTime())).toBe(true);
  expect([...bounded].sort((one, other) => one - other)).toEqual(bounded);
  expect(new Date(bounded.at(-1) ?? 0)).toEqual(new Date(2027, 0, 30, 12, 0, 0));
});

test('today in its last second does not become for ever', () => {
  const late = new Date(2026, 10, 30, 23, 59, 59, 500);
  expect(Date.parse(endOf('today', late) ?? '')).toBe(Math.floor((late.getTime() + 3_600_000) / 1000) * 1000);
});

test.each([
  ['  ', { ok: true, needs_confirmation: false }, false, 'empty'],
  ['~/a/*', null, false, 'checking'],
  ['~/a/*', { ok: true, needs_confirmation: false }, false, 'ready'],
  ['~/b/*', { ok: false, needs_confirmation: false }, true, 'refused'],
  ['~/**', { ok: false, needs_confirmation: true }, false, 'unconfirmed'],
  ['~/**', { ok: false, needs_confirmation: true }, true, 'ready'],
] as const)('%s with %j, confirmed %s: %s', (target, checked, confirmed, expected) => {
  expect(readiness(target, checked, confirmed)).toBe(expected);
});
