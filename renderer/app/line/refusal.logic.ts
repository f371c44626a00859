import type { Stage } from '../../../shared/domain/decision.ts';

/** Kinds of refusal that have sentences of their own: why the rule exists and what to do instead. */
export const REFUSALS = [
  'validation',
  'scope',
  'level',
  'frozen',
  'revoked',
  'unknown',
  'limit',
  'policy',
  'guard',
  'judge',
  'person',
  'silenced',
  'timeout',
  'caller',
  'changed',
  'approval',
  'error',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** Words in a rule's id that tell its kind, most telling first. */
const BY_WORD: readonly (readonly [RegExp, Refusal])[] = [
  [/error|fault|exception/, 'error'],
  [/frozen|freeze/, 'frozen'],
  [/revoked/, 'revoked'],
  [/rate|limit|cost|override/, 'limit'],
  [/unknown|underived|derive|capability/, 'unknown'],
  [/silence|session/, 'silenced'],
  [/timeout|expired/, 'timeout'],
  [/caller|withdraw/, 'caller'],
  [/digest|changed|binding|used/, 'changed'],
  [/person|operator|rejected/, 'person'],
  [/threshold|judge/, 'judge'],
];

const OF_STAGE: Record<Stage, Refusal> = {
  validation: 'validation',
  scope: 'scope',
  policy: 'policy',
  vaglio: 'guard',
  approval: 'approval',
};

/** Which of the programs's stages may speak of which kinds; a pattern of the guard may hold any word. */
const OF_PREFIX = /^(validation|scope|policy|judge|vaglio|approval|line)[:.]/;

/** The kind of a refusal, by the rule that made it; a rule that tells nothing has its stage's sentences. */
export function refusalOf(stage: Stage, rule: string): Refusal {
  if (!OF_PREFIX.test(rule)) return OF_STAGE[stage];
  if (rule === 'policy:level') return 'level';
  return BY_WORD.find(([word]) => word.test(rule))?.[1] ?? OF_STAGE[stage];
}
