import type { VerdictRow } from '../../shared/domain/verdict.ts';

/** A verdict row for tests: approved, at second `seq`, unless said otherwise. */
export function verdict(seq: number, more: Partial<VerdictRow> = {}): VerdictRow {
  return {
    seq,
    ts: seq,
    approved: true,
    reason: 'approved: score 0.70 (score base)',
    judge_kind: 'rule-based-v1',
    score: 0.7,
    blocked_by: null,
    intent: `intent ${seq}`,
    executor: 'read_files',
    args_keys: ['path'],
    context_keys: ['mode'],
    rule: null,
    file: '2026-11.jsonl',
    offset: seq * 100,
    ...more,
  };
}
