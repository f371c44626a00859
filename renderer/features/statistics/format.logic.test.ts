import { describe, expect, test } from 'vitest';
import { formatBucket, formatBucketFull, formatCount, formatMonth, formatShare } from './format.logic.ts';

test('counts are grouped as the language does it', () => {
  expect(formatCount(1234567, 'en')).toBe('1,234,567');
  expect(formatCount(1234, 'it')).toBe('1.234');
});

describe('shares', () => {
  test.each([
    [0, '0%'],
    [0.0004, '< 0.1%'],
    [0.014, '1.4%'],
    [0.25, '25%'],
    [0.9996, '> 99.9%'],
    [1, '100%'],
  ])('%d is %s', (share, text) => expect(formatShare(share, 'en')).toBe(text));
});

test('times are local, short on the axis and full in the table', () => {
  const at = new Date(2026, 10, 30, 9, 0).getTime() / 1000;
  expect(formatBucket(at, 'hour', 'en')).toBe('09:00');
  expect(formatBucket(at, 'day', 'it')).toBe('30 nov');
  expect(formatBucketFull(at, 'day', 'en')).toBe('Mon, Nov 30, 2026');
  expect(formatBucketFull(at, 'hour', 'it')).toContain('09:00');
});

test('a month file has the name of its month', () => {
  expect(formatMonth('2026-11', 'en')).toBe('November 2026');
  expect(formatMonth('2026-01', 'it')).toBe('gennaio 2026');
});
