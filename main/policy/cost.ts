import type { Outcome } from '../../shared/domain/capability.ts';

/** Prices of one call of `llm:online` from which it is held back (policy page, section 6), in the unit of the requests. */
export interface CostTiers {
  /** Above this a person is asked. */
  ask_above: number;
  /** Above this it is denied; null = never for its price. */
  deny_above: number | null;
}

/**
 * The laxest outcome that a price leaves open. What is no price (none given, negative, not a number) is not known to
 * lie below a ceiling, so it asks.
 */
export function costOutcome(capability: string, price: number | null | undefined, tiers: CostTiers): Outcome {
  if (capability !== 'llm:online') return 'allowed';
  if (typeof price !== 'number' || !(price >= 0)) return 'approval_required';
  if (tiers.deny_above !== null && !(price <= tiers.deny_above)) return 'denied';
  return price <= tiers.ask_above ? 'allowed' : 'approval_required';
}
