import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alignVerdicts } from './align-verdicts.ts';
import { stepOfLog } from './step-facts.ts';

const steps = (...names: string[]) => names.map((chosen_tool, index) => stepOfLog({ chosen_tool }, index));
const verdicts = (...names: string[]) => names.map((executor) => ({ executor, approved: true }));

test.each<[string, string[], string[], (number | null)[]]>([
  ['in order', ['a', 'b', 'c'], ['a', 'b', 'c'], [0, 1, 2]],
  ['a step without a verdict', ['a', 'b', 'c'], ['a', 'c'], [0, null, 1]],
  ['a verdict of something else between', ['a', 'c'], ['a', 'x', 'c'], [0, 2]],
  ['a step that would take the verdicts of all behind it', ['c', 'a', 'b'], ['a', 'b', 'c'], [null, 0, 1]],
  ['the same executor twice, one verdict', ['a', 'a'], ['a'], [0, null]],
  ['nothing fits', ['a'], ['b'], [null]],
  ['no verdict', ['a'], [], [null]],
])('%s', (_, given, found, expected) => {
  expect(alignVerdicts(steps(...given), verdicts(...found))).toEqual(expected);
});

test('a step that the guard refused is not tied to a verdict that let it pass', () => {
  const refused = stepOfLog({ chosen_tool: 'a', vaglio_approved: false }, 0);
  expect(alignVerdicts([refused], verdicts('a'))).toEqual([null]);
});

test('a step that never came to the vaglio has no verdict', () => {
  const invalid = stepOfLog({ chosen_tool: 'a', validation_failures: ['x'] }, 0);
  expect(alignVerdicts([invalid, ...steps('a')], verdicts('a'))).toEqual([null, 0]);
});

test('pairs agree, keep both orders and use no verdict twice', () => {
  const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
  fc.assert(
    fc.property(names, names, (given, found) => {
      const places = alignVerdicts(steps(...given), verdicts(...found));
      const taken = places.filter((place) => place !== null);
      expect(taken).toEqual([...new Set(taken)].sort((one, other) => one - other));
      for (const [index, place] of places.entries()) if (place !== null) expect(found[place]).toBe(given[index]);
    }),
  );
});
