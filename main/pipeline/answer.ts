import type { DecideAnswer, Decider, DecisionKind, Stage, TrailStep } from '../../shared/domain/decision.ts';
import type { NewDecision } from '../db/decisions.ts';
import { refusalOf } from './refusal.ts';
import type { StageResult, Step } from './stage.ts';

/** How the line ended for a step. */
export interface Finish {
  decision: DecisionKind;
  stage: Stage;
  rule: string;
  reason: string;
  by: Decider;
  error: string | null;
  approval: { token: string; expires_at: string } | null;
}

export function stepOfTrail(stage: Stage, result: StageResult, ms: number, reached = true): TrailStep {
  const { outcome, rule, reason, matched } = result;
  return { stage, outcome, rule, reason, ms, matched, reached };
}

export function mayRun(decision: DecisionKind): boolean {
  switch (decision) {
    case 'allowed':
    case 'approved':
      return true;
    case 'denied':
    case 'rejected':
    case 'expired':
    case 'withdrawn':
    case 'approval_required':
      return false;
    default:
      return decision satisfies never;
  }
}

/** @param step null when there was no request that could be read */
export function answerOf(step: Step | null, trail: TrailStep[], finish: Finish): DecideAnswer {
  const { decision, stage, rule, reason, by, error, approval } = finish;
  const verdict = step?.verdict ?? null;
  const isOpen = mayRun(decision) || decision === 'approval_required';
  return {
    decision,
    stage,
    rule,
    reason,
    error,
    decided_by: by,
    trail,
    verdict,
    level: step?.level ?? null,
    needs_level: step?.needsLevel ?? null,
    capability: step?.capability ?? step?.needs[0]?.capability ?? null,
    targets: targetsOf(step),
    ...(step?.grantId === null || step?.grantId === undefined ? {} : { grant_id: step.grantId }),
    ...(approval === null ? {} : { approval }),
    refusal: isOpen ? null : refusalOf(rule, verdict?.blocked_by ?? null),
  };
}

function targetsOf(step: Step | null): string[] {
  const [first] = step?.needs ?? [];
  if (step?.needs.length === 1 && first !== undefined) return first.target === null ? [] : [first.target];
  return [...new Set(step?.needs.map(({ target }) => target).filter((target) => target !== null))];
}

/** As long as a path may be; a longer target is cut in the record. */
export const LONGEST_TARGET = 4096;

/** The answer as it is kept: of the args nothing but the target. */
export function decisionOf(
  step: Step | null,
  answer: DecideAnswer,
  at: number,
  verdictTs: number | null,
  token: string | null,
): NewDecision {
  const { channel = '', sender_id = '', executor = '', turn_id = null, context } = step?.request ?? {};
  const target = answer.targets.join('\n');
  return {
    at,
    channel,
    sender_id,
    executor,
    capability: answer.capability,
    target: target === '' ? null : target.slice(0, LONGEST_TARGET),
    level: answer.level,
    decision: answer.decision,
    stage: answer.stage,
    rule: answer.rule,
    decided_by: answer.decided_by,
    stages: answer.trail.map(({ stage, outcome, rule }) => ({ stage, outcome, rule })),
    verdict_ts: verdictTs,
    grant_id: answer.grant_id ?? null,
    approval_token: token,
    turn_id,
    step: typeof context?.step === 'number' && Number.isFinite(context.step) ? context.step : null,
    error: answer.error,
  };
}
