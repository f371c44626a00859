import { AUTONOMY_LEVELS, type AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { LevelScope, LevelState, PairingView } from '../../../shared/domain/level.ts';

/** The level that counts for a scope, and what has to be said about it. */
export interface LevelInForce {
  scope: LevelScope;
  level: AutonomyLevel;
  /** The text in pairings.db when it is no level (it counts as ReadOnly); null otherwise. */
  unknownText: string | null;
  /** A revoked pairing: everything is denied, and the level cannot be switched. */
  revoked: boolean;
  pairing: PairingView | null;
}

export const DEFAULT_SCOPE: LevelScope = { kind: 'default' };

/** One string for each scope; no channel or sender can imitate another scope's. */
export function scopeKey(scope: LevelScope): string {
  return scope.kind === 'default' ? 'default' : JSON.stringify([scope.channel, scope.sender_id]);
}

/** null while the state is not known, and for a pairing that is not (or no longer) in the file. */
export function levelInForce(state: LevelState | null, scope: LevelScope): LevelInForce | null {
  if (!state) return null;
  if (scope.kind === 'default') {
    return { scope, level: state.default_level, unknownText: null, revoked: false, pairing: null };
  }
  const pairing = state.pairings.find((each) => each.channel === scope.channel && each.sender_id === scope.sender_id);
  if (!pairing) return null;
  return {
    scope,
    level: pairing.level,
    unknownText: pairing.known ? null : pairing.stored_level,
    revoked: pairing.revoked_at !== null,
    pairing,
  };
}

/** "telegram / Roberto": the name that the pairing has, otherwise the sender's id. */
export function pairingName(pairing: Pick<PairingView, 'channel' | 'sender_id' | 'display_name'>): string {
  return `${pairing.channel} / ${pairing.display_name ?? pairing.sender_id}`;
}

/** What choosing `to` does now. Writing a known level over an unknown text is no raise when it is ReadOnly. */
export function directionOf(now: LevelInForce, to: AutonomyLevel): 'raise' | 'lower' | 'same' | 'rewrite' {
  const step = AUTONOMY_LEVELS.indexOf(to) - AUTONOMY_LEVELS.indexOf(now.level);
  if (step > 0) return 'raise';
  if (step < 0) return 'lower';
  return now.unknownText === null ? 'same' : 'rewrite';
}
