import type { CapabilityName, Outcome } from '../../shared/domain/capability.ts';

/** Token buckets (policy page, section 6): a call takes a token, and tokens come back with time. Pure. */
export interface RateLimit {
  /** Calls at once, from a full bucket; at least 1. */
  burst: number;
  /** Calls a minute in the long run; above 0. */
  per_minute: number;
}

export interface RateLimits {
  /** One bucket for each of these capabilities, whoever calls. */
  capabilities: Partial<Record<CapabilityName, RateLimit>>;
  /** One bucket for each channel and sender, over all capabilities; null = none. */
  per_sender: RateLimit | null;
  /** What an empty bucket makes of a call that would pass. */
  exceeded: Exclude<Outcome, 'allowed'>;
}

/** A bucket as it is kept. */
export interface TokenBucket {
  tokens: number;
  /** When it held them, ms since the epoch. */
  at: number;
}

const MINUTE_MS = 60_000;

/**
 * @param bucket null = never used, so it is full
 * @param now ms since the epoch; a clock that went back gives nothing and takes nothing
 * @returns the bucket without the token, or null when there is none to take
 * @throws RangeError for a bucket or limit that is no number: the caller must not take it for a yes
 */
export function takeToken(bucket: TokenBucket | null, limit: RateLimit, now: number): TokenBucket | null {
  const { burst, per_minute } = limit;
  const kept = bucket ?? { tokens: burst, at: now };
  if (![burst, per_minute, kept.tokens, kept.at, now].every(Number.isFinite)) throw new RangeError('no rate limit');
  const back = (Math.max(0, now - kept.at) / MINUTE_MS) * per_minute;
  const tokens = Math.min(burst, Math.max(0, kept.tokens) + back);
  return tokens < 1 ? null : { tokens: tokens - 1, at: now };
}

/** The buckets that a call takes from; empty when nothing limits it. Keys are texts for the store. */
export function bucketsOf(
  limits: RateLimits,
  call: { capability: string; channel?: string | null | undefined; sender_id?: string | null | undefined },
): { key: string; limit: RateLimit }[] {
  const buckets: { key: string; limit: RateLimit }[] = [];
  const { capability, channel, sender_id } = call;
  const limit = Object.hasOwn(limits.capabilities, capability)
    ? limits.capabilities[capability as CapabilityName]
    : undefined;
  if (limit !== undefined) buckets.push({ key: JSON.stringify(['capability', capability]), limit });
  if (limits.per_sender !== null) {
    // Who does not say who they are shares one bucket with all the others who do not.
    buckets.push({ key: JSON.stringify(['sender', channel ?? '', sender_id ?? '']), limit: limits.per_sender });
  }
  return buckets;
}
