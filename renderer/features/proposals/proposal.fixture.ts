import type { FinalDecision, ProposalRow, VaglioResult } from '../../../shared/domain/constitution.ts';

const TELEOLOGICAL = { publish: 'publish', reject: 'reject', defer: 'defer_to_digest' } as const;

/** A kept evaluation: three ends, a fit of 0.8 for the first and 0.3, below its threshold, for the second. */
export function rowOf(id: number, decision: FinalDecision, change: Partial<VaglioResult> = {}): ProposalRow {
  const isWeighed = decision === 'publish' || decision === 'reject' || decision === 'defer';
  const result: VaglioResult = {
    action_id: '7b0c4f3e-8a64-4a7e-9a55-0d5a2f6f6c11',
    final_decision: decision,
    guard: { passes: true, contradicted_article: null, reason: '' },
    judge: isWeighed
      ? {
          expected_alignment: 0.38,
          per_telos: [
            { telos_id: 't.health', fit: 0.8, why: 'it gets you out' },
            { telos_id: 't.family', fit: 0.3, why: 'nobody comes along \u202e' },
          ],
          confidence: 1,
          bother_cost: 0.02,
          threshold_used: 0.3,
          decision: TELEOLOGICAL[decision],
        }
      : null,
    llm_config_used: { provider: 'local', model: 'm', tier: 'default' },
    at: '2026-11-30T12:00:00.000Z',
    reason: 'as it is recorded',
    terms: isWeighed
      ? {
          teloi: [
            { telos_id: 't.health', weight: 0.5, ema: 1, fit: 0.8, threshold: 0.4, gated: 0.8 },
            { telos_id: 't.family', weight: 0.5, ema: 1, fit: 0.3, threshold: 0.5, gated: 0 },
          ],
          sum: 0.4,
          urgency: 1,
          confidence: 1,
          before_bother: 0.4,
          bother_cost: 0.02,
          expected_alignment: 0.38,
        }
      : null,
    urgency: { given: 1, used: 1 },
    audit_signature: 'a'.repeat(64),
    ...change,
  };
  return {
    id,
    at: Date.UTC(2026, 10, 30, 12),
    flow: 'proactive',
    capability: null,
    targets: ['~/notes'],
    action: {
      kind: `idea_${id}`,
      scope: [],
      impact: 'one note',
      plan: ['look', 'write'],
      reversibility: 'reversible',
      rationale: 'because',
    },
    result,
    fingerprint: `f${id}`,
    answer: null,
    answered_at: null,
  };
}
