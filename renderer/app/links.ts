import type { VerdictFilter } from '../../shared/rpc/audit.ts';

/** What the Live page shows, as it stands in the address: a link to it is a filter that can be kept. */
export interface LiveSearch {
  outcome?: 'approved' | 'denied';
  /** `blocked_by`: guard, judge, or another name in the log. */
  phase?: string;
  rule?: string;
  executor?: string;
  /** Unix seconds, from inclusive, to exclusive. */
  from?: number;
  to?: number;
  text?: string;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  // The router reads an address such as `?executor=42` as a number.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

function seconds(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Reads the address; what does not fit is left out, never guessed. */
export function readLiveSearch(raw: Record<string, unknown>): LiveSearch {
  const outcome = raw.outcome === 'approved' || raw.outcome === 'denied' ? raw.outcome : undefined;
  const found = {
    outcome,
    phase: text(raw.phase),
    rule: text(raw.rule),
    executor: text(raw.executor),
    from: seconds(raw.from),
    to: seconds(raw.to),
    text: text(raw.text),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The same as the engine's filter. */
export function liveFilter(search: LiveSearch): VerdictFilter {
  return {
    ...(search.outcome === undefined ? {} : { outcome: search.outcome }),
    ...(search.phase === undefined ? {} : { blocked_by: search.phase }),
    ...(search.rule === undefined ? {} : { rule: search.rule }),
    ...(search.executor === undefined ? {} : { executor: search.executor }),
    ...(search.from === undefined ? {} : { from_ts: search.from }),
    ...(search.to === undefined ? {} : { to_ts: search.to }),
    ...(search.text === undefined ? {} : { text: search.text }),
  };
}

function href(path: string, search: Record<string, string | number | boolean>): string {
  const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? `#${path}` : `#${path}?${query}`;
}

/** Address of the Live page with a filter. */
export function liveHref(search: LiveSearch): string {
  return href('/live', { ...search });
}

/** What the Grants page shows, as it stands in the address. */
export interface GrantsSearch {
  channel?: string;
  sender?: string;
  capability?: string;
  text?: string;
  all?: boolean;
}

export function readGrantsSearch(raw: Record<string, unknown>): GrantsSearch {
  const found = {
    channel: text(raw.channel),
    sender: text(raw.sender),
    capability: text(raw.capability),
    text: text(raw.text),
    all: raw.all === true ? true : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Address of the Grants page with a filter. */
export function grantsHref(search: GrantsSearch): string {
  return href('/grants', { ...search });
}

/** What the Approvals page shows, as it stands in the address. */
export interface ApprovalsSearch {
  view?: 'decided' | 'refused';
  /** Token of the card to look at. */
  card?: string;
}

export function readApprovalsSearch(raw: Record<string, unknown>): ApprovalsSearch {
  const view = raw.view === 'decided' || raw.view === 'refused' ? raw.view : undefined;
  const found = { view, card: text(raw.card) };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Address of the Approvals page, at a card where one is named. */
export function approvalsHref(search: ApprovalsSearch): string {
  const { card, ...rest } = search;
  return href('/approvals', { ...rest, ...(card === undefined ? {} : { card: keptAsText(card) }) });
}

/** The router reads `12e34` and `true` as what they look like, and half of a token's digits would be gone. */
function keptAsText(value: string): string {
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}
