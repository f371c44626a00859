import { expect, test } from 'vitest';
import {
  compareCodePoints,
  hasLength,
  isPyPrintable,
  isPySpace,
  isPyWord,
  pyIncludes,
  pyLower,
} from './python-unicode.ts';

test('white space is the twenty-nine characters of str.isspace', () => {
  const found: number[] = [];
  for (let unit = 0; unit <= 0xffff; unit++) if (isPySpace(unit)) found.push(unit);
  expect(found).toEqual([
    9, 10, 11, 12, 13, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
    0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
  ]);
});

test('word characters are letters and numbers of Unicode 14, and the underscore', () => {
  let count = 0;
  for (let code = 0; code <= 0x10ffff; code++) {
    if (!isPyWord(code)) continue;
    count++;
    // A newer engine knows more of them, never fewer.
    if (!/[\p{L}\p{N}_]/u.test(String.fromCodePoint(code))) expect.fail(`U+${code.toString(16)} is no word character`);
  }
  // Counted with Python 3.11: sum(c.isalnum() or c == '_' for c in map(chr, range(0x110000))).
  expect(count).toBe(133_548);
  for (const newer of [0x1c89, 0x31350, 0xa7dc, 0x11f04]) expect(isPyWord(newer)).toBe(false);
});

test('printable characters are those of Unicode 14', () => {
  let count = 0;
  for (let code = 0; code <= 0x10ffff; code++) if (isPyPrintable(code)) count++;
  // Counted with Python 3.11: sum(map(str.isprintable, map(chr, range(0x110000)))).
  expect(count).toBe(144_516);
});

test('lower case as in Python, with the capitals of Unicode 14', () => {
  expect(pyLower('ÀÉİ ΑΣ ΑΣΑ')).toBe('àéi̇ ας ασα');
  expect(pyLower('A\u1c89B\u{10d50}C\ua7cb')).toBe('a\u1c89b\u{10d50}c\ua7cb');
});

test('lengths and searches go by code points', () => {
  expect(hasLength('ab', 3)).toBe(false);
  expect(hasLength('abc', 3)).toBe(true);
  expect(hasLength('\u{1f600}\u{1f600}', 3)).toBe(false);
  expect(hasLength('\ud800\ud800\ud800', 3)).toBe(true);
  expect(pyIncludes('a\u{1f600}b', '\ude00b')).toBe(false);
  expect(pyIncludes('a\u{1f600}b', 'a\ud83d')).toBe(false);
  expect(pyIncludes('a\u{1f600} \ude00b', '\ude00b')).toBe(true);
  expect(pyIncludes('a\u{1f600}b', '\u{1f600}')).toBe(true);
});

test('order is by code point', () => {
  expect(['\u{1f600}', '\uffff', 'b', 'ab', 'a', ''].toSorted(compareCodePoints)).toEqual([
    '',
    'a',
    'ab',
    'b',
    '\uffff',
    '\u{1f600}',
  ]);
});
