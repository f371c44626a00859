import type { FrozenRequest } from '../../../shared/domain/level.ts';

const ORDER = ['denied', 'still-asks', 'decided-under-freeze'] as const;

/** How many unfinished requests met which fate, the hardest first; only those that happened. */
export function countFates(
  requests: readonly Pick<FrozenRequest, 'fate'>[],
): { fate: FrozenRequest['fate']; count: number }[] {
  return ORDER.map((fate) => ({ fate, count: requests.filter((each) => each.fate === fate).length })).filter(
    ({ count }) => count > 0,
  );
}
