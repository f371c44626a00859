import type { Outcome } from '../../../shared/domain/capability.ts';
import type { LevelComparison } from '../../../shared/rpc/policy.ts';

/** Past calls that another level would have answered otherwise, or the asked ones that it would let pass. */
export interface PastLine {
  was: Outcome;
  would: Outcome;
  calls: number;
  /** All that `was`. */
  total: number;
}

type Calls = LevelComparison['calls'];

const ORDER: readonly Outcome[] = ['approval_required', 'allowed', 'denied'];

/**
 * What is worth a sentence, most asked-for first: every change, and, for calls that asked, that none would have passed.
 */
export function pastLines(calls: Calls): PastLine[] {
  return ORDER.flatMap((was) => {
    const total = sum(calls.filter((one) => one.was === was));
    if (total === 0) return [];
    return (['allowed', 'approval_required', 'denied'] as const)
      .filter((would) => would !== was)
      .map((would) => ({
        was,
        would,
        calls: sum(calls.filter((one) => one.was === was && one.would === would)),
        total,
      }))
      .filter((line) => line.calls > 0 || (was === 'approval_required' && line.would === 'allowed'));
  });
}

/** Changes by capability, in the given order; capabilities of which no call would have been answered otherwise are left out. */
export function changesByCapability(calls: Calls, names: readonly string[]): { capability: string; lines: Calls }[] {
  return names.flatMap((capability) => {
    const lines = calls
      .filter((one) => one.capability === capability && one.was !== one.would)
      .sort((left, right) => ORDER.indexOf(left.was) - ORDER.indexOf(right.was));
    return lines.length === 0 ? [] : [{ capability, lines }];
  });
}

function sum(calls: Calls): number {
  return calls.reduce((all, one) => all + one.calls, 0);
}
