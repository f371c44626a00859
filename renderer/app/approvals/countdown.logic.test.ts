import { expect, test } from 'vitest';
import { formatLeft, timeLeft } from './countdown.logic.ts';

test.each([
  [0, '0:00'],
  [1, '0:01'],
  [59_000, '0:59'],
  [60_000, '1:00'],
  [581_000, '9:41'],
  [3_599_001, '1:00:00'],
  [3_723_000, '1:02:03'],
  [86_399_000, '23:59:59'],
  [86_400_000, '1 d 0 h'],
  [183_600_000, '2 d 3 h'],
])('%i ms left reads %s', (ms, expected) => {
  expect(formatLeft(ms, 'en')).toBe(expected);
});

test('days have an Italian letter', () => {
  expect(formatLeft(183_600_000, 'it')).toBe('2 g 3 h');
});

test('what is over has nothing left, and an unknown end has no time', () => {
  expect(timeLeft(1000, 400)).toBe(600);
  expect(timeLeft(1000, 4000)).toBe(0);
  expect(timeLeft(null, 4000)).toBeNull();
});
