import type { Outcome } from '../../shared/domain/capability.ts';
import { capabilityNamed } from './registry.ts';
import { tableOutcome } from './table.ts';

/** For whom and at what; a part that is missing or empty means that no grant can answer. */
export interface OutcomeScope {
  channel?: string | null | undefined;
  sender_id?: string | null | undefined;
  target?: string | null | undefined;
}

export interface OutcomeDeps {
  /** Called at most once, and only where the table asks for an approval that a grant may replace. */
  hasGrant(channel: string, senderId: string, capability: string, target: string): boolean;
  /** Told when `hasGrant` threw; the outcome is then `approval_required`. */
  onError?(error: unknown): void;
}

/**
 * The one entry point (policy page, section 4). A grant lifts `approval_required` to `allowed`; it never
 * lifts `denied`, and never a capability whose approval is `always`. Never throws, and no error allows.
 */
export function effectiveOutcome(level: string, capability: string, scope: OutcomeScope, deps: OutcomeDeps): Outcome {
  const outcome = tableOutcome(level, capability);
  if (outcome !== 'approval_required') return outcome;
  if (capabilityNamed(capability)?.default_approval !== 'per_target') return outcome;
  const { channel, sender_id, target } = scope;
  if (!channel || !sender_id || !target) return outcome;
  try {
    return deps.hasGrant(channel, sender_id, capability, target) === true ? 'allowed' : outcome;
  } catch (error) {
    deps.onError?.(error);
    return outcome;
  }
}
