import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf, cutForeignText, foreignToPlain } from './foreign-text.logic.ts';

const marks = (text: string) => cutForeignText(text).flatMap((piece) => (piece.kind === 'mark' ? [piece.label] : []));

test.each([
  ['a NUL', 'a\u0000b', ['NUL']],
  ['an escape sequence', '\u001b[31mred', ['ESC']],
  ['a line feed and a tab', 'a\n\tb', ['↵', '⇥']],
  ['a right-to-left override', 'gnp\u202eexe', ['RLO']],
  ['every bidi isolate', '\u2066\u2067\u2068\u2069', ['LRI', 'RLI', 'FSI', 'PDI']],
  ['a zero-width space', 'rm\u200b -rf', ['ZWSP']],
  ['a joiner between letters', 'a\u200db', ['ZWJ']],
  ['a byte order mark', '\ufeffid', ['BOM']],
  ['a soft hyphen', 'pass\u00adwd', ['SHY']],
  ['a no-break space', 'a\u00a0b', ['NBSP']],
  ['an ideographic space', 'a\u3000b', ['U+3000']],
  ['a blank Braille cell', 'a\u2800b', ['U+2800']],
  ['a Hangul filler', 'a\u3164b', ['U+3164']],
  ['a tag character', 'a\u{e0041}b', ['U+E0041']],
  ['a variation selector on a letter', 'a\ufe0fb', ['U+FE0F']],
  ['a lone surrogate', 'a\ud83d', ['U+D83D']],
  ['a private use character', '\ue000', ['U+E000']],
  ['a line separator', 'a\u2028b', ['LS']],
])('shows %s', (_, text, expected) => {
  expect(marks(text)).toEqual(expected);
});

test.each([
  ['ordinary text', 'aggiorna i pacchetti, per favore: è già tardi'],
  ['markup', '<b onclick="x">&amp;</b>'],
  ['letters that run from right to left', 'שלום'],
  ['a combining accent', 'e\u0301'],
  ['an emoji family', '👨\u200d👩\u200d👧'],
  ['an emoji with a colour selector', '❤\ufe0f'],
])('leaves %s alone', (_, text) => {
  expect(cutForeignText(text)).toEqual([{ kind: 'text', text }]);
});

test('loses nothing that can be seen, and lets nothing hidden through', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const pieces = cutForeignText(text);
      const plain = pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join('');
      expect(plain).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\u2060]/u);
      expect(pieces.filter((piece) => piece.kind === 'mark').length + [...plain].length).toBe([...text].length);
    }),
  );
});

test('writes marks in brackets where there is no markup', () => {
  expect(foreignToPlain('a\u202eb')).toBe('a⟨RLO⟩b');
});

test('cuts a long text, counts what is left out and never halves a character', () => {
  expect(beginningOf('abcdef', 4)).toEqual({ text: 'abcd', left: 2 });
  expect(beginningOf('abcd', 4)).toEqual({ text: 'abcd', left: 0 });
  expect(beginningOf('abc😀', 4)).toEqual({ text: 'abc', left: 2 });
});
