import type { ApprovalCard } from '../../shared/domain/approval.ts';
import type { DecideAnswer } from '../../shared/domain/decision.ts';
import type { Services } from '../engine/services.ts';
import { openStream } from './open-stream.stand-in.ts';

/** Answers for the line's and the approvals' methods, for tests of what stands in front of the services. */
export const sampleCard: ApprovalCard = {
  token: 't1',
  channel: 'telegram',
  sender_id: 'anna',
  status: 'pending',
  created_ms: 1_793_491_200_000,
  expires_ms: 1_793_491_800_000,
  decided_ms: null,
  decided_by: null,
  ours: true,
  waiting: true,
  verb: 'write',
  intent: 'file the invoice',
  executor: 'write_files',
  object: '~/notes/a.txt',
  from: null,
  to: null,
  bytes: null,
  count: 1,
  args_text: '{}',
  capability: 'fs:write',
  critical: true,
  reversible: true,
  depth: 'full',
  asked_before: 0,
  similar: { capability: 'fs:write', target: '~/notes/*' },
  problem: null,
};

export const sampleAnswer: DecideAnswer = {
  decision: 'allowed',
  stage: 'vaglio',
  rule: 'line:passed',
  reason: 'all stages passed',
  error: null,
  decided_by: 'table',
  trail: [],
  verdict: null,
  level: 'Supervised',
  needs_level: null,
  capability: 'fs:read',
  targets: ['~/notes/a.txt'],
  refusal: null,
};

export function sampleLineServices(listening: { now: number }): Pick<Services, 'approvals' | 'line'> {
  return {
    approvals: {
      list: () => ({ cards: [sampleCard], more: false, problem: null }),
      count: () => ({ pending: 1, problem: null }),
      resolve: () => ({ card: { ...sampleCard, status: 'approved' }, grant: null, problem: null }),
      checkSimilar: () => ({ ok: true, problem: null, needs_confirmation: false }),
      watch: (_, signal) =>
        openStream<{ pending: number; cards: ApprovalCard[]; problem: null }>(listening)(
          [{ pending: 1, cards: [sampleCard], problem: null }],
          signal,
        ),
      silenced: () => ({ silences: [] }),
      unsilence: () => ({ changed: false }),
    },
    line: {
      try: () => sampleAnswer,
      tryMany: () => ({ rows: [], total: 0, changed: 0, left_out: 0 }),
      decisions: () => ({ rows: [], more: false, problem: null }),
      inFlight: () => ({ requests: [] }),
    },
  };
}
