import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { timeLeft } from '../../app/approvals/countdown.logic.ts';

/** More than this is not put on a page whole, and so cannot be approved; UTF-16 units. */
export const LONGEST_SHOWN = 200_000;

/** Why a card cannot be approved; `read` false stands last, since the person can do something about it. */
export type Blocked = 'offline' | 'over' | 'problem' | 'tooLong' | 'unread';

/**
 * What stands against approving; null when nothing does. A refusal needs less: only `offline` and `over`
 * keep one from being sent.
 */
export function blockedBy(card: ApprovalCard, facts: { now: number; read: boolean; offline: boolean }): Blocked | null {
  if (facts.offline) return 'offline';
  const left = timeLeft(card.expires_ms, facts.now);
  if (card.status !== 'pending' || left === null || left === 0) return 'over';
  if (card.problem !== null) return 'problem';
  if ([card.object, card.from ?? '', card.to ?? ''].some((text) => text.length > LONGEST_SHOWN)) return 'tooLong';
  return facts.read ? null : 'unread';
}
