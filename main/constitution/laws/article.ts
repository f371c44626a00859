import type { AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { Action, ArticleId, Flow } from '../../../shared/domain/constitution.ts';
import type { DeclaredCapability } from '../../../shared/domain/decision.ts';
import type { PasswdLookup } from '../../vaglio/expand-user.ts';
import type { Places } from './places.ts';

/** What the laws are told of the world; nothing of it is looked up by themselves. All may throw: nothing passes then. */
export interface LawFacts {
  /** Absolute path that `~` stands for. */
  home: string;
  passwd: PasswdLookup;
  /** Where a path really leads. */
  realpath(path: string): string;
  places: Places;
  /** What the executor of this name declares; null when nothing is known of it. */
  declared(kind: string): readonly DeclaredCapability[] | null;
  /** The reason of the guard's structural layer, or null; absent where it is switched off. */
  structural?(call: { executor: string; args: unknown; context: unknown }): string | null;
  levelInForce(sender: Sender | null): AutonomyLevel;
  /** Is there such a grant, for this sender and capability where they are known? */
  hasGrant(claim: { id: string; sender: Sender | null; capability: string | null }): boolean;
  /** Was a request of this token approved? */
  hasApproval(token: string): boolean;
  /** Was the like of it put on the list of what is not to be proposed again? */
  isUnwanted(sameness: string): boolean;
}

export interface Sender {
  channel: string;
  sender_id: string;
}

/**
 * The part of an action that a law looks at. Not its words: plan, impact and rationale count as there or not there,
 * so nothing that is written in them can talk a law round.
 */
export interface JudgedAction extends Pick<Action, 'kind' | 'targets' | 'args' | 'capability' | 'reversibility'> {
  flow: Flow;
  /** Patterns that the action itself keeps to. */
  ownScope: readonly string[];
  sender: Sender | null;
  /** Which of plan, rationale and impact are empty. */
  missing: readonly string[];
  sameness: string;
}

/** One law (constitution page, section 2). */
export interface Article {
  id: ArticleId;
  contradictedBy(action: JudgedAction, facts: LawFacts): boolean;
  /** Why; empty when it is not contradicted. */
  explain(action: JudgedAction, facts: LawFacts): string;
}

/** @param find says what contradicts the law, or null */
export function article(id: ArticleId, find: (action: JudgedAction, facts: LawFacts) => string | null): Article {
  return {
    id,
    contradictedBy: (action, facts) => find(action, facts) !== null,
    explain: (action, facts) => find(action, facts) ?? '',
  };
}

export const runsCode = ({ kind, capability }: Pick<JudgedAction, 'kind' | 'capability'>): boolean =>
  kind === 'shell_exec' || capability === 'code:exec';
