import type { ApprovalCard } from '../../../shared/domain/approval.ts';

/** What the second line shows: the object, and where it goes from and to, nothing twice and nothing left out. */
export function objectParts(card: Pick<ApprovalCard, 'object' | 'from' | 'to'>): {
  object: string | null;
  from: string | null;
  to: string | null;
} {
  const { object, from, to } = card;
  if (from === null && to === null) return { object, from, to };
  const ways = new Set([...(from?.split('\n') ?? []), ...(to?.split('\n') ?? [])]);
  const named = object.split('\n');
  // A move names the same files as its object; with "from" and "to" beside them they say more.
  if (from !== null && named.every((line) => ways.has(line))) return { object: null, from, to };
  return { object, from: from === object ? null : from, to };
}
