import { expect, test } from 'vitest';
import { jsonLine, printable } from './printable.ts';

test.each([
  ['plain è 日本', 'plain è 日本'],
  ['\u001b[31mred', '\\u001b[31mred'],
  ['a\nb\r\t\u007f', 'a\\u000ab\\u000d\\u0009\\u007f'],
  ['\u009b31m', '\\u009b31m'],
  ['a\u202etxt.exe\u2066', 'a\\u202etxt.exe\\u2066'],
  ['zero\u200bwidth\ufeff', 'zero\\u200bwidth\\ufeff'],
])('%j is printed as %s', (text, printed) => {
  expect(printable(text)).toBe(printed);
});

test('a JSON line stays one line and reads back', () => {
  const value = { text: 'a\n\u001b[0m\u009b\u2028\u202e\\\u202e"é' };
  const line = jsonLine(value);
  expect(line).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
  expect(JSON.parse(line)).toEqual(value);
});
