import type { ApprovalCard } from '../../../shared/domain/approval.ts';

/** The cards that were not told of yet, and the notices to take back because their card is gone. */
export function noticeChange(
  told: ReadonlySet<string>,
  cards: readonly Pick<ApprovalCard, 'token'>[],
): { fresh: string[]; gone: string[] } {
  const waiting = new Set(cards.map((card) => card.token));
  return {
    fresh: cards.map((card) => card.token).filter((token) => !told.has(token)),
    gone: [...told].filter((token) => !waiting.has(token)),
  };
}
