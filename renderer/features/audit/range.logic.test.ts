import { expect, test } from 'vitest';
import { fromField, scoresOf, toField } from './range.logic.ts';

test('a time goes into its field and out again, to the second', () => {
  const at = new Date(2026, 10, 30, 9, 5, 7).getTime() / 1000;
  expect(toField(at)).toBe('2026-11-30T09:05:07');
  expect(fromField(toField(at))).toBe(at);
  expect(fromField('2026-11-30T09:05')).toBe(at - 7);
  expect([toField(undefined), fromField(''), fromField('2026-11')]).toEqual(['', undefined, undefined]);
});

test.each([
  ['', '', { min: undefined, max: undefined }],
  ['0.25', '0,3', { min: 0.25, max: 0.3 }],
  ['', ' 1 ', { min: undefined, max: 1 }],
  ['0.3', '0.3', null],
  ['0.5', '0.2', null],
  ['low', '', null],
  ['-1', '', null],
  ['', '2', null],
])('scores from %j below %j', (from, to, expected) => {
  expect(scoresOf(from, to)).toEqual(expected);
});
