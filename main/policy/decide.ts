import type { AutonomyLevel, Outcome } from '../../shared/domain/capability.ts';
import { type CostTiers, costOutcome } from './cost.ts';
import { effectiveOutcome, type OutcomeScope } from './outcome.ts';
import { type Overrides, overrideOutcome } from './overrides.ts';
import { isStricter } from './strictness.ts';
import { neededLevel, tableOutcome } from './table.ts';

/**
 * The effective outcome together with the limits that a person set beside it (policy page, section 6). Each of them
 * can only make it stricter, the strictest wins, and a fault in one of them never lets a call pass.
 */
export interface OutcomeRequest extends OutcomeScope {
  level: string;
  capability: string;
  /** Price of this call, for `llm:online`. */
  price?: number | null | undefined;
}

export interface OutcomeLimits {
  overrides?: Overrides | null | undefined;
  cost?: CostTiers | null | undefined;
  /**
   * Takes a token from each bucket of the call, or none at all; the outcome is `allowed` when they had one. Called
   * only for a call that passes all else, and counts as that call.
   */
  takeTokens?: ((request: OutcomeRequest) => Outcome) | null | undefined;
}

export interface DecideOutcomeDeps extends OutcomeLimits {
  /** As `Grants.findGrant`: the id of an active grant that covers the target, or null. */
  findGrant(channel: string, senderId: string, capability: string, target: string): number | null;
  /** Told of a fault; the outcome is then stricter, never laxer. */
  onError?(error: unknown): void;
}

/** What decided, as a stable id for trail and panel. */
export type PolicyRule =
  | 'policy:table'
  | 'policy:grant'
  | 'policy:override'
  | 'policy:cost'
  | 'policy:rate'
  | 'policy:error';

export interface DecidedOutcome {
  outcome: Outcome;
  rule: PolicyRule;
  /** One sentence in English. */
  reason: string;
  /** The grant that lifted it; null when none did, or when it did not stay lifted. */
  grant_id: number | null;
  /** For a denial by the table, the strictest level that does not deny; null when none, or when it is not the level. */
  needed_level: AutonomyLevel | null;
}

/** Never throws. */
export function decideOutcome(request: OutcomeRequest, deps: DecideOutcomeDeps): DecidedOutcome {
  const { level, capability } = request;
  const table = tableOutcome(level, capability);
  if (table === 'denied') return deniedByTable(level, capability);
  let decided: DecidedOutcome = byTable(level, capability, table);
  const limit = (rule: PolicyRule, says: string, ask: () => Outcome | null): void => {
    try {
      const outcome = ask();
      if (outcome !== null && isStricter(outcome, decided.outcome)) decided = limited(outcome, rule, says);
    } catch (error) {
      report(deps, error);
      if (decided.outcome === 'allowed') {
        decided = limited('approval_required', 'policy:error', `A limit could not be looked at (${rule}).`);
      }
    }
  };
  const overridden = (): Outcome | null => overrideOutcome(deps.overrides ?? [], request);
  const says = `An override makes ${capability} stricter at ${level}.`;
  limit('policy:override', says, overridden);
  // Nothing can lift it any more: the grants are not looked at.
  if (decided.outcome === 'denied') return decided;
  let grantId: number | null = null;
  const effective = effectiveOutcome(level, capability, request, {
    hasGrant: (...scope) => {
      grantId = deps.findGrant(...scope);
      return grantId !== null;
    },
    onError: (error) => report(deps, error),
  });
  if (effective === 'allowed' && table !== 'allowed') {
    decided = { ...limited('allowed', 'policy:grant', `Grant ${grantId} covers the target.`), grant_id: grantId };
    limit('policy:override', says, overridden);
  }
  const { cost, takeTokens } = deps;
  if (cost) {
    limit('policy:cost', 'The price of the call is above the ceiling, or not known.', () =>
      costOutcome(capability, request.price, cost),
    );
  }
  if (takeTokens && decided.outcome === 'allowed') {
    limit('policy:rate', 'More calls in a short time than the limit lets pass.', () => takeTokens(request));
  }
  return decided;
}

function limited(outcome: Outcome, rule: PolicyRule, reason: string): DecidedOutcome {
  return { outcome, rule, reason, grant_id: null, needed_level: null };
}

function byTable(level: string, capability: string, outcome: Outcome): DecidedOutcome {
  const says = outcome === 'allowed' ? `${level} allows ${capability}.` : `${level} asks before ${capability}.`;
  return limited(outcome, 'policy:table', says);
}

function deniedByTable(level: string, capability: string): DecidedOutcome {
  const needed = neededLevel(capability);
  const says =
    needed === null
      ? `${capability} is not in the registry of capabilities.`
      : `${level} does not allow ${capability}: needs ${needed}.`;
  return { ...limited('denied', 'policy:table', says), needed_level: needed };
}

function report({ onError }: DecideOutcomeDeps, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // Who is told of faults must not make one.
  }
}
