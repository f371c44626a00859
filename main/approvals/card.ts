import type { ApprovalCard, ApprovalStatus, CardDepth, PendingRow } from '../../shared/domain/approval.ts';
import { isOverdue } from '../db/approvals.ts';
import { parseInstant } from '../policy/dates.ts';
import type { MatchWorld } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';
import { type Extra, readExtra } from './request-extra.ts';
import { similarPatterns, targetsFor } from './similar.ts';

/** Who stands in `decision_by_channel` for a decision that no requester made. */
export const PANEL = { channel: 'panel', sender_id: 'operator' } as const;
/** The caller left before anybody decided; the shared table knows no such status, so the row is `rejected` by it. */
export const CALLER_CHANNEL = 'caller';

export interface CardWorld {
  now: number;
  match: MatchWorld;
  /** How often the like was asked before. */
  before: number;
  waiting: boolean;
  /** Can a grant be made for this pattern? */
  mayGrant(row: PendingRow, capability: string, target: string): boolean;
}

/** The card of a row as facts (pipeline page, "Approvals"). Whatever the row holds, there is a card: it can be refused. */
export function cardOf(row: PendingRow, world: CardWorld): ApprovalCard {
  const extra = readExtra(row.request_extra);
  const capability = extra?.capability ?? capabilityOfClass(row.capability_class);
  const status = statusOf(row, world.now);
  const shared = {
    token: row.token,
    channel: row.channel,
    sender_id: row.sender_id,
    status,
    created_ms: parseInstant(row.created_at),
    expires_ms: parseInstant(row.expires_at),
    decided_ms: row.decision_at === null ? null : parseInstant(row.decision_at),
    decided_by:
      row.decision_by_channel === null && row.decision_by_sender === null
        ? null
        : { channel: row.decision_by_channel ?? '', sender_id: row.decision_by_sender ?? '' },
    waiting: world.waiting,
    capability,
    critical: capabilityNamed(capability)?.critical ?? true,
    depth: depthOf(world.before),
    asked_before: world.before,
  };
  if (extra === null) return { ...shared, ...foreignFacts(row, capability) };
  return { ...shared, ...ownFacts(row, extra, status, world) };
}

function foreignFacts(row: PendingRow, capability: string) {
  const known = capabilityNamed(capability);
  return {
    ours: false,
    verb: row.action_verb,
    intent: null,
    executor: null,
    object: row.target_summary,
    from: null,
    to: null,
    bytes: null,
    count: 1,
    args_text: null,
    // What another program will do exactly is not known here.
    reversible: known !== null && !known.critical && known.name !== 'channel:out',
    similar: null,
    problem: row.request_extra?.startsWith('{"vaglio":') ? 'The stored request cannot be read.' : null,
  };
}

function ownFacts(row: PendingRow, extra: Extra, status: ApprovalStatus, world: CardWorld) {
  const { capability, needs, verb, args, files } = extra;
  const sizes = files.map(({ size }) => size).filter((size) => size !== null);
  const patterns = status === 'pending' ? similarPatterns(capability, targetsFor(needs, capability), world.match) : [];
  const target = patterns.find((pattern) => world.mayGrant(row, capability, pattern));
  return {
    ours: true,
    verb,
    intent: extra.intent,
    executor: extra.executor,
    object: extra.object,
    from: extra.from,
    to: extra.to,
    bytes: sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0),
    count: Math.max(1, new Set(needs.map((need) => need.target)).size),
    args_text: args === undefined ? null : JSON.stringify(args, null, 2),
    ...(extra.marks.length === 0 ? {} : { marks: extra.marks }),
    reversible: isReversible(extra),
    similar: target === undefined ? null : { capability, target },
    problem: args === undefined && status === 'pending' ? 'The stored request has no args any more.' : null,
  };
}

/** Can the step be undone? Writing over a file that is there cannot, nor what leaves the machine. */
function isReversible({ capability, verb, files }: Extra): boolean {
  switch (capability) {
    case 'fs:write':
      return verb === 'move' || (verb !== 'delete' && files.every(({ mtime_ms }) => mtime_ms === null));
    case 'network:http':
      return verb !== 'send';
    case 'code:exec':
    case 'mail:send':
    case 'channel:out':
    case 'llm:online':
      return false;
    default:
      return capabilityNamed(capability) !== null;
  }
}

function depthOf(before: number): CardDepth {
  if (before < 3) return 'full';
  return before < 8 ? 'medium' : 'short';
}

/** `fs:write` of `fs:write:~/Archivio/**`. */
export function capabilityOfClass(text: string): string {
  return text.split(':').slice(0, 2).join(':');
}

/** A row in another program's words is shown as the strictest of ours that fits: rejected. */
export function statusOf(row: PendingRow, now: number): ApprovalStatus {
  switch (row.status) {
    case 'pending':
      return isOverdue(row, now) ? 'expired' : 'pending';
    case 'approved':
    case 'expired':
      return row.status;
    default:
      return row.decision_by_channel === CALLER_CHANNEL && readExtra(row.request_extra) !== null
        ? 'withdrawn'
        : 'rejected';
  }
}
