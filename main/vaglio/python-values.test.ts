import { expect, test } from 'vitest';
import { PyFloat, pyFloat, pyReprString, pyStr, pyTruthy } from './python-values.ts';

// Right-hand sides are what Python 3.11 prints.
test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [0.7, '0.7'],
  [123.25, '123.25'],
  [1e15, '1000000000000000.0'],
  [123456789012345680, '1.2345678901234568e+17'],
  [1e16, '1e+16'],
  [1.5e300, '1.5e+300'],
  [0.0001, '0.0001'],
  [0.00012, '0.00012'],
  [0.00001, '1e-05'],
  [-2.5e-7, '-2.5e-07'],
  [1793493753.4563165, '1793493753.4563165'],
  [Number.POSITIVE_INFINITY, 'inf'],
  [Number.NEGATIVE_INFINITY, '-inf'],
  [Number.NaN, 'nan'],
])('repr of the float %d', (value, text) => expect(pyFloat(value)).toBe(text));

test.each([
  ['plain', "'plain'"],
  ["it's", '"it\'s"'],
  [`it's "so"`, `'it\\'s "so"'`],
  ['say "so"', `'say "so"'`],
  ['a\\b', "'a\\\\b'"],
  ['\t\n\r\0\x1f\x7f', "'\\t\\n\\r\\x00\\x1f\\x7f'"],
  ['\x85\xa0\xad', "'\\x85\\xa0\\xad'"],
  ['é日\u0301', "'é日\u0301'"],
  ['\u200b\u2028\u0378', "'\\u200b\\u2028\\u0378'"],
  ['\u{1f600}\u{1fae8}\u{e0001}', "'\u{1f600}\\U0001fae8\\U000e0001'"],
  ['\ud800', "'\\ud800'"],
])('repr of the text %j', (value, text) => expect(pyReprString(value)).toBe(text));

test.each([
  ['x', 'x'],
  [null, 'None'],
  [undefined, 'None'],
  [true, 'True'],
  [false, 'False'],
  [777, '777'],
  [-0, '0'],
  [1e20, '100000000000000000000'],
  [1.5, '1.5'],
  [10n ** 30n, '1000000000000000000000000000000'],
  [new PyFloat(777), '777.0'],
  [[1, 'a', [null, true], {}], "[1, 'a', [None, True], {}]"],
  [{ a: 'x', 'b c': [1] }, "{'a': 'x', 'b c': [1]}"],
  [new Map([['1', 'x']]), "{'1': 'x'}"],
])('str of %s', (value, text) => expect(pyStr(value)).toBe(text));

test('truth as in Python', () => {
  for (const value of [undefined, null, false, 0, -0, 0n, '', [], {}, new Map(), new PyFloat(0)]) {
    expect(pyTruthy(value)).toBe(false);
  }
  for (const value of [true, 1, 'x', ' ', [0], { a: 0 }, new Map([['a', 0]]), new PyFloat(0.5), Number.NaN]) {
    expect(pyTruthy(value)).toBe(true);
  }
});

test('what JSON cannot hold has no text', () => expect(() => pyStr(() => 1)).toThrow(TypeError));
