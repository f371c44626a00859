import { describe, expect, test } from 'vitest';
import { expiryOf, isoSeconds, presetExpiry, toLocalInput } from './expiry.logic.ts';

/** Local time, whatever the zone of the machine: the expectations are local too. */
const NOW = new Date(2026, 10, 30, 12, 34, 56, 789);

describe('presets', () => {
  test('an hour is 3,600 seconds from now', () => {
    expect(presetExpiry('hour', NOW)).toEqual(new Date(NOW.getTime() + 3_600_000));
  });

  test('today ends with the last second of the local day', () => {
    expect(presetExpiry('today', NOW)).toEqual(new Date(2026, 10, 30, 23, 59, 59, 0));
  });

  test('days keep the hour of the day', () => {
    expect(presetExpiry('7days', NOW)).toEqual(new Date(2026, 11, 7, 12, 34, 56, 789));
    expect(presetExpiry('30days', NOW)).toEqual(new Date(2026, 11, 30, 12, 34, 56, 789));
  });

  test.each([
    [new Date(2026, 10, 15, 8), new Date(2027, 0, 15, 8)],
    [new Date(2026, 11, 31, 8), new Date(2027, 1, 28, 8)],
    [new Date(2027, 11, 31, 8), new Date(2028, 1, 29, 8)],
    [new Date(2026, 5, 30, 8), new Date(2026, 7, 30, 8)],
  ])('two months from %s', (from, to) => {
    expect(presetExpiry('2months', from)).toEqual(to);
  });

  test('never has no instant', () => {
    expect(presetExpiry('never', NOW)).toBeNull();
  });
});

describe('what is sent', () => {
  test('whole seconds in UTC, the form that the grants file has', () => {
    expect(isoSeconds(new Date(Date.UTC(2026, 10, 30, 12, 34, 56, 789)))).toBe('2026-11-30T12:34:56Z');
    const answer = expiryOf('7days', '', NOW);
    expect(answer).toEqual({ ok: true, expires_at: isoSeconds(new Date(2026, 11, 7, 12, 34, 56)) });
  });

  test('never sends null', () => {
    expect(expiryOf('never', 'rubbish is not looked at', NOW)).toEqual({ ok: true, expires_at: null });
  });

  test('a date of one’s own is local time', () => {
    expect(expiryOf('custom', '2026-12-24T18:00', NOW)).toEqual({
      ok: true,
      expires_at: isoSeconds(new Date(2026, 11, 24, 18, 0)),
    });
  });

  test.each([
    ['', 'missing'],
    ['   ', 'missing'],
    ['tomorrow', 'unreadable'],
    ['2026-13-40T10:00', 'unreadable'],
    ['2026-12-24', 'unreadable'],
    ['2026-11-30T12:34', 'past'],
    ['2020-01-01T00:00', 'past'],
  ])('%j is refused as %s', (text, why) => {
    expect(expiryOf('custom', text, NOW)).toEqual({ ok: false, why });
  });

  test('today is refused in the last second of the day, when it would be over at once', () => {
    expect(expiryOf('today', '', new Date(2026, 10, 30, 23, 59, 59, 500))).toEqual({ ok: false, why: 'past' });
  });
});

test('the date-time input is filled with local time', () => {
  expect(toLocalInput(new Date(2026, 0, 5, 9, 7, 59))).toBe('2026-01-05T09:07');
});
