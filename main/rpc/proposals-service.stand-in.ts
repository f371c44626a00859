import type { ProposalRow, VaglioResult } from '../../shared/domain/constitution.ts';
import type { ThresholdOutcome } from '../../shared/rpc/proposals.ts';
import type { ProposalsService } from '../engine/services.ts';

const result: VaglioResult = {
  action_id: '7b0c4f3e-8a64-4a7e-9a55-0d5a2f6f6c11',
  final_decision: 'allow',
  guard: { passes: true, contradicted_article: null, reason: '' },
  judge: null,
  llm_config_used: { provider: 'none', model: 'none', tier: 'none' },
  at: '2026-11-30T12:00:00.000Z',
  reason: 'no law is contradicted',
  terms: null,
  urgency: { given: 1, used: 1 },
  audit_signature: 'a',
};

const row: ProposalRow = {
  id: 1,
  at: 1_793_491_200_000,
  flow: 'proactive',
  capability: null,
  targets: [],
  action: { kind: 'remind', scope: [], impact: 'i', plan: ['p'], reversibility: 'reversible', rationale: 'r' },
  result,
  fingerprint: 'f',
  answer: null,
  answered_at: null,
};

const outcome = (theta: number): ThresholdOutcome => ({
  ...{ theta, publish: 0, defer: 0, reject: 0 },
  ...{ hits: 0, disturbances: 0, missed: 0, spared: 0 },
});

/** Answers for the methods about proposals. @param stream stays open behind its events */
export function sampleProposals(
  stream: (events: readonly { version: number }[], signal: AbortSignal) => AsyncIterable<{ version: number }>,
): ProposalsService {
  const telos = { path: '/t/TELOS.md', text: null, version: 'none', teloi: [], problems: [], unreadable: null };
  return {
    evaluate: () => result,
    list: () => ({ rows: [row], more: false, problem: null }),
    digest: () => ({ day: '2026-11-30', rows: [row], problem: null }),
    answer: ({ id, answer }) => ({ ...row, id, answer, answered_at: 2 }),
    unwanted: () => ({ entries: [{ fingerprint: 'f', kind: 'remind', targets: [], since: 1 }], problem: null }),
    allowAgain: () => ({ changed: true }),
    standing: () => ({
      theta: 0.3,
      bother: { base: 0.1, daily_quota: 5 },
      published_today: 0,
      bother_cost: 0,
      judge: null,
      judge_problem: 'none',
      audit_signature: 'a',
      problem: null,
    }),
    calibration: ({ theta }) => ({
      ...{ judged: 0, answered: 0, bins: [], problem: null },
      in_force: outcome(0.3),
      supposed: outcome(theta),
    }),
    telos: () => telos,
    checkTelos: () => ({ teloi: [], problems: [{ line: 1, code: 'no-sections', what: '' }] }),
    saveTelos: ({ text }) => ({ ...telos, text }),
    changed: (_, signal) => stream([{ version: 1 }], signal),
  };
}
