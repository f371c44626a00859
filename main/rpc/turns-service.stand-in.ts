import type { Turn } from '../../shared/domain/turn.ts';
import type { TurnsState } from '../../shared/rpc/turns.ts';
import type { TurnsService } from '../engine/services.ts';

const state: TurnsState = {
  phase: 'following',
  files: 1,
  turns: 1,
  unreadable: 0,
  unreadable_at: [],
  left_out: 0,
  problem: null,
  detail: null,
  line_problem: null,
  transcripts: null,
};

const turn: Turn = {
  row: {
    key: 't1',
    source: 'log',
    turn_id: 't1',
    at_ms: 1_793_491_200_000,
    start_ms: 1_793_491_200_000,
    end_ms: 1_793_491_203_000,
    last_ms: 1_793_491_203_000,
    intent: 'read the notes',
    channel: 'cli',
    sender: 'anna',
    final_kind: 'answer',
    steps: 0,
    refused: 0,
    failed: 0,
  },
  steps: [],
  left_out: 0,
  final_message: 'Done.',
  conversation_id: null,
  owner_user_id: null,
  mode: null,
  other_keys: [],
  place: { file: '2026-11-01.jsonl', line: 1, offset: 0 },
};
const none = { text: null, left: 0 };

/** Answers for the turns' methods. @param open streams its events, then stays open */
export function sampleTurns(
  open: (
    events: readonly { rows: Turn['row'][]; reset: boolean; state: TurnsState }[],
    signal: AbortSignal,
  ) => AsyncIterable<{ rows: Turn['row'][]; reset: boolean; state: TurnsState }>,
): TurnsService {
  return {
    page: async () => ({ rows: [turn.row], more: false, state }),
    choices: async () => ({ channels: [{ name: 'cli', count: 1 }], senders: [], outcomes: [], executors: [] }),
    get: async () => turn,
    values: async () => ({ raw_args: none, resolved_args: none, result: none, other: none, problem: null }),
    raw: async () => ({ text: '{}', left: 0, problem: null }),
    ofVerdict: async () => ({ found: { key: 't1', index: 0, intent: 'read the notes', sure: true } }),
    live: (_, signal) => open([{ rows: [turn.row], reset: false, state }], signal),
  };
}
