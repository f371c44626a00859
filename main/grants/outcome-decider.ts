import type { Outcome } from '../../shared/domain/capability.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { dropRateBuckets, hasTokens, takeTokens } from '../db/rate-buckets.ts';
import type { Clock } from '../engine/clock.ts';
import type { CostTiers } from '../policy/cost.ts';
import { type DecidedOutcome, decideOutcome, type OutcomeRequest } from '../policy/decide.ts';
import type { Overrides } from '../policy/overrides.ts';
import { bucketsOf, type RateLimits } from '../policy/rate-limit.ts';
import type { Grants } from './grants.ts';

/** Limits that a person set beside the table (policy page, section 6); null = off. */
export interface PolicyLimits {
  rate: RateLimits | null;
  cost: CostTiers | null;
  overrides: Overrides | null;
}

/** The policy's whole answer, with grants and limits as they are now. Neither method throws, and no fault allows. */
export interface OutcomeDecider {
  /**
   * For a call that is to run: takes its tokens from the rate limits.
   * @param options.further for one more target of a call that was decided before: it is still one call
   */
  decide(request: OutcomeRequest, options?: { further?: boolean }): DecidedOutcome;
  /** The same answer, and nothing is taken. */
  tryOut(request: OutcomeRequest): DecidedOutcome;
}

/** Takes between two sweeps over buckets that are full again. */
const SWEEP_AFTER = 1000;
const MINUTE_MS = 60_000;

/** @param deps.onError told of faults beside the answer */
export function createOutcomeDecider(deps: {
  grants: Pick<Grants, 'findGrant'>;
  panel: PanelStore;
  clock: Clock;
  limits: PolicyLimits;
  onError?(error: unknown): void;
}): OutcomeDecider {
  const { panel, clock } = deps;
  const { rate, cost, overrides } = deps.limits;
  const shared = { findGrant: deps.grants.findGrant, cost, overrides, ...(deps.onError && { onError: deps.onError }) };
  let takes = 0;

  function rated(limits: RateLimits, request: OutcomeRequest, isTaking: boolean): Outcome {
    const wanted = bucketsOf(limits, request);
    if (wanted.length === 0) return 'allowed';
    const now = clock();
    if (!isTaking) return panel.read((db) => hasTokens(db, wanted, now)) ? 'allowed' : limits.exceeded;
    const isSweeping = takes % SWEEP_AFTER === 0;
    takes += 1;
    const taken = panel.write((db) => {
      if (isSweeping) dropRateBuckets(db, now - longestRefill(limits));
      return takeTokens(db, wanted, now);
    });
    return taken ? 'allowed' : limits.exceeded;
  }

  const answer = (request: OutcomeRequest, isTaking: boolean): DecidedOutcome =>
    decideOutcome(request, { ...shared, takeTokens: rate === null ? null : (asked) => rated(rate, asked, isTaking) });
  return {
    decide: (request, { further = false } = {}) => (further ? decideOutcome(request, shared) : answer(request, true)),
    tryOut: (request) => answer(request, false),
  };
}

/** After so long (ms) every bucket is full again. */
function longestRefill({ capabilities, per_sender }: RateLimits): number {
  const limits = [...Object.values(capabilities), ...(per_sender === null ? [] : [per_sender])];
  return Math.max(0, ...limits.map(({ burst, per_minute }) => (burst / per_minute) * MINUTE_MS));
}
