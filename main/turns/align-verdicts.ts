import type { TurnStep } from '../../shared/domain/turn.ts';
import type { VerdictRow } from '../../shared/domain/verdict.ts';

/**
 * Which line of the verdict log belongs to which step, where no record names it: both are in the order in which
 * they happened, so the longest run of pairs that agree in executor and outcome is taken. Pure.
 *
 * @param steps of one turn, in order
 * @param verdicts of its time and intent, oldest first
 * @returns for each step the place of its verdict, null where there is none
 */
export function alignVerdicts(
  steps: readonly Pick<TurnStep, 'executor' | 'vaglio_approved' | 'stages'>[],
  verdicts: readonly Pick<VerdictRow, 'executor' | 'approved'>[],
): (number | null)[] {
  const width = verdicts.length + 1;
  /** Most pairs among the steps from `i` and the verdicts from `j` on. */
  const most = new Uint16Array((steps.length + 1) * width);
  const at = (i: number, j: number): number => most[i * width + j] ?? 0;
  for (let i = steps.length - 1; i >= 0; i--) {
    for (let j = verdicts.length - 1; j >= 0; j--) {
      const pair = fits(steps[i], verdicts[j]) ? at(i + 1, j + 1) + 1 : 0;
      most[i * width + j] = Math.max(pair, at(i + 1, j), at(i, j + 1));
    }
  }
  const found: (number | null)[] = steps.map(() => null);
  for (let i = 0, j = 0; i < steps.length && j < verdicts.length; ) {
    if (fits(steps[i], verdicts[j]) && at(i, j) === at(i + 1, j + 1) + 1) {
      found[i] = j;
      i++;
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return found;
}

function fits(
  step: Pick<TurnStep, 'executor' | 'vaglio_approved' | 'stages'> | undefined,
  verdict: Pick<VerdictRow, 'executor' | 'approved'> | undefined,
): boolean {
  if (step === undefined || verdict === undefined || step.executor !== verdict.executor) return false;
  if (step.stages.some(({ stage, state }) => stage === 'vaglio' && state === 'not-reached')) return false;
  return step.vaglio_approved === null || step.vaglio_approved === verdict.approved;
}
