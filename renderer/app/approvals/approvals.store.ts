import { create } from 'zustand';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import type { approvalsContract } from '../../../shared/rpc/approvals.ts';
import type { OutputOf } from '../../../shared/rpc/contract.ts';
import type { Problem } from '../../rpc/problem.ts';

type Watched = OutputOf<typeof approvalsContract.watch>;

interface Approvals {
  /** What waits for a person, oldest first; null until the engine has answered. */
  cards: readonly ApprovalCard[] | null;
  /** All that wait, also those that did not fit. */
  pending: number;
  /** Why the file cannot be read, in the engine's words. */
  problem: string | null;
  /** Why the engine does not tell. */
  failure: Problem | null;
  /** Grows whenever something was decided or came in. */
  version: number;
}

export const useApprovals = create<Approvals>(() => ({
  cards: null,
  pending: 0,
  problem: null,
  failure: null,
  version: 0,
}));

/** Tokens that were decided here and that an event on its way may still hold. */
const decided = new Set<string>();

/** Takes what the engine says to wait. */
export function takeWatched(event: Watched): void {
  const cards = event.cards.filter((card) => !decided.has(card.token));
  for (const token of decided) if (!event.cards.some((card) => card.token === token)) decided.delete(token);
  useApprovals.setState((now) => ({
    cards,
    pending: event.pending - (event.cards.length - cards.length),
    problem: event.problem,
    version: now.version + 1,
  }));
}

/** A card that was decided here goes at once, before the engine says so. */
export function removeCard(token: string): void {
  const { cards } = useApprovals.getState();
  if (!cards?.some((card) => card.token === token)) return;
  decided.add(token);
  useApprovals.setState((now) => ({
    cards: now.cards?.filter((card) => card.token !== token) ?? null,
    pending: Math.max(0, now.pending - 1),
    version: now.version + 1,
  }));
}

/** Forgets everything. @internal for tests */
export function forgetApprovals(): void {
  decided.clear();
  useApprovals.setState({ cards: null, pending: 0, problem: null, failure: null, version: 0 });
}
