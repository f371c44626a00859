import { expect, test } from 'vitest';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import type { VerdictFilter } from '../../shared/rpc/audit.ts';
import { verdict } from './verdict.fixture.ts';
import { matchesFilter } from './verdict-match.logic.ts';

const blocked: Partial<VerdictRow> = {
  approved: false,
  blocked_by: 'judge',
  rule: 'judge:threshold',
  reason: 'judge: score 0.20 < soglia 0.30 (score base)',
};

test.each<[string, Partial<VerdictRow>, VerdictFilter, boolean]>([
  ['everything without a filter', {}, {}, true],
  ['approved', {}, { outcome: 'approved' }, true],
  ['approved when denied is asked', {}, { outcome: 'denied' }, false],
  ['denied', blocked, { outcome: 'denied' }, true],
  ['the phase', blocked, { blocked_by: 'judge' }, true],
  ['another phase', blocked, { blocked_by: 'guard' }, false],
  [
    'a denied line that names no phase, asked as unknown',
    { ...blocked, blocked_by: null },
    { blocked_by: 'unknown' },
    true,
  ],
  ['an approved line asked as unknown', {}, { blocked_by: 'unknown' }, false],
  ['the rule', blocked, { rule: 'judge:threshold' }, true],
  ['an approved line asked for a rule', { rule: 'x' }, { rule: 'x' }, false],
  ['the executor, whole', {}, { executor: 'read_files' }, true],
  ['part of the executor', {}, { executor: 'read' }, false],
  ['text in the intent, other case', { intent: 'Città' }, { text: 'CITTÀ' }, true],
  ['text without its accents', { intent: 'Perché no' }, { text: 'perche' }, true],
  ['the beginning of a word', { intent: 'leggi le note' }, { text: 'not leg' }, true],
  ['the middle of a word', { intent: 'annotazioni' }, { text: 'note' }, false],
  ['the score at the lower end', { score: 0.25 }, { min_score: 0.25, max_score: 0.3 }, true],
  ['the score at the upper end', { score: 0.3 }, { min_score: 0.25, max_score: 0.3 }, false],
  ['a sum that floating point left a hair below', { score: 0.7999999999999999 }, { min_score: 0.8 }, true],
  ['a score of 1 in the last bin', { score: 1 }, { min_score: 0.95, max_score: 1 }, true],
  ['no score', { score: null }, { min_score: 0 }, false],
  ['text in the reason', blocked, { text: 'soglia' }, true],
  ['text in the executor', {}, { text: 'FILES' }, true],
  ['text that is nowhere', {}, { text: 'zzz' }, false],
  ['the first second of a range', { ts: 10 }, { from_ts: 10, to_ts: 20 }, true],
  ['the second at its end', { ts: 20 }, { from_ts: 10, to_ts: 20 }, false],
  ['a second before it', { ts: 9 }, { from_ts: 10 }, false],
])('%s', (_, row, filter, expected) => {
  expect(matchesFilter(verdict(1, row), filter)).toBe(expected);
});
