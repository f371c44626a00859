import { expect, test } from 'vitest';
import type { FinalDecision, ProposalRow } from '../../../shared/domain/constitution.ts';
import { rowOf } from './proposal.fixture.ts';
import { figure, isAnswerable, joined, lineRange, share, whyKey } from './proposals.logic.ts';

test('figures say no more digits than they have, in the language of the panel', () => {
  expect([0.3, 0.2775, 1 / 3, -0.04].map((value) => figure(value, 'en'))).toEqual([
    '0.30',
    '0.2775',
    '0.3333',
    '-0.04',
  ]);
  expect(figure(0.2775, 'it')).toBe('0,2775');
  expect(share(1 / 3, 'en')).toBe('33.3%');
});

test.each<[FinalDecision, boolean, string]>([
  ['publish', true, 'why.publish'],
  ['defer', true, 'why.defer'],
  ['defer', false, 'why.deferUnjudged'],
  ['reject', true, 'why.reject'],
  ['reject', false, 'why.rejectUnjudged'],
  ['block', false, 'why.block'],
  ['allow', false, 'why.allow'],
])('%s (judged: %s) is told as %s', (decision, isJudged, key) => {
  expect(whyKey(rowOf(1, decision, isJudged ? {} : { terms: null }))).toBe(key);
});

test('a person answers proposals that were weighed, neither requests nor what a law stopped', () => {
  expect(['publish', 'defer', 'reject'].map((each) => isAnswerable(rowOf(1, each as FinalDecision)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(isAnswerable(rowOf(1, 'block'))).toBe(false);
  expect(isAnswerable({ ...rowOf(1, 'allow'), flow: 'reactive' })).toBe(false);
});

test('older pages go on where the first one ends, also after new rows came', () => {
  const ids = (rows: readonly ProposalRow[]) => rows.map(({ id }) => id);
  const rows = (...of: number[]) => of.map((id) => rowOf(id, 'reject'));
  expect(ids(joined(rows(9, 8, 7), rows(6, 5)))).toEqual([9, 8, 7, 6, 5]);
  expect(ids(joined(rows(8, 7, 6), rows(6, 5)))).toEqual([8, 7, 6, 5]);
  expect(ids(joined([], rows(6)))).toEqual([]);
});

test.each([
  [1, 'one'],
  [3, 'three'],
  [2, ''],
  [99, 'three'],
  [0, 'one'],
])('line %d of a text is found', (line, text) => {
  const { start, end } = lineRange('one\n\nthree', line);
  expect('one\n\nthree'.slice(start, end)).toBe(text);
});
