/** What the judge's figures were worth, by what people answered (constitution page, section 4). Pure. */
import type { ProposalAnswer } from '../../shared/domain/constitution.ts';
import type { Calibration, ThresholdOutcome } from '../../shared/rpc/proposals.ts';
import { decideAlignment } from './alignment.ts';

export interface CalibrationPoint {
  expected_alignment: number;
  before_bother: number;
  answer: ProposalAnswer | null;
}

const BINS = 10;

/** How a threshold sorts the same figures. What was held back, to the digest or for good, was not shown. */
export function outcomeAt(points: readonly CalibrationPoint[], theta: number): ThresholdOutcome {
  const outcome = { theta, publish: 0, defer: 0, reject: 0, hits: 0, disturbances: 0, missed: 0, spared: 0 };
  for (const point of points) {
    const decision = decideAlignment(point, theta);
    outcome[decision === 'defer_to_digest' ? 'defer' : decision] += 1;
    if (point.answer === null) continue;
    const isShown = decision === 'publish';
    const isWanted = point.answer === 'publish';
    outcome[isShown ? (isWanted ? 'hits' : 'disturbances') : isWanted ? 'missed' : 'spared'] += 1;
  }
  return outcome;
}

/** @param theta.inForce the threshold that decided, `theta.supposed` another one */
export function calibrate(
  points: readonly CalibrationPoint[],
  theta: { inForce: number; supposed: number },
): Calibration {
  const bins = Array.from({ length: BINS }, (_, at) => ({ from: at / BINS, wanted: 0, unwanted: 0, open: 0 }));
  for (const { expected_alignment, answer } of points) {
    // Adding up in binary: 0.3 * 10 is a little below 3 for some ways to 0.3.
    const at = Math.floor(Number((expected_alignment * BINS).toFixed(9)));
    const bin = bins[Math.min(BINS - 1, Math.max(0, at))];
    if (bin !== undefined) bin[answer === null ? 'open' : answer === 'publish' ? 'wanted' : 'unwanted'] += 1;
  }
  return {
    judged: points.length,
    answered: points.filter(({ answer }) => answer !== null).length,
    bins,
    in_force: outcomeAt(points, theta.inForce),
    supposed: outcomeAt(points, theta.supposed),
  };
}
