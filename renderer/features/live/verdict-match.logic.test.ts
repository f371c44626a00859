import { expect, test } from 'vitest';
import type { VerdictRow } from '../../../shared/domain/verdict.ts';
import type { VerdictFilter } from '../../../shared/rpc/audit.ts';
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
  ['text in the reason', blocked, { text: 'soglia' }, true],
  ['text in the executor', {}, { text: 'FILES' }, true],
  ['text that is nowhere', {}, { text: 'zzz' }, false],
  ['the first second of a range', { ts: 10 }, { from_ts: 10, to_ts: 20 }, true],
  ['the second at its end', { ts: 20 }, { from_ts: 10, to_ts: 20 }, false],
  ['a second before it', { ts: 9 }, { from_ts: 10 }, false],
])('%s', (_, row, filter, expected) => {
  expect(matchesFilter(verdict(1, row), filter)).toBe(expected);
});
