import type { NewDecision } from '../db/decisions.ts';
import type { CardState, Desk } from '../engine/ask.ts';
import { decideOutcome } from '../policy/decide.ts';
import type { Evaluation } from '../vaglio/judge.ts';
import type { LogEntry } from '../vaglio/log-line.ts';
import { createSchemaValidator } from './json-schema.ts';
import type { LineDeps } from './line.ts';

/** A line's surroundings in memory, for tests of the line alone: no file, one card at a time. */
export interface Surroundings extends LineDeps {
  logged: LogEntry[];
  kept: NewDecision[];
  card: CardState;
}

export const approvedBy = (reason = 'approved: score 0.70 (score base)'): Evaluation => ({
  verdict: { approved: true, reason, ts: 1, judge_kind: 'rule-based-v1', score: 0.7, blocked_by: null },
  rule: null,
  span: null,
  marks: [],
});

export function surroundings(more: Partial<LineDeps> = {}): Surroundings {
  const policy = (request: Parameters<LineDeps['decide']>[0]) => decideOutcome(request, { findGrant: () => null });
  const validator = createSchemaValidator();
  const made: Surroundings = {
    logged: [],
    kept: [],
    card: { status: 'pending', by: null, used: false },
    clock: () => 1000,
    catalogue: { find: () => null },
    world: { home: '/home/anna', realpath: (path) => path },
    validator: () => validator,
    levelOf: () => ({ level: 'Supervised', revoked: false, frozen: false, problem: null }),
    decide: policy,
    tryOut: policy,
    evaluate: () => approvedBy(),
    evaluateTry: () => approvedBy(),
    guard: () => null,
    desk: deskOf(() => made),
    log: (entry) => made.logged.push(entry),
    keep: (decision) => made.kept.push(decision),
    ...more,
  };
  return made;
}

function deskOf(of: () => Surroundings): Desk {
  return {
    silencedBy: () => null,
    open: async () => ({ token: 'card', expires_at: '2026-11-30T12:10:00Z', expires_ms: 2000 }),
    stateOf: () => of().card,
    askOf: () => null,
    termsOf: () => null,
    changed: async () => undefined,
    bindingOf: () => 'same',
    use: () => true,
    withdraw: () => true,
    refuse: () => true,
    waitingTokens: () => [],
  };
}
