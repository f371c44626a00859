import type { Outcome } from '../../shared/domain/capability.ts';
import type { Need } from '../engine/ask.ts';
import type { DecidedOutcome, OutcomeRequest } from '../policy/decide.ts';
import { capabilityNamed } from '../policy/registry.ts';
import { isStricter } from '../policy/strictness.ts';
import { denied, passed, type StageResult, type Step } from './stage.ts';

/** The level of a caller, as `Levels.effectiveLevel` gives it. */
export interface CallerLevel {
  level: 'ReadOnly' | 'Supervised' | 'Full';
  revoked: boolean;
  frozen: boolean;
  problem: string | null;
}

export interface PolicyDeps {
  levelOf(channel: string, senderId: string): CallerLevel;
  /** As `OutcomeDecider.decide`; counts as a call. */
  decide(request: OutcomeRequest): DecidedOutcome;
  /** The same, and nothing is counted. */
  tryOut(request: OutcomeRequest): DecidedOutcome;
}

/**
 * Stage 3 (pipeline page): what does the policy say of every capability and target that the step needs? The strictest
 * answer counts.
 */
export function policy(step: Step, deps: PolicyDeps): StageResult {
  const { channel, sender_id } = step.request;
  const { level, revoked, frozen, problem } = deps.levelOf(channel, sender_id);
  step.level = level;
  step.asks = false;
  step.grantId = null;
  step.needsLevel = null;
  if (revoked) return denied('policy:revoked', 'the pairing was revoked: everything is denied to it');
  const worst = strictest(step, level, deps);
  if (worst === null) return denied('policy:unknown', 'it is not known what this step needs');
  const { need, decided } = worst;
  step.capability = need.capability;
  const { outcome, rule, needed_level } = decided;
  const why = frozen ? ' (everything is frozen)' : problem === null ? '' : ` (${level} counts: ${problem})`;
  switch (outcome) {
    case 'denied': {
      step.needsLevel = needed_level;
      const isByLevel = rule === 'policy:table' && needed_level !== null;
      const id = isByLevel
        ? frozen
          ? 'policy:frozen'
          : 'policy:level'
        : rule === 'policy:table'
          ? 'policy:unknown'
          : rule;
      const result = denied(id, `denied: ${decided.reason}${why}`, `denied: ${decided.reason}`);
      return isByLevel && result.end !== null ? { ...result, end: { ...result.end, by: 'table' } } : result;
    }
    case 'approval_required':
      step.asks = true;
      return { outcome: 'asked', rule, reason: `${decided.reason}${why}`, matched: null, end: null };
    case 'allowed':
      step.grantId = worst.grantId;
      return passed(rule, decided.reason);
    default:
      return outcome satisfies never;
  }
}

interface Strictest {
  need: Need;
  decided: DecidedOutcome;
  grantId: number | null;
}

function strictest(step: Step, level: string, deps: PolicyDeps): Strictest | null {
  const { channel, sender_id, context } = step.request;
  const price = typeof context?.price === 'number' ? context.price : null;
  const counted = new Set<string>();
  let worst: Strictest | null = null;
  let grantId: number | null = null;
  for (const need of step.needs) {
    const { capability, target } = need;
    // One step is one call of each capability, however many targets it names.
    const ask = counted.has(capability) ? deps.tryOut : deps.decide;
    counted.add(capability);
    const decided = ask({ level, capability, channel, sender_id, target, price });
    grantId ??= decided.grant_id;
    if (worst === null || isWorse({ need, decided }, worst)) worst = { need, decided, grantId };
  }
  return worst === null ? null : { ...worst, grantId };
}

/** Of two equally strict ones the critical capability is the one to speak of, then the one that a grant had to lift. */
function isWorse(
  one: { need: Need; decided: DecidedOutcome },
  other: { need: Need; decided: DecidedOutcome },
): boolean {
  if (isStricter(one.decided.outcome, other.decided.outcome)) return true;
  if (isStricter(other.decided.outcome, one.decided.outcome)) return false;
  const weight = ({ need, decided }: { need: Need; decided: DecidedOutcome }): number => {
    const known = capabilityNamed(need.capability);
    const asks = known?.default_approval === 'always' ? 4 : 0;
    return asks + (known?.critical ? 2 : 0) + (decided.grant_id === null ? 0 : 1);
  };
  return weight(one) > weight(other);
}

/** The strictest outcome of a step under another level, nothing counted; for a freeze and for a person's yes. */
export function outcomeUnder(
  level: string,
  who: { channel: string; sender_id: string },
  needs: readonly Need[],
  tryOut: PolicyDeps['tryOut'],
): Outcome {
  let worst: Outcome = needs.length === 0 ? 'denied' : 'allowed';
  for (const { capability, target } of needs) {
    const { outcome } = tryOut({ level, capability, ...who, target });
    if (isStricter(outcome, worst)) worst = outcome;
  }
  return worst;
}
