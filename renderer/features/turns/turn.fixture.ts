import { STAGES } from '../../../shared/domain/decision.ts';
import type { Turn, TurnRow, TurnStep } from '../../../shared/domain/turn.ts';
import type { TurnsState } from '../../../shared/rpc/turns.ts';

/** A row for tests: answered, of one step, at `at_ms`, unless said otherwise. */
export function turnRow(key: string, at_ms: number, over: Partial<TurnRow> = {}): TurnRow {
  return {
    key,
    source: 'log',
    turn_id: key,
    at_ms,
    start_ms: at_ms,
    end_ms: at_ms + 5000,
    last_ms: at_ms + 5000,
    intent: `turn ${key}`,
    channel: 'cli',
    sender: 'anna',
    final_kind: 'answer',
    steps: 1,
    refused: 0,
    failed: 0,
    ...over,
  };
}

/** A step for tests: it ran, and the log says nothing of policy and approval. */
export function turnStep(index: number, over: Partial<TurnStep> = {}): TurnStep {
  return {
    index,
    step_num: index + 1,
    executor: 'read_files',
    outcome: 'ran',
    stages: STAGES.map((stage) => ({
      stage,
      state: stage === 'policy' || stage === 'approval' ? 'unknown' : 'passed',
      rule: null,
      reason: null,
      ms: null,
    })),
    vaglio_approved: true,
    args_keys: ['path'],
    has_values: true,
    target: null,
    error: null,
    llm_in_tokens: 1547,
    llm_out_tokens: 128,
    llm_latency_ms: 1868,
    intent_ms: 12,
    vaglio_ms: 0,
    exec_ms: 341,
    decided_ms: null,
    verdict: null,
    ...over,
  };
}

export function turnOf(row: TurnRow, steps: TurnStep[], over: Partial<Turn> = {}): Turn {
  return {
    row,
    steps,
    left_out: 0,
    final_message: 'Done.',
    conversation_id: null,
    owner_user_id: null,
    mode: 'supervised',
    other_keys: [],
    place: { file: '2026-11-30.jsonl', line: 1, offset: 0 },
    ...over,
  };
}

export const turnsState = (over: Partial<TurnsState> = {}): TurnsState => ({
  phase: 'following',
  files: 1,
  turns: 3,
  unreadable: 0,
  unreadable_at: [],
  left_out: 0,
  problem: null,
  detail: null,
  line_problem: null,
  transcripts: null,
  ...over,
});
