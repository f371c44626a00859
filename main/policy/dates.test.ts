import { expect, test } from 'vitest';
import { formatInstant, isExpired, parseInstant } from './dates.ts';

test.each([
  ['2027-01-31T00:00:00Z', Date.UTC(2027, 0, 31)],
  ['2026-12-31', Date.UTC(2026, 11, 31)],
  ['2027-03-01T00:00:00+01:00', Date.UTC(2027, 1, 28, 23)],
  ['2027-03-01T00:00:00-0530', Date.UTC(2027, 2, 1, 5, 30)],
  ['2026-11-30T12:00:00.250Z', Date.UTC(2026, 10, 30, 12, 0, 0, 250)],
  ['2026-11-30T12:00:00.123456+00:00', Date.UTC(2026, 10, 30, 12, 0, 0, 123)],
  ['2026-11-30T12:00:00', Date.UTC(2026, 10, 30, 12)],
  ['2026-11-30 12:00:00', Date.UTC(2026, 10, 30, 12)],
  ['2028-02-29', Date.UTC(2028, 1, 29)],
  ['1970-01-01T00:00:00Z', 0],
])('%s is read', (text, instant) => {
  expect(parseInstant(text)).toBe(instant);
});

test.each([
  '',
  '1',
  '2026',
  '2026-13-40',
  '2026-02-29',
  '2026-04-31',
  '2026-00-10',
  '2026-01-00',
  '2026-1-1',
  '2026-11-30T24:00:00Z',
  '2026-11-30T12:60:00Z',
  '2026-11-30T12:00:60Z',
  '2026-11-30T12:00Z',
  '2026-11-30Z',
  '2026-11-30T12:00:00+24:00',
  '2026-11-30T12:00:00+01:60',
  '2026-11-30T12:00:00.Z',
  '2026-11-30T12:00:00z',
  ' 2026-11-30',
  '2026-11-30\n',
  '+012026-11-30',
  '٢٠٢٦-11-30',
  'never',
  'Nov 30 2026',
  '1798761600',
])('%j is no date, so it counts as expired', (text) => {
  expect(parseInstant(text)).toBeNull();
  expect(isExpired(text, 0)).toBe(true);
});

test('expiry compares instants, not strings, and ends at its own instant', () => {
  const at = Date.UTC(2026, 10, 30, 12);
  expect(isExpired(null, at)).toBe(false);
  expect(isExpired('2026-11-30T12:00:00Z', at - 1)).toBe(false);
  expect(isExpired('2026-11-30T12:00:00Z', at)).toBe(true);
  // As strings these two would answer the other way round.
  expect(isExpired('2026-11-30T12:30:00+01:00', at)).toBe(true);
  expect(isExpired('2026-11-30T11:30:00-01:00', at)).toBe(false);
  expect(isExpired('2026-11-30', at)).toBe(true);
  expect(isExpired('2026-12-01', at)).toBe(false);
});

test('what we write has one form and reads back', () => {
  const text = formatInstant(Date.UTC(2026, 10, 30, 12, 0, 0, 999));
  expect(text).toBe('2026-11-30T12:00:00Z');
  expect(parseInstant(text)).toBe(Date.UTC(2026, 10, 30, 12));
});
