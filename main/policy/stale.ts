import type { GrantView } from '../../shared/domain/grant.ts';

const DAY_MS = 86_400_000;

/**
 * Since when a grant has not been used (policy page, section 6), Unix time, ms: since its last use, or since it was
 * granted, but not before uses were counted: of the time before, nothing is known.
 */
export function unusedSince({ last_used_ms, granted_ms }: GrantView, countedSince: number): number {
  return Math.max(last_used_ms ?? 0, granted_ms ?? 0, countedSince);
}

/** True for an active grant with effect that was not used for so many days. @param now Unix time, ms */
export function isStale(grant: GrantView, options: { afterDays: number; countedSince: number; now: number }): boolean {
  if (grant.state !== 'active' || grant.no_effect !== null || grant.uses === null) return false;
  return unusedSince(grant, options.countedSince) + options.afterDays * DAY_MS <= options.now;
}
