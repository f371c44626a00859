import { expect, test } from 'vitest';
import { formatBytes } from './bytes.logic.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1234, '1.2 kB'],
  [999_499, '999 kB'],
  [999_600, '1 MB'],
  [48_000_000, '48 MB'],
  [1_250_000_000, '1.3 GB'],
  [5e15, '5,000 TB'],
])('%i bytes are %s', (bytes, expected) => {
  expect(formatBytes(bytes, 'en')).toBe(expected);
});

test('Italian has a comma', () => {
  expect(formatBytes(1234, 'it')).toBe('1,2 kB');
});
