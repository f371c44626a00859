import type { Outcome } from '../../shared/domain/capability.ts';

const STRICTNESS: Readonly<Record<Outcome, number>> = { allowed: 0, approval_required: 1, denied: 2 };

export function isStricter(one: Outcome, other: Outcome): boolean {
  return STRICTNESS[one] > STRICTNESS[other];
}
