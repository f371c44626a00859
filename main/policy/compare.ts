import type { AutonomyLevel, Outcome } from '../../shared/domain/capability.ts';
import { decideOutcome, type OutcomeLimits } from './decide.ts';

/** A past call that came to no end in guard or judge. */
export interface PastCall {
  channel: string;
  sender_id: string;
  capability: string;
  /** That counted then. */
  level: string;
  /** `lifted`: a grant made it pass. */
  fate: 'passed' | 'lifted' | 'asked' | 'denied';
}

/** What the policy made of a call when it was made. */
export function outcomeThen({ fate }: Pick<PastCall, 'fate'>): Outcome {
  switch (fate) {
    case 'passed':
    case 'lifted':
      return 'allowed';
    case 'asked':
      return 'approval_required';
    case 'denied':
      return 'denied';
    default:
      return fate satisfies never;
  }
}

/**
 * What the policy would have made of it under another level, by its one entry point (policy page, section 4), all else
 * as it was: a call that a grant lifted has that grant, one that asked had none that counted. Rate limits are left
 * out, and a price that is not kept is one that is not known.
 */
export function outcomeUnderLevel(
  call: PastCall,
  to: AutonomyLevel,
  limits: Pick<OutcomeLimits, 'cost' | 'overrides'>,
): Outcome {
  if (call.level === to) return outcomeThen(call);
  const { channel, sender_id, capability, fate } = call;
  // The grant covered what the call was about, whatever that was.
  const scope = { channel, sender_id, target: '*' };
  const findGrant = (): number | null => (fate === 'lifted' ? 0 : null);
  const { cost, overrides } = limits;
  return decideOutcome({ level: to, capability, ...scope }, { cost, overrides, findGrant }).outcome;
}
