import { expect, test } from 'vitest';
import { UserError } from '../engine/errors.ts';
import { DEFAULT_THRESHOLD, parseThreshold, twoDigits } from './threshold.ts';

test.each([
  ['0', 0],
  ['1', 1],
  ['0.99', 0.99],
  ['.5', 0.5],
  ['1.', 1],
  [' 3e-1 ', 0.3],
])('%j is a threshold', (text, value) => expect(parseThreshold(text)).toBe(value));

test('nothing set is the default', () => expect(parseThreshold(undefined)).toBe(DEFAULT_THRESHOLD));

test.each(['', ' ', 'abc', '1.01', '-0.1', 'nan', 'Infinity', '0x1', '0,3', '1e', '0.3.1'])(
  '%j is refused by name',
  (text) => {
    expect(() => parseThreshold(text)).toThrow(UserError);
    expect(() => parseThreshold(text)).toThrow(/^METNOS_JUDGE_THRESHOLD is ".*": give a number from 0 to 1/);
  },
);

// Right-hand sides are what Python's `{:.2f}` prints.
test.each([
  [0.125, '0.12'],
  [0.375, '0.38'],
  [0.625, '0.62'],
  [0.875, '0.88'],
  [0.3, '0.30'],
  [0.285, '0.28'],
  [0.005, '0.01'],
  [1, '1.00'],
])('%d has two digits', (value, text) => expect(twoDigits(value)).toBe(text));
