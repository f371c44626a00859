import type { GrantState, GrantView } from '../../../shared/domain/grant.ts';
import { foldText } from '../../../shared/lib/text-match.ts';
import type { Sort } from '../../ui/table.tsx';

export const GRANT_COLUMNS = [
  'sender_id',
  'channel',
  'capability',
  'target',
  'granted',
  'expires',
  'last_used',
  'uses',
  'granted_by',
  'state',
] as const;
export type GrantColumn = (typeof GRANT_COLUMNS)[number];

export interface GrantFilter {
  text: string;
  channel: string | null;
  sender: string | null;
  /** Empty = every capability. */
  capabilities: readonly string[];
  /** Also revoked and expired rows. */
  all: boolean;
}

export const NO_FILTER: GrantFilter = { text: '', channel: null, sender: null, capabilities: [], all: false };

/**
 * State at an instant (ms since the epoch): the engine says what was true when it listed, and a grant
 * runs out between two lists. Only ever turns active into expired.
 */
export function stateAt(grant: GrantView, now: number): GrantState {
  if (grant.state !== 'active') return grant.state;
  return grant.expires_ms !== null && grant.expires_ms <= now ? 'expired' : 'active';
}

/** The next instant (ms) at which an active grant runs out; null when none will. */
export function nextExpiry(grants: readonly GrantView[], now: number): number | null {
  let next: number | null = null;
  for (const grant of grants) {
    if (stateAt(grant, now) !== 'active' || grant.expires_ms === null) continue;
    if (next === null || grant.expires_ms < next) next = grant.expires_ms;
  }
  return next;
}

export function filterGrants(grants: readonly GrantView[], filter: GrantFilter, now: number): GrantView[] {
  const words = foldText(filter.text).split(/\s+/).filter(Boolean);
  return grants.filter((grant) => {
    if (!filter.all && stateAt(grant, now) !== 'active') return false;
    if (filter.channel !== null && grant.channel !== filter.channel) return false;
    if (filter.sender !== null && grant.sender_id !== filter.sender) return false;
    if (filter.capabilities.length > 0 && !filter.capabilities.includes(grant.capability)) return false;
    if (words.length === 0) return true;
    const said = [grant.channel, grant.sender_id, grant.capability, grant.target, grant.granted_by ?? '', grant.id];
    const text = foldText(said.join(' '));
    return words.every((word) => text.includes(word));
  });
}

const STATE_ORDER: Record<GrantState, number> = { active: 0, expired: 1, revoked: 2 };

/** A new array in order. Rows without a value in the column come last in both directions; ties keep the newest id first. */
export function sortGrants(grants: readonly GrantView[], sort: Sort<GrantColumn>, now: number): GrantView[] {
  const sign = sort.direction === 'down' ? -1 : 1;
  return [...grants].sort((a, b) => {
    const x = sortValue(a, sort.column, now);
    const y = sortValue(b, sort.column, now);
    if (x === null || y === null) {
      if (x !== y) return x === null ? 1 : -1;
    } else if (x !== y) {
      return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : compareText(String(x), String(y)));
    }
    return b.id - a.id;
  });
}

function sortValue(grant: GrantView, column: GrantColumn, now: number): string | number | null {
  switch (column) {
    case 'granted':
      return grant.granted_ms;
    case 'expires':
      // Never is later than any date; an unreadable date has no place in the order.
      return grant.bad_expiry ? null : (grant.expires_ms ?? Number.MAX_SAFE_INTEGER);
    case 'last_used':
      return grant.last_used_ms;
    case 'state':
      return STATE_ORDER[stateAt(grant, now)];
    default:
      return grant[column];
  }
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compareText(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}

export interface GrantCounts {
  /** Active and with effect. */
  effective: number;
  active: number;
  /** Active rows that change no outcome. */
  noEffect: number;
  ended: number;
}

export function countGrants(grants: readonly GrantView[], now: number): GrantCounts {
  let active = 0;
  let noEffect = 0;
  for (const grant of grants) {
    if (stateAt(grant, now) !== 'active') continue;
    active += 1;
    if (grant.no_effect !== null) noEffect += 1;
  }
  return { active, noEffect, effective: active - noEffect, ended: grants.length - active };
}

/** Distinct values of a column, in reading order; what the filter's choices are made from. */
export function valuesOf(
  grants: readonly GrantView[],
  column: 'channel' | 'sender_id' | 'capability',
  more: readonly string[] = [],
): string[] {
  return [...new Set([...grants.map((grant) => grant[column]), ...more])].sort(compareText);
}

/** Whether anything but `all` narrows the list. */
export function isFiltered(filter: GrantFilter): boolean {
  return (
    filter.text.trim() !== '' || filter.channel !== null || filter.sender !== null || filter.capabilities.length > 0
  );
}

/** The filter that an address asks for. */
export function filterFrom(search: {
  text?: string;
  channel?: string;
  sender?: string;
  capability?: string;
  all?: boolean;
}): GrantFilter {
  return {
    text: search.text ?? '',
    channel: search.channel ?? null,
    sender: search.sender ?? null,
    capabilities: search.capability === undefined ? [] : [search.capability],
    all: search.all ?? false,
  };
}
