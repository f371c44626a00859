/** The formula of constitution page, section 4. Pure. */
import type { AlignmentTerms, FitEstimate, TeleologicalVerdict, Telos } from '../../shared/domain/constitution.ts';

/** Adding up in binary must not push a figure that reaches a boundary below it. */
const DIGITS = 12;
const settled = (value: number): number => Number(value.toFixed(DIGITS));

/** `fit` when it reaches the threshold, else 0. */
export function gate(fit: number, threshold: number): number {
  return fit >= threshold ? fit : 0;
}

/**
 * @param emas by telos id; 1 where there is none
 * @param given.urgency in [0.5, 2]
 * @param given.botherCost what this interruption costs, 0 or more
 */
export function align(
  teloi: readonly Telos[],
  emas: Readonly<Record<string, number>>,
  given: { fits: readonly FitEstimate[]; confidence: number; urgency: number; botherCost: number },
): AlignmentTerms {
  const rows = teloi.map(({ id, normalised, threshold }) => {
    const ema = Object.hasOwn(emas, id) ? (emas[id] ?? 1) : 1;
    // A telos that the judge left out has fit 0.
    const fit = given.fits.find(({ telos_id }) => telos_id === id)?.fit ?? 0;
    return { telos_id: id, weight: normalised * ema, ema, fit, threshold, gated: gate(fit, threshold) };
  });
  const sum = settled(rows.reduce((total, { weight, gated }) => total + weight * gated, 0));
  const before_bother = settled(sum * given.urgency * given.confidence);
  return {
    teloi: rows,
    sum,
    urgency: given.urgency,
    confidence: given.confidence,
    before_bother,
    bother_cost: given.botherCost,
    expected_alignment: settled(before_bother - given.botherCost),
  };
}

/** At or above θ it is published; what only the bother cost took below goes to the digest; the rest is rejected. */
export function decideAlignment(
  terms: Pick<AlignmentTerms, 'before_bother' | 'expected_alignment'>,
  theta: number,
): TeleologicalVerdict['decision'] {
  if (terms.expected_alignment >= theta) return 'publish';
  return terms.before_bother >= theta ? 'defer_to_digest' : 'reject';
}
