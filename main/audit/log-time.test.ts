import { afterEach, describe, expect, test } from 'vitest';
import { dayStart, hourStart, isBelievable, MONTH_FILE, monthStart, rollUpUnit } from './log-time.ts';

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});
const at = (iso: string): number => Date.parse(iso) / 1000;

describe('local time', () => {
  test.each([
    ['UTC', '2026-11-30T18:20:30Z', '2026-11-30T18:00:00Z', '2026-11-30T00:00:00Z', '2026-11-01T00:00:00Z', 3600],
    [
      'Europe/Rome',
      '2026-11-30T23:20:30Z',
      '2026-11-30T23:00:00Z',
      '2026-11-30T23:00:00Z',
      '2026-10-31T23:00:00Z',
      3600,
    ],
    [
      'Asia/Kolkata',
      '2026-11-30T18:20:30Z',
      '2026-11-30T17:30:00Z',
      '2026-11-29T18:30:00Z',
      '2026-10-31T18:30:00Z',
      900,
    ],
    [
      'Asia/Kathmandu',
      '2026-11-30T18:20:30Z',
      '2026-11-30T18:15:00Z',
      '2026-11-30T18:15:00Z',
      '2026-10-31T18:15:00Z',
      900,
    ],
    [
      'America/St_Johns',
      '2026-11-30T18:20:30Z',
      '2026-11-30T17:30:00Z',
      '2026-11-30T03:30:00Z',
      '2026-11-01T02:30:00Z',
      900,
    ],
  ])('%s', (TZ, now, hour, day, month, unit) => {
    process.env.TZ = TZ;
    expect(hourStart(at(now))).toBe(at(hour));
    expect(dayStart(at(now))).toBe(at(day));
    expect(monthStart('2026-11.jsonl')).toBe(at(month));
    expect(rollUpUnit()).toBe(unit);
  });

  test('a day of 23 and one of 25 hours', () => {
    process.env.TZ = 'Europe/Rome';
    const spring = at('2026-03-29T10:00:00Z');
    const autumn = at('2026-10-25T10:00:00Z');
    expect(dayStart(spring, 1) - dayStart(spring)).toBe(23 * 3600);
    expect(dayStart(autumn, 1) - dayStart(autumn)).toBe(25 * 3600);
    expect(monthStart('2026-12', 1)).toBe(at('2026-12-31T23:00:00Z'));
  });
});

test('which times are believed', () => {
  for (const ts of [null, 0, -1, 1796029981 * 1000, Number.POSITIVE_INFINITY]) expect(isBelievable(ts)).toBe(false);
  for (const ts of [946684800, 1796029981.4]) expect(isBelievable(ts)).toBe(true);
});

test('which files are the log', () => {
  for (const name of ['2026-11.jsonl', '1999-01.jsonl']) expect(name).toMatch(MONTH_FILE);
  for (const name of [
    '2026-00.jsonl',
    '2026-13.jsonl',
    '2026-1.jsonl',
    '2026-11.jsonl~',
    'x2026-11.jsonl',
    '2026-11-01.jsonl',
  ])
    expect(name).not.toMatch(MONTH_FILE);
});
