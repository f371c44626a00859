import { expect, test } from 'vitest';
import { endOfRise } from './duration.logic.ts';

const NOW = new Date(2026, 10, 30, 12, 0, 0);

test.each([
  ['always', '', null],
  ['hour', '', new Date(2026, 10, 30, 13, 0, 0).getTime()],
  ['today', '', new Date(2026, 10, 30, 23, 59, 59).getTime()],
  ['custom', '2026-12-01T08:30', new Date(2026, 11, 1, 8, 30).getTime()],
] as const)('%s %s', (duration, custom, expected) => {
  expect(endOfRise(duration, custom, NOW)).toEqual({ ok: true, until_ms: expected });
});

test.each([
  ['', 'missing'],
  ['tomorrow', 'unreadable'],
  ['2026-11-30T11:59', 'past'],
  ['2026-11-30T12:00', 'past'],
])('a date of one’s own "%s" is %s, and never without end', (custom, why) => {
  expect(endOfRise('custom', custom, NOW)).toEqual({ ok: false, why });
});
