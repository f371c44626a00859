import { expect, test } from 'vitest';
import { STRUCTURAL_RULES } from '../../../shared/domain/structural-rules.ts';
import { ruleSentence, ruleWords } from './rule-words.ts';

test('each rule of the guard, its core and its structure, has a sentence in both languages', () => {
  const rules = [...Object.keys(ruleWords.en), ...Object.keys(STRUCTURAL_RULES)];
  expect(rules).toContain('guard:unreadable');
  for (const rule of rules) {
    const [english, italian] = [ruleSentence('en', rule), ruleSentence('it', rule)];
    expect(english?.length, rule).toBeGreaterThan(10);
    expect(italian?.length, rule).toBeGreaterThan(10);
    expect(italian, rule).not.toBe(english);
  }
});

test.each([
  ['structure:delete.home', 'Deletes a whole home folder.'],
  ['delete.home', 'Deletes a whole home folder.'],
  ['structure:of.another.version', null],
  ['structure:', null],
  ['toString', null],
  ['structure:constructor', null],
])('%s reads as %s', (rule, expected) => {
  expect(ruleSentence('en', rule)).toBe(expected);
});
