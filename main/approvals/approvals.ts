/**
 * Approvals (pipeline page): the cards that wait for a person, over the `pending` table that a running Metnos shares.
 * Two faces: the service of the contract, for the operator, and the desk, for the line. May not import another feature;
 * grants and the line's own checks come as arguments.
 */
import { randomBytes } from 'node:crypto';
import type { ApprovalCard, ApprovalChoice, PendingRow } from '../../shared/domain/approval.ts';
import type { GrantView, NewGrant } from '../../shared/domain/grant.ts';
import { type ApprovalsRepository, isOverdue, type Resolution } from '../db/approvals.ts';
import type { Ask, CardState, Desk } from '../engine/ask.ts';
import type { Changes } from '../engine/changes.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { ApprovalsService } from '../engine/services.ts';
import { formatInstant, parseInstant } from '../policy/dates.ts';
import type { MatchWorld } from '../policy/match.ts';
import { digestOf, markFiles, sameFiles } from './binding.ts';
import { CALLER_CHANNEL, type CardWorld, cardOf, PANEL, statusOf } from './card.ts';
import { createCardWriter } from './card-writer.ts';
import { askOfExtra, closedExtra, extraText, readExtra } from './request-extra.ts';
import { createSilences } from './silences.ts';
import { coversAll, targetsFor } from './similar.ts';
import { createWaiting } from './waiting.ts';

/** Life of a request, ms (pipeline page). */
export const LIFE_MS = 10 * 60 * 1000;
/** A timer for longer fires at once; a running Metnos may give a card a year. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const MOST_SHOWN = 200;
const LIST_LIMIT = 200;

export interface ApprovalsDeps {
  repository: ApprovalsRepository;
  clock: Clock;
  /** Changes of approvals.db by whomever, and ours. */
  changes: Changes;
  world: MatchWorld;
  /** As `Grants.record`. */
  recordGrant(grant: NewGrant): GrantView;
  /** Throws what `recordGrant` would throw for these terms. */
  checkGrant(grant: NewGrant): void;
  /** Why this must not be approved now (level, guard); null when it may. `ask` is null for a request that is not ours. */
  forbids(subject: { channel: string; sender_id: string; capability: string; ask: Ask | null }): string | null;
  /** Names the rules that an approval was given under; another value makes older approvals void. */
  policyVersion(): string;
  lifeMs?: number;
}

export interface Approvals extends ApprovalsService {
  desk: Desk;
  /**
   * A requester answers its own request, as in a channel of Metnos.
   * @throws UserError as `ApprovalsRepository.resolve`
   */
  resolveAs(answer: { token: string; channel: string; sender_id: string; approve: boolean }): Promise<ApprovalCard>;
  /** Whoever waits is denied, and their cards stay; for the end of the engine. */
  close(): void;
}

export function createApprovals(deps: ApprovalsDeps): Approvals {
  const { repository, clock, changes, world } = deps;
  let isClosed = false;
  const silences = createSilences({ clock, world });
  const waiting = createWaiting(changes);
  const writer = createCardWriter(repository);

  const told = (token: string): void => {
    waiting.poke(token);
    changes.announce();
  };
  const mayGrant = (row: PendingRow, capability: string, target: string): boolean => {
    try {
      deps.checkGrant({ channel: row.channel, sender_id: row.sender_id, capability, target });
      return true;
    } catch {
      return false;
    }
  };
  const cardsOf = (rows: readonly PendingRow[]): ApprovalCard[] => {
    const before = repository.askedBefore(rows.map(({ token }) => token));
    const shared: Pick<CardWorld, 'now' | 'match' | 'mayGrant'> = { now: clock(), match: world, mayGrant };
    return rows.map((row) =>
      cardOf(row, { ...shared, before: before.get(row.token) ?? 0, waiting: waiting.has(row.token) }),
    );
  };
  const theCard = (row: PendingRow): ApprovalCard => cardsOf([row])[0] as ApprovalCard;
  const findPending = (token: string): PendingRow => {
    const row = repository.find(token);
    if (row === null) throw new UserError('not-found', 'There is no such request for approval.', token);
    return row;
  };
  const resolve = (resolution: Omit<Resolution, 'at'>): PendingRow => {
    const row = repository.resolve({ ...resolution, at: formatInstant(clock()) }, clock());
    told(resolution.token);
    return row;
  };

  /** What the person may still say yes to. @throws UserError `refused` with the reason */
  const checkApprovable = (row: PendingRow): Ask | null => {
    const card = theCard(row);
    if (card.problem !== null) throw new UserError('refused', `${card.problem} It can only be refused.`, row.token);
    const extra = readExtra(row.request_extra);
    const ask = extra === null ? null : askOfExtra(row, extra);
    const { channel, sender_id } = row;
    const why = deps.forbids({ channel, sender_id, capability: card.capability, ask });
    if (why !== null) throw new UserError('refused', `This cannot be approved: ${why}`, row.token);
    return ask;
  };

  /** @throws UserError for a pattern that is not offered, does not cover this target, or is no grant */
  const checkSimilar = (
    row: PendingRow,
    terms: { target: string; expires_at: string | null; confirmBroad?: boolean },
  ) => {
    const extra = readExtra(row.request_extra);
    if (extra === null) throw new UserError('refused', 'A request of another program makes no grant here.', 'target');
    const { capability, needs } = extra;
    const { target, expires_at, confirmBroad = false } = terms;
    const { channel, sender_id } = row;
    const grant: NewGrant = {
      channel,
      sender_id,
      capability,
      target,
      expires_at,
      confirmBroad,
      granted_by: 'operator',
    };
    deps.checkGrant(grant);
    if (!coversAll(capability, target, targetsFor(needs, capability), world)) {
      throw new UserError(
        'refused',
        `${target} does not cover what is asked for here. Widen it, or approve once.`,
        'target',
      );
    }
    return grant;
  };

  const approveSimilar = (row: PendingRow, choice: ApprovalChoice & { kind: 'similar' }) => {
    const { target, expires_at, confirm_broad } = choice;
    const grant = checkSimilar(row, { target, expires_at, confirmBroad: confirm_broad === true });
    const { token } = row;
    // Approved before it is granted: a crash in between leaves one call approved, and nothing wider.
    const done = resolve({ token, status: 'approved', by: PANEL });
    try {
      return { row: done, grant: deps.recordGrant(grant), problem: null };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { row: done, grant: null, problem: `Approved this time; the grant could not be made: ${why}` };
    }
  };

  const decide = (row: PendingRow, choice: ApprovalChoice) => {
    const { token } = row;
    switch (choice.kind) {
      case 'once':
        checkApprovable(row);
        return { row: resolve({ token, status: 'approved', by: PANEL }), grant: null, problem: null };
      case 'similar':
        checkApprovable(row);
        return approveSimilar(row, choice);
      case 'no':
      case 'no-session': {
        const extra = readExtra(row.request_extra);
        const ask = extra === null ? null : askOfExtra(row, extra);
        const done = resolve({ token, status: 'rejected', by: PANEL, extra: closedExtra });
        if (choice.kind === 'no-session' && ask !== null) silences.add(ask);
        return { row: done, grant: null, problem: null };
      }
      default:
        return choice satisfies never;
    }
  };

  const overview = () => {
    try {
      const rows = repository.pending(-1).filter((row) => !isOverdue(row, clock()));
      return { pending: rows.length, cards: cardsOf(rows.slice(0, MOST_SHOWN)), problem: null };
    } catch (error) {
      if (error instanceof UserError) return { pending: 0, cards: [], problem: error.message };
      throw error;
    }
  };

  const desk: Desk = {
    silencedBy: (ask) => silences.match(ask),
    open: async (ask) => {
      const token = randomBytes(16).toString('hex');
      const now = clock();
      const expires_ms = Math.floor((now + (deps.lifeMs ?? LIFE_MS)) / 1000) * 1000;
      const expires_at = formatInstant(expires_ms);
      await writer.add({
        token,
        channel: ask.channel,
        sender_id: ask.sender_id,
        capability_class: ask.capability,
        action_verb: ask.verb,
        target_summary: ask.object,
        created_at: formatInstant(now),
        expires_at,
        request_extra: extraText(ask, digestOf(ask, deps.policyVersion()), markFiles(ask, world)),
      });
      changes.announce();
      return { token, expires_at, expires_ms };
    },
    stateOf: (token) => {
      if (isClosed)
        throw new UserError('refused', 'The engine is stopping, so nobody can decide here. Ask again later.');
      const row = repository.find(token);
      const extra = row === null ? null : readExtra(row.request_extra);
      if (row === null || extra === null) return { status: 'unknown', by: null, used: false };
      const status = statusOf(row, clock());
      if (status === 'expired' && row.status === 'pending') expire(token);
      return { status, by: byOf(row), used: extra.used };
    },
    askOf: (token) => {
      const row = repository.find(token);
      const extra = row === null ? null : readExtra(row.request_extra);
      return row === null || extra === null ? null : askOfExtra(row, extra);
    },
    termsOf: (token) => {
      const expires_at = repository.find(token)?.expires_at ?? null;
      const expires_ms = expires_at === null ? null : parseInstant(expires_at);
      return expires_at === null || expires_ms === null ? null : { expires_at, expires_ms };
    },
    changed: (token, ms, signal) => waiting.wait(token, ms, signal),
    bindingOf: (token, ask) => {
      const extra = readExtra(repository.find(token)?.request_extra ?? null);
      if (extra === null || extra.digest !== digestOf(ask, deps.policyVersion())) return 'other-action';
      return sameFiles(extra.files, markFiles(ask, world)) ? 'same' : 'file-changed';
    },
    use: (token) =>
      repository.changeExtra(token, (stored) => (readExtra(stored)?.used === false ? closedExtra(stored, true) : null)),
    withdraw: (token, senderId) =>
      attempt(() =>
        resolve({
          token,
          status: 'rejected',
          by: { channel: CALLER_CHANNEL, sender_id: senderId },
          extra: closedExtra,
        }),
      ),
    refuse: (token, why) =>
      attempt(() =>
        resolve({ token, status: 'rejected', by: { channel: PANEL.channel, sender_id: why }, extra: closedExtra }),
      ),
    waitingTokens: () =>
      repository
        .pending(-1)
        .filter((row) => !isOverdue(row, clock()) && readExtra(row.request_extra) !== null)
        .map(({ token }) => token),
  };

  function expire(token: string): void {
    attempt(() =>
      resolve({ token, status: 'expired', by: { channel: 'panel', sender_id: 'timeout' }, extra: closedExtra }),
    );
  }

  return {
    desk,
    list: ({ status, limit = LIST_LIMIT }) => {
      try {
        const rows =
          status === 'pending'
            ? repository.pending(-1).filter((row) => !isOverdue(row, clock()))
            : repository.resolved(limit + 1, clock());
        return { cards: cardsOf(rows.slice(0, limit)), more: rows.length > limit, problem: null };
      } catch (error) {
        if (error instanceof UserError) return { cards: [], more: false, problem: error.message };
        throw error;
      }
    },
    count: () => {
      try {
        return { pending: repository.countPending(clock()), problem: null };
      } catch (error) {
        if (error instanceof UserError) return { pending: 0, problem: error.message };
        throw error;
      }
    },
    resolve: ({ token, choice }) => {
      const { row, grant, problem } = decide(findPending(token), choice);
      return { card: theCard(row), grant, problem };
    },
    checkSimilar: ({ token, target, expires_at }) => {
      try {
        checkSimilar(findPending(token), { target, expires_at });
        return { ok: true, problem: null, needs_confirmation: false };
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { ok: false, problem: error.message, needs_confirmation: error.code === 'confirmation-needed' };
      }
    },
    async *watch(_, signal) {
      const ticks = changes.ticks(signal);
      let shown = '';
      let timer: NodeJS.Timeout | null = null;
      try {
        // Listens before it looks, so that no change falls in between.
        for (let next = ticks.next(); ; next = ticks.next()) {
          const now = overview();
          const text = JSON.stringify(now);
          if (text !== shown) yield now;
          shown = text;
          if (timer !== null) clearTimeout(timer);
          const ends = now.cards.map(({ expires_ms }) => (expires_ms ?? clock()) - clock());
          const wait = Math.max(10, Math.min(LONGEST_TIMER_MS, ...ends));
          timer = ends.length === 0 ? null : setTimeout(() => changes.announce(), wait);
          if ((await next).done) return;
        }
      } finally {
        if (timer !== null) clearTimeout(timer);
      }
    },
    silenced: () => ({ silences: silences.list() }),
    unsilence: ({ id }) => ({ changed: silences.remove(id) }),
    resolveAs: async ({ token, channel, sender_id, approve }) => {
      const by = { channel, sender_id };
      if (approve) {
        const row = findPending(token);
        if (
          row.status === 'pending' &&
          row.channel === channel &&
          row.sender_id === sender_id &&
          !isOverdue(row, clock())
        ) {
          checkApprovable(row);
        }
      }
      const status = approve ? 'approved' : 'rejected';
      return theCard(resolve({ token, status, by, onlyFrom: by, ...(approve ? {} : { extra: closedExtra }) }));
    },
    close: () => {
      isClosed = true;
      waiting.poke();
    },
  };
}

function byOf(row: PendingRow): CardState['by'] {
  if (row.decision_by_channel === null && row.decision_by_sender === null) return null;
  return { channel: row.decision_by_channel ?? '', sender_id: row.decision_by_sender ?? '' };
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
