import type { Grant, GrantNoEffect, GrantView } from '../../shared/domain/grant.ts';
import { isExpired, parseInstant } from './dates.ts';
import { capabilityNamed } from './registry.ts';

/** What is known of a grant beside its row; null = not known. */
export type GrantHistory = Pick<GrantView, 'uses' | 'last_used_ms' | 'revoked_reason'>;

const UNKNOWN: GrantHistory = { uses: null, last_used_ms: null, revoked_reason: null };

/** A stored grant with what it means at `now` (ms since the epoch; policy page, sections 3, 4 and 6). */
export function viewGrant(grant: Grant, now: number, history: GrantHistory = UNKNOWN): GrantView {
  const expires = grant.expires_at === null ? null : parseInstant(grant.expires_at);
  const expired = isExpired(grant.expires_at, now);
  return {
    ...grant,
    state: grant.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active',
    no_effect: noEffect(grant.capability),
    expires_ms: expires,
    granted_ms: parseInstant(grant.granted_at),
    ...history,
    bad_expiry: grant.expires_at !== null && expires === null,
  };
}

function noEffect(name: string): GrantNoEffect | null {
  const approval = capabilityNamed(name)?.default_approval ?? 'unknown_capability';
  return approval === 'per_target' ? null : approval;
}
