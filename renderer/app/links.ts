import { type ActKind, actKindSchema } from '../../shared/domain/integrity.ts';
import type { VerdictFilter } from '../../shared/rpc/audit.ts';
import type { TurnFilter } from '../../shared/rpc/turns.ts';

/** Which verdicts are shown, as it stands in the address: a link is a filter that can be kept. */
export interface VerdictSearch {
  outcome?: 'approved' | 'denied';
  /** `blocked_by`: guard, judge, or another name in the log. */
  phase?: string;
  rule?: string;
  executor?: string;
  /** Unix seconds, from inclusive, to exclusive. */
  from?: number;
  to?: number;
  /** Score, from inclusive, to exclusive; 1 and above take in a score of 1. */
  min?: number;
  max?: number;
  text?: string;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  // The router reads an address such as `?executor=42` as a number.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

function amount(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Reads the address; what does not fit is left out, never guessed. */
export function readVerdictSearch(raw: Record<string, unknown>): VerdictSearch {
  const outcome = raw.outcome === 'approved' || raw.outcome === 'denied' ? raw.outcome : undefined;
  const found = {
    outcome,
    phase: text(raw.phase),
    rule: text(raw.rule),
    executor: text(raw.executor),
    from: amount(raw.from),
    to: amount(raw.to),
    min: amount(raw.min),
    max: amount(raw.max),
    text: text(raw.text),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The same as the engine's filter. */
export function verdictFilter(search: VerdictSearch): VerdictFilter {
  return {
    ...(search.outcome === undefined ? {} : { outcome: search.outcome }),
    ...(search.phase === undefined ? {} : { blocked_by: search.phase }),
    ...(search.rule === undefined ? {} : { rule: search.rule }),
    ...(search.executor === undefined ? {} : { executor: search.executor }),
    ...(search.from === undefined ? {} : { from_ts: search.from }),
    ...(search.to === undefined ? {} : { to_ts: search.to }),
    ...(search.min === undefined ? {} : { min_score: search.min }),
    ...(search.max === undefined ? {} : { max_score: search.max }),
    ...(search.text === undefined ? {} : { text: search.text }),
  };
}

function href(path: string, search: Record<string, string | number | boolean>): string {
  const query = new URLSearchParams(
    Object.entries(search).map(([name, value]) => [
      name,
      typeof value === 'string' ? keptAsText(value) : String(value),
    ]),
  ).toString();
  return query === '' ? `#${path}` : `#${path}?${query}`;
}

/** What the Audit page shows, as it stands in the address. */
export interface AuditSearch extends VerdictSearch {
  /** Verdicts or operator acts alone; both when absent. */
  show?: 'verdicts' | 'acts';
  act?: ActKind;
  /** Seq of the verdict whose details are open. */
  row?: number;
}

export function readAuditSearch(raw: Record<string, unknown>): AuditSearch {
  const show = raw.show === 'verdicts' || raw.show === 'acts' ? raw.show : undefined;
  const act = actKindSchema.safeParse(raw.act).data;
  const found = { ...readVerdictSearch(raw), show, act, row: amount(raw.row) };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Address of the Audit page with a filter. */
export function auditHref(search: AuditSearch): string {
  return href('/audit', { ...search });
}

/** What the Turns page shows, as it stands in the address. */
export interface TurnsSearch {
  /** Key of the turn that is open, and the place of the step in it, from 0. */
  turn?: string;
  step?: number;
  channel?: string;
  sender?: string;
  outcome?: string;
  executor?: string;
  refused?: true;
  text?: string;
}

export function readTurnsSearch(raw: Record<string, unknown>): TurnsSearch {
  const found = {
    turn: text(raw.turn),
    step: amount(raw.step),
    channel: text(raw.channel),
    sender: text(raw.sender),
    outcome: text(raw.outcome),
    executor: text(raw.executor),
    refused: raw.refused === true ? true : undefined,
    text: text(raw.text),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The same as the engine's filter. */
export function turnFilter({ turn: _, step: __, ...filter }: TurnsSearch): TurnFilter {
  return filter;
}

/** Address of the Turns page, at a turn and a step where they are named. */
export function turnsHref(search: TurnsSearch): string {
  return href('/turns', { ...search });
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

/** What the Proposals page shows, as it stands in the address. */
export interface ProposalsSearch {
  view?: 'digest' | 'telos' | 'calibration';
}

export function readProposalsSearch(raw: Record<string, unknown>): ProposalsSearch {
  const { view } = raw;
  return view === 'digest' || view === 'telos' || view === 'calibration' ? { view } : {};
}

/** Address of the Approvals page, at a card where one is named. */
export function approvalsHref(search: ApprovalsSearch): string {
  return href('/approvals', { ...search });
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
