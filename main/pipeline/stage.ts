import type { AutonomyLevel } from '../../shared/domain/capability.ts';
import type { DecideRequest, Decider, DecisionKind, Matched, Stage } from '../../shared/domain/decision.ts';
import type { Verdict } from '../../shared/domain/verdict.ts';
import type { Need } from '../engine/ask.ts';
import type { CatalogueEntry } from './catalogue.ts';
import type { Verb } from './derive.ts';

/** What is known of a step; each stage adds what it found out. */
export interface Step {
  readonly request: DecideRequest;
  /** What the catalogue says of the executor; null when it says nothing. */
  entry: CatalogueEntry | null;
  needs: readonly Need[];
  verb: Verb;
  level: AutonomyLevel | null;
  /** The strictest of the needs' capabilities; null before the policy was asked. */
  capability: string | null;
  needsLevel: AutonomyLevel | null;
  grantId: number | null;
  /** The policy wants a person to decide. */
  asks: boolean;
  verdict: Verdict | null;
  /** Rules of the guard's structural layer that were met without a block. */
  marks: readonly string[];
}

/** What a stage answers. Every stage has the shape `(step, deps) => StageResult`, or a promise of one. */
export interface StageResult {
  outcome: 'passed' | 'skipped' | 'asked' | 'ended';
  /** Stable id of what decided. */
  rule: string;
  reason: string;
  /** Where in the args it matched. */
  matched: Matched | null;
  /** For `ended`. */
  end: End | null;
}

export interface End {
  decision: Exclude<DecisionKind, 'allowed' | 'approval_required'>;
  by: Decider;
  /** The fault, when one is the reason. */
  error: string | null;
  /** The reason without any value of args, for the verdict log. */
  logged: string;
}

export function passed(rule: string, reason: string): StageResult {
  return { outcome: 'passed', rule, reason, matched: null, end: null };
}

export function skipped(rule: string, reason: string): StageResult {
  return { outcome: 'skipped', rule, reason, matched: null, end: null };
}

/** @param logged see `End.logged`; absent: the reason holds no value of args */
export function denied(rule: string, reason: string, logged = reason, matched: Matched | null = null): StageResult {
  return { outcome: 'ended', rule, reason, matched, end: { decision: 'denied', by: 'rule', error: null, logged } };
}

/** A fault inside a stage: denied, whatever it was. */
export function failed(stage: Stage, error: unknown): StageResult {
  const fault = error instanceof Error ? error.message : String(error);
  const reason = `the ${stage} stage failed, so nothing is allowed: ${fault}`;
  return {
    outcome: 'ended',
    rule: `${stage}:error`,
    reason,
    matched: null,
    end: { decision: 'denied', by: 'error', error: fault, logged: `the ${stage} stage failed` },
  };
}
