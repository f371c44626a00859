import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findObjects } from './found-objects.ts';

const answer = { score: 0.4, reason: 'fits {roughly}, "quoted" \\ and }' };
const json = JSON.stringify(answer);

test.each([
  ['alone', json],
  ['with prose around it', `Here it is: ${json}\nI hope that helps.`],
  ['in a fence', `\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\``],
  ['in a list', `[${json}]`],
  ['after thoughts with a stray brace', `<think>a { b, or {c}</think>${json}`],
  ['after an apostrophe and an open quote', `It's "so: ${json}`],
])('an object is found %s', (_, text) => {
  expect(findObjects(text)).toEqual([answer]);
});

test.each([
  ['no brace', 'the score is 0.4'],
  ['an object that was cut off', json.slice(0, -1)],
  ['single quotes', "{'score': 0.4}"],
  ['nothing', ''],
  ['a list', '[0.4]'],
])('%s is no object', (_, text) => {
  expect(findObjects(text)).toEqual([]);
});

test('several are given in their order, one inside another is part of it', () => {
  expect(findObjects('{"a": {"b": 1}} and {"c": 2}')).toEqual([{ a: { b: 1 } }, { c: 2 }]);
});

test('any object is found in any text without braces', () => {
  const prose = fc.string().map((text) => text.replaceAll(/[{}]/g, ''));
  fc.assert(
    fc.property(prose, fc.dictionary(fc.string(), fc.jsonValue()), prose, (before, object, after) => {
      expect(findObjects(before + JSON.stringify(object) + after)).toEqual([JSON.parse(JSON.stringify(object))]);
    }),
  );
});

test('no text throws', () => {
  const pieces = fc.array(fc.constantFrom('{', '}', '"', '\\', '[', ']', ':', ',', '1', 'a', '\u{1f600}'));
  fc.assert(fc.property(pieces, (parts) => Array.isArray(findObjects(parts.join('')))));
});

test('a text of braces alone is given up', () => {
  expect(findObjects(`${'{'.repeat(200_000)}${json}`)).toEqual([]);
});
