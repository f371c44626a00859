import type { Stage } from '../../../shared/domain/decision.ts';

/** Kinds of refusal that have sentences of their own: why the rule exists and what to do instead. */
export type Refusal =
  | 'validation'
  | 'schema'
  | 'scope'
  | 'unknown'
  | 'level'
  | 'frozen'
  | 'revoked'
  | 'limit'
  | 'policy'
  | 'guard'
  | 'judge'
  | 'person'
  | 'silenced'
  | 'timeout'
  | 'caller'
  | 'changed'
  | 'approval'
  | 'error';

const BY_RULE: Readonly<Record<string, Refusal>> = {
  'validation:request': 'validation',
  'validation:args': 'validation',
  'validation:schema': 'schema',
  'scope:unknown': 'unknown',
  'scope:no-target': 'unknown',
  'scope:capability': 'scope',
  'scope:hint': 'scope',
  'policy:revoked': 'revoked',
  'policy:frozen': 'frozen',
  'policy:level': 'level',
  'policy:unknown': 'unknown',
  'policy:override': 'limit',
  'policy:cost': 'limit',
  'policy:rate': 'limit',
  'judge:threshold': 'judge',
  'approval:person': 'person',
  'approval:session': 'silenced',
  'approval:expired': 'timeout',
  'approval:withdrawn': 'caller',
  'approval:file-changed': 'changed',
  'approval:other-action': 'changed',
  'approval:used': 'approval',
};

const OF_STAGE: Readonly<Record<Stage, Refusal>> = {
  validation: 'validation',
  scope: 'scope',
  policy: 'policy',
  vaglio: 'guard',
  approval: 'approval',
};

/** Rules of the vaglio that are no pattern of the guard and no score: the phase itself failed. */
const FAULT = /^(?:[a-z]+:error|vaglio:refused)$/;

/**
 * The kind of a refusal, by the rule that made it. A rule of the guard is its pattern, which may hold any text; one
 * that is not known here has its stage's sentences.
 */
export function refusalOf(stage: Stage, rule: string): Refusal {
  if (Object.hasOwn(BY_RULE, rule)) return BY_RULE[rule] ?? OF_STAGE[stage];
  if (FAULT.test(rule)) return 'error';
  if (stage === 'vaglio' && rule.startsWith('judge:')) return 'judge';
  return OF_STAGE[stage];
}
