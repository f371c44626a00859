import { type DecisionRow, STAGES, type Stage } from '../../shared/domain/decision.ts';
import type { StepOutcome, TurnStage, TurnStep } from '../../shared/domain/turn.ts';

/**
 * What a step of the turn log and a kept answer of our own line say about one step (files page; pipeline page,
 * "Turns"). Other programs and versions write the log: a key may be missing or of another type, and then nothing
 * is known. Pure.
 */
export type RawStep = Record<string, unknown>;

const KNOWN_KEYS = new Set([
  'step_num',
  'chosen_tool',
  'raw_args',
  'resolved_args',
  'validation_failures',
  'scope_violation',
  'vaglio_approved',
  'result',
  'error',
  'llm_in_tokens',
  'llm_out_tokens',
  'llm_latency_ms',
  'intent_ms',
  'vaglio_ms',
  'exec_ms',
]);

const VAGLIO_PREFIX = 'vaglio rifiuta: ';
const SCOPE_PREFIX = 'outside allowed scope';
const MAX_REASON = 4000;
const MAX_KEYS = 200;
/** A single-letter name or a whole novel: both are shown, the second one cut. */
const MAX_NAME = 256;

/** The stage at which a step of the log ended, null when none did or none is told. */
function endedAt(step: RawStep): Stage | null {
  if (Array.isArray(step.validation_failures) && step.validation_failures.length > 0) return 'validation';
  if (says(step.scope_violation)) return 'scope';
  if (step.vaglio_approved === false) return 'vaglio';
  const error = typeof step.error === 'string' ? step.error : '';
  if (error.startsWith(VAGLIO_PREFIX)) return 'vaglio';
  return error.startsWith(SCOPE_PREFIX) ? 'scope' : null;
}

/** How a step of the log went. */
export function outcomeOf(step: RawStep): StepOutcome {
  if (endedAt(step) !== null) return 'refused';
  const result = recordOf(step.result);
  if (says(step.error) || result?.ok === false) return 'failed';
  if (step.result !== null && step.result !== undefined) return 'ran';
  return numberOf(step.exec_ms) === null ? 'unknown' : 'ran';
}

function stagesOf(step: RawStep): TurnStage[] {
  const ended = endedAt(step);
  const end = ended === null ? STAGES.length : STAGES.indexOf(ended);
  return STAGES.map((stage, place) => {
    const ms = stage === 'vaglio' ? numberOf(step.vaglio_ms) : null;
    const known = (state: TurnStage['state'], reason: string | null = null): TurnStage => ({
      stage,
      state,
      rule: null,
      reason,
      ms,
    });
    if (place > end) return known('not-reached');
    if (place === end) return known('ended', reasonOf(step, stage));
    if (stage === 'validation') return known(Array.isArray(step.validation_failures) ? 'passed' : 'unknown');
    if (stage === 'scope') return known(Object.hasOwn(step, 'scope_violation') ? 'passed' : 'unknown');
    if (stage === 'vaglio') return known(step.vaglio_approved === true ? 'passed' : 'unknown');
    // The log has nothing about the policy, nor about who was asked.
    return known('unknown');
  });
}

function reasonOf(step: RawStep, stage: Stage): string | null {
  if (stage === 'validation' && Array.isArray(step.validation_failures)) {
    return cut(step.validation_failures.map(wordOf).join('; '), MAX_REASON);
  }
  if (stage === 'scope' && says(step.scope_violation)) return cut(wordOf(step.scope_violation), MAX_REASON);
  const error = typeof step.error === 'string' ? step.error : '';
  return error === ''
    ? null
    : cut(error.startsWith(VAGLIO_PREFIX) ? error.slice(VAGLIO_PREFIX.length) : error, MAX_REASON);
}

/** A step of the log. @param index its place in the turn */
export function stepOfLog(step: RawStep, index: number): TurnStep {
  const args = recordOf(step.resolved_args) ?? recordOf(step.raw_args) ?? {};
  return {
    index,
    step_num: numberOf(step.step_num),
    executor: textOf(step.chosen_tool, MAX_NAME),
    outcome: outcomeOf(step),
    stages: stagesOf(step),
    vaglio_approved: typeof step.vaglio_approved === 'boolean' ? step.vaglio_approved : null,
    args_keys: Object.keys(args)
      .slice(0, MAX_KEYS)
      .map((key) => textOf(key, MAX_NAME)),
    has_values: ['raw_args', 'resolved_args', 'result'].some((key) => step[key] !== null && step[key] !== undefined),
    target: null,
    error: says(step.error) ? cut(wordOf(step.error), MAX_REASON) : null,
    llm_in_tokens: numberOf(step.llm_in_tokens),
    llm_out_tokens: numberOf(step.llm_out_tokens),
    llm_latency_ms: numberOf(step.llm_latency_ms),
    intent_ms: numberOf(step.intent_ms),
    vaglio_ms: numberOf(step.vaglio_ms),
    exec_ms: numberOf(step.exec_ms),
    decided_ms: null,
    verdict: null,
  };
}

/** How a kept answer left its step: nothing is known yet of one that may run. */
export function outcomeOfDecision({ decision }: Pick<DecisionRow, 'decision'>): StepOutcome {
  switch (decision) {
    case 'allowed':
    case 'approved':
      return 'unknown';
    case 'approval_required':
      return 'waiting';
    case 'denied':
    case 'rejected':
    case 'expired':
    case 'withdrawn':
      return 'refused';
    default:
      return decision satisfies never;
  }
}

/** A step that our own line decided and of which no log tells (yet). */
export function stepOfDecision(row: DecisionRow, index: number): TurnStep {
  return withDecision({ ...stepOfLog({}, index), step_num: row.step, executor: row.executor }, row);
}

/** A step with what our own line kept of it: that names the stages, the log has the rest. */
export function withDecision(step: TurnStep, row: DecisionRow): TurnStep {
  const decided = outcomeOfDecision(row);
  return {
    ...step,
    outcome: step.outcome === 'ran' || step.outcome === 'failed' || decided === 'unknown' ? step.outcome : decided,
    stages: step.stages.map((known) => {
      const kept = row.stages.find(({ stage }) => stage === known.stage);
      if (kept === undefined) return { ...known, state: 'not-reached', reason: null };
      // The vaglio's reason stands in the log's error, also where the log does not say which stage it was.
      const reason = kept.outcome === 'ended' ? (known.reason ?? row.error) : null;
      return { ...known, state: kept.outcome, rule: kept.rule, reason };
    }),
    target: row.target,
    error: step.error ?? (decided === 'refused' ? row.error : null),
    decided_ms: row.at,
  };
}

/** Keys of a step that this version does not know. */
export function otherKeys(step: RawStep): Record<string, unknown> {
  return Object.fromEntries(Object.entries(step).filter(([key]) => !KNOWN_KEYS.has(key)));
}

export function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** Well-formed, since half a character of two cannot be sent on. Empty for what is no text. */
export function textOf(value: unknown, max: number): string {
  return typeof value === 'string' ? cut(value, max).toWellFormed() : '';
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

/** A program that writes `""` or `false` where others write null says nothing. */
function says(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && value !== false;
}

function wordOf(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
}
