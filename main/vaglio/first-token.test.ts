import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstContained } from './first-token.ts';

test('the first in the list that is contained, whichever way it is looked for', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 6 });
  // 1,000 tokens that are in no text push the search over to the automaton.
  const absent = Array.from({ length: 1000 }, (_, i) => `z${i}`);
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 8 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
      (tokens, piece) => {
        const text = piece + ' '.repeat(2000);
        const expected = tokens.find((token) => piece.includes(token)) ?? null;
        expect(firstContained(text, tokens)).toBe(expected);
        expect(firstContained(text, [...absent, ...tokens])).toBe(expected);
      },
    ),
    { numRuns: 100 },
  );
});
