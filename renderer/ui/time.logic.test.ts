import { expect, test } from 'vitest';
import { clockTime, exactTime, relativeTime } from './time.logic.ts';

const NOW = new Date(2026, 10, 30, 12, 0, 0).getTime();
const MINUTE = 60_000;
const DAY = 86_400_000;

test.each([
  [-5 * MINUTE, '5 minutes ago', '5 minuti fa'],
  [3 * 60 * MINUTE, 'in 3 hours', 'tra 3 ore'],
  [-DAY, 'yesterday', 'ieri'],
  [70 * DAY, 'in 2 months', 'tra 2 mesi'],
  [0, 'now', 'ora'],
])('says %i ms from now', (offset, english, italian) => {
  expect(relativeTime(NOW + offset, NOW, 'en')).toBe(english);
  expect(relativeTime(NOW + offset, NOW, 'it')).toBe(italian);
});

test('gives the time alone today, and the day before it otherwise', () => {
  expect(clockTime(new Date(2026, 10, 30, 0, 4, 37).getTime(), NOW, 'en')).toEqual({ day: null, time: '00:04:37' });
  expect(clockTime(new Date(2026, 10, 29, 22, 6, 37).getTime(), NOW, 'en').day).toBe('29 Nov');
  expect(clockTime(new Date(2025, 10, 29, 22, 6, 37).getTime(), NOW, 'it').day).toBe('29 nov 25');
});

test('names the zone in the exact time', () => {
  expect(exactTime(NOW, 'en')).toMatch(/^30 Nov 2026, 12:00:00 \S+/);
});
