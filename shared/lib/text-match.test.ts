import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldWords, matchesText, wordsOf } from './text-match.ts';

test.each([
  ['perche', 'Perché no', true],
  ['PERCHÉ', 'perche', true],
  ['citta', 'la città', true],
  ['fatt nov', 'le fatture di novembre', true],
  ['nov fatt', 'le fatture di novembre', true],
  ['atture', 'le fatture', false],
  ['fatture altro', 'le fatture', false],
  ['shell_ex', 'shell_exec', true],
  ['.ssh', "pattern '(^|/)\\.ssh(/|$)'", true],
  ['', 'anything', true],
  [' -- ', 'anything', true],
  ['日本', '日本語', true],
])('%j in %j: %s', (asked, text, expected) => {
  expect(matchesText(asked, [text])).toBe(expected);
});

test('words may stand in several texts', () => {
  expect(matchesText('read notes', ['the notes', 'read_files'])).toBe(true);
});

test('a text that is kept for search has the same words', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(wordsOf(foldWords(text))).toEqual(wordsOf(text));
    }),
  );
});

test('the short way to a no is a no by the rule itself', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'e', '\u0301', 'ﬁ', 'İ', ' ', '-', '日', '1') });
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (asked, texts) => {
      const said = texts.flatMap(wordsOf);
      const words = wordsOf(asked);
      const expected = words.every((word) => said.some((each) => each.startsWith(word)));
      expect(matchesText(asked, texts)).toBe(expected);
    }),
  );
});
