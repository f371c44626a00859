import { capabilityNamed } from '../policy/registry.ts';
import type { Evaluation } from '../vaglio/judge.ts';
import { denied, passed, type StageResult, type Step } from './stage.ts';

/** A call as guard and judge get it. */
export interface VaglioCall {
  intent: string;
  executor: string;
  args: unknown;
  context: unknown;
}

export interface VaglioDeps {
  /** Guard and judge in force; a promise where a model is asked. */
  evaluate(call: VaglioCall): Evaluation | Promise<Evaluation>;
  /** Told of every evaluation before the stage answers. */
  evaluated(step: Step, evaluation: Evaluation): void;
}

/** Stage 4 (pipeline page): guard and judge. */
export function vaglio(step: Step, deps: VaglioDeps): StageResult | Promise<StageResult> {
  const { intent, executor, args } = step.request;
  const evaluation = deps.evaluate({ intent, executor, args, context: contextOf(step) });
  return evaluation instanceof Promise
    ? evaluation.then((made) => resultOf(step, made, deps))
    : resultOf(step, evaluation, deps);
}

function resultOf(step: Step, evaluation: Evaluation, deps: VaglioDeps): StageResult {
  const { verdict, rule, span } = evaluation;
  step.verdict = verdict;
  step.marks = evaluation.marks;
  deps.evaluated(step, evaluation);
  // Anything but a plain yes is a no.
  if (verdict.approved === true && verdict.blocked_by === null) return passed('vaglio:approved', verdict.reason);
  const reason = `vaglio rifiuta: ${verdict.reason}`;
  return denied(rule ?? 'vaglio:refused', reason, reason, span);
}

/**
 * The context as the caller gave it, but for what the caller must not make harmless: a step that runs a command is
 * judged as one, and a critical capability is critical.
 */
export function contextOf({ request, needs }: Pick<Step, 'request' | 'needs'>): Record<string, unknown> {
  const given = request.context ?? {};
  const runs = needs.some(({ capability }) => capability === 'code:exec');
  const critical =
    given.critical === false && needs.some(({ capability }) => capabilityNamed(capability)?.critical !== false);
  if (!(runs && given.capability !== 'code:exec') && !critical) return given;
  return { ...given, ...(runs ? { capability: 'code:exec' } : {}), ...(critical ? { critical: true } : {}) };
}
