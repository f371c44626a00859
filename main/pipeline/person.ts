import type { Ask, CardState, Desk } from '../engine/ask.ts';
import type { Clock } from '../engine/clock.ts';
import type { Finish } from './answer.ts';

/** How often a card is made anew because its files changed, before the step is refused. */
const MOST_CARDS = 3;
/** Who stands as the one that decided when a freeze refused a card. */
export const FREEZE = 'freeze';

export interface PersonDeps {
  desk: Desk;
  clock: Clock;
  /** The policy and the guard once more, on the args as they are now; null when both let it pass, else why not. */
  recheck(ask: Ask): { rule: string; reason: string } | null;
}

export interface Waiting {
  token: string;
  expires_at: string;
  expires_ms: number;
}

export interface Patience {
  /** Unix time, ms, until which the caller waits. */
  until: number;
  signal: AbortSignal;
  /** The caller's end withdraws the card; otherwise it only ends the waiting. */
  withdraws: boolean;
  onCard(card: Waiting): void;
}

/**
 * Stage 5 (pipeline page), once a card is open: waits for a person, and makes sure that what was approved is what will
 * run. An approval is used up by the answer that tells of it.
 */
export async function awaitPerson(ask: Ask, first: Waiting, patience: Patience, deps: PersonDeps): Promise<Finish> {
  const { desk, clock } = deps;
  let card = first;
  for (let cards = 1; ; ) {
    const state = desk.stateOf(card.token);
    if (state.status === 'pending') {
      if (patience.signal.aborted && patience.withdraws) {
        // A person may have been quicker: then the next look tells.
        if (desk.withdraw(card.token, ask.sender_id)) return withdrawn();
        if (desk.stateOf(card.token).status === 'pending') return withdrawn();
        continue;
      }
      const now = clock();
      if (patience.signal.aborted || now >= patience.until) return stillAsks(card);
      await desk.changed(card.token, Math.max(1, Math.min(patience.until, card.expires_ms) - now), patience.signal);
      continue;
    }
    if (state.status !== 'approved') return ended(state);
    if (patience.signal.aborted && patience.withdraws) {
      desk.use(card.token);
      return withdrawn();
    }
    if (patience.signal.aborted) return stillAsks(card);
    const binding = desk.bindingOf(card.token, ask);
    switch (binding) {
      case 'same':
        return redeem(ask, card, state, deps);
      case 'other-action':
        return refused('approval:other-action', 'the approval was given for another step or under other rules');
      case 'file-changed':
        desk.use(card.token);
        if (cards >= MOST_CARDS)
          return refused('approval:file-changed', 'its file keeps changing while it is asked for');
        cards += 1;
        card = await desk.open(ask);
        patience.onCard(card);
        break;
      default:
        return binding satisfies never;
    }
  }
}

function redeem(ask: Ask, card: Waiting, state: CardState, { desk, recheck }: PersonDeps): Finish {
  if (state.used) return refused('approval:used', 'this approval was used already');
  const now = recheck(ask);
  if (now !== null) {
    desk.use(card.token);
    return refused(now.rule, now.reason);
  }
  if (!desk.use(card.token)) return refused('approval:used', 'this approval was used already');
  const who = state.by === null ? 'a person' : `${state.by.channel} / ${state.by.sender_id}`;
  return finish('approved', 'approval:person', `approved by ${who}`, 'person', null);
}

function ended({ status, by }: CardState): Finish {
  switch (status) {
    case 'rejected':
      if (by?.channel === 'panel' && by.sender_id === FREEZE) {
        return finish('denied', 'policy:frozen', 'denied: everything was frozen while this waited', 'rule', null);
      }
      return finish(
        'rejected',
        'approval:person',
        `rejected by ${by === null ? 'a person' : `${by.channel} / ${by.sender_id}`}`,
        'person',
        null,
      );
    case 'expired':
      return finish('expired', 'approval:expired', 'nobody decided in time', 'timeout', null);
    case 'withdrawn':
      return withdrawn();
    case 'unknown':
    case 'pending':
    case 'approved':
      return refused('approval:unknown', 'there is no such request for approval');
    default:
      return status satisfies never;
  }
}

function withdrawn(): Finish {
  return finish('withdrawn', 'approval:withdrawn', 'the caller left before a person decided', 'caller', null);
}

function stillAsks(card: Waiting): Finish {
  const { token, expires_at } = card;
  return finish('approval_required', 'approval:waiting', 'a person has to decide', 'rule', { token, expires_at });
}

function refused(rule: string, reason: string): Finish {
  return finish('denied', rule, `denied: ${reason}`, 'rule', null);
}

function finish(
  decision: Finish['decision'],
  rule: string,
  reason: string,
  by: Finish['by'],
  approval: Finish['approval'],
): Finish {
  return { decision, stage: 'approval', rule, reason, by, error: null, approval };
}
