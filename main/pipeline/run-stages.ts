import type { Stage, TrailStep } from '../../shared/domain/decision.ts';
import type { Desk } from '../engine/ask.ts';
import type { Evaluation } from '../vaglio/judge.ts';
import { type Finish, stepOfTrail } from './answer.ts';
import { approval } from './approval.ts';
import { type PolicyDeps, policy } from './policy.ts';
import { type ScopeDeps, scope } from './scope.ts';
import { failed, type StageResult, type Step } from './stage.ts';
import { type VaglioCall, vaglio } from './vaglio.ts';
import { type ValidationDeps, validation } from './validation.ts';

export interface StageDeps extends ValidationDeps, ScopeDeps, PolicyDeps {
  desk: Pick<Desk, 'silencedBy'>;
  /** As `VaglioDeps.evaluate`. @param signal its end gives up the question to a model */
  evaluate(call: VaglioCall, signal: () => AbortSignal): Evaluation | Promise<Evaluation>;
}

/** A step on its way, with what the stages said. */
export interface Run {
  step: Step;
  trail: TrailStep[];
  /** How it ended; null while it goes on, and when no stage ended it. */
  finish: Finish | null;
  /** Ends when nobody waits for the answer any more. */
  signal(): AbortSignal;
  /** Told of each evaluation, and of the end by another stage, before the line answers. */
  evaluated(step: Step, evaluation: Evaluation): void;
  ended(stage: Stage, rule: string, logged: string): void;
}

type Work = (step: Step, deps: StageDeps, run: Run) => StageResult | Promise<StageResult>;

/** The five stages in their order (pipeline page). */
const LINE: readonly (readonly [Stage, Work])[] = [
  ['validation', validation],
  ['scope', scope],
  ['policy', policy],
  [
    'vaglio',
    (step, deps, run) =>
      vaglio(step, { evaluate: (call) => deps.evaluate(call, () => run.signal()), evaluated: run.evaluated }),
  ],
  ['approval', approval],
];
const AFTER_VAGLIO = 4;

/**
 * Runs the stages until one ends the line; the run holds the outcome. Synchronous as long as no stage has to wait, since a
 * promise costs more than the stages themselves. Never throws: a fault in a stage is its denial.
 */
export function runStages(run: Run, deps: StageDeps): Promise<void> | null {
  return from(0, run, deps);
}

function from(first: number, run: Run, deps: StageDeps): Promise<void> | null {
  let start = performance.now();
  for (let index = first; index < LINE.length; index += 1) {
    const [stage, work] = LINE[index] as (typeof LINE)[number];
    const result = guarded(stage, work, run, deps);
    if (result instanceof Promise) return later(index, stage, result, start, run, deps);
    const end = performance.now();
    if (!take(run, stage, result, end - start)) return null;
    start = end;
  }
  return null;
}

async function later(
  index: number,
  stage: Stage,
  waiting: Promise<StageResult>,
  start: number,
  run: Run,
  deps: StageDeps,
): Promise<void> {
  let result: StageResult;
  try {
    result = await waiting;
  } catch (error) {
    result = failed(stage, error);
  }
  if (!take(run, stage, result, performance.now() - start)) return;
  if (index + 1 === AFTER_VAGLIO && !policyStillHolds(run, deps)) return;
  await from(index + 1, run, deps);
}

/** While a model was asked, a level may have been lowered, a grant revoked, everything frozen. */
function policyStillHolds(run: Run, deps: StageDeps): boolean {
  const start = performance.now();
  const result = guarded('policy', policy, run, { ...deps, decide: deps.tryOut });
  if (result instanceof Promise) return false;
  return take(run, 'policy', result, performance.now() - start);
}

function guarded(stage: Stage, work: Work, run: Run, deps: StageDeps): StageResult | Promise<StageResult> {
  try {
    return work(run.step, deps, run);
  } catch (error) {
    return failed(stage, error);
  }
}

/** True when the line goes on. */
function take(run: Run, stage: Stage, result: StageResult, ms: number): boolean {
  run.trail.push(stepOfTrail(stage, result, ms));
  const finish = finishOf(stage, result);
  if (finish === null) return true;
  run.finish = finish;
  run.ended(stage, result.rule, result.end?.logged ?? result.rule);
  return false;
}

function finishOf(stage: Stage, { end, rule, reason }: StageResult): Finish | null {
  if (end === null) return null;
  return { decision: end.decision, stage, rule, reason, by: end.by, error: end.error, approval: null };
}

/** Every stage's answer, also behind the end of the line; the first end counts. For a try. */
export async function runAllStages(run: Run, deps: StageDeps): Promise<void> {
  for (const [stage, work] of LINE) {
    const start = performance.now();
    let result: StageResult;
    try {
      result = await work(run.step, deps, run);
    } catch (error) {
      result = failed(stage, error);
    }
    run.trail.push(stepOfTrail(stage, result, performance.now() - start, run.finish === null));
    run.finish ??= finishOf(stage, result);
  }
}
