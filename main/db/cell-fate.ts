import { AUTONOMY_LEVELS, CAPABILITY_NAMES } from '../../shared/domain/capability.ts';
import type { DecisionRow } from '../../shared/domain/decision.ts';

/**
 * What became of a call in the cell (autonomy level x capability) that answered it:
 *
 * - `passed`: the policy let it pass, and so did guard and judge; `lifted`: likewise, on a grant
 * - `asked`: it came to a person, whatever that person said
 * - `denied`: the policy denied it
 * - `guard`, `judge`: blocked there, at the level or after a person's yes
 * - `unclear`: a rate limit, a fault, or the caller who left ended it, so no level did
 */
export const FATES = ['passed', 'lifted', 'asked', 'denied', 'guard', 'judge', 'unclear'] as const;
export type Fate = (typeof FATES)[number];

const LEVELS: ReadonlySet<string | null> = new Set(AUTONOMY_LEVELS);
const CAPABILITIES: ReadonlySet<string | null> = new Set(CAPABILITY_NAMES);

/**
 * Null for an answer that no cell gave: the line ended before the policy, the pairing was revoked, the capability is
 * in no registry, or it only tells what a person said to a call that was counted when it asked.
 */
export function fateOf(answer: Omit<DecisionRow, 'id'>): Fate | null {
  const { level, capability, rule, stage, decision, stages } = answer;
  const policy = stages.findLast((one) => one.stage === 'policy');
  if (policy === undefined || rule === 'policy:revoked') return null;
  if (!LEVELS.has(level) || !CAPABILITIES.has(capability)) return null;
  if (stage === 'vaglio' && decision === 'denied') return byVaglio(rule);
  // A rule that is neither's own is the guard's, which looks again after a person's yes.
  if (stage === 'approval' && !rule.startsWith('approval:') && !rule.startsWith('policy:')) return 'guard';
  if (policy.rule === 'policy:rate' || policy.rule === 'policy:error') return 'unclear';
  if (decision === 'allowed') return answer.grant_id === null ? 'passed' : 'lifted';
  if (stage === 'policy') return 'denied';
  return policy.outcome === 'asked' || stages.some((one) => one.stage === 'approval') ? 'asked' : 'unclear';
}

/** A rule of the guard is its pattern, so it is known by being none of the others. */
function byVaglio(rule: string): Fate {
  if (rule.startsWith('judge:')) return 'judge';
  return rule === 'vaglio:error' || rule === 'vaglio:refused' ? 'unclear' : 'guard';
}
