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
  /** A rise for a limited time: when it ends and to what it falls back. */
  timed: PairingView['timed'];
  /** Everything is frozen: the level counts as ReadOnly until that is lifted. */
  frozen: boolean;
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
    return {
      scope,
      level: state.default_level,
      unknownText: null,
      revoked: false,
      pairing: null,
      timed: state.default_timed,
      frozen: state.frozen !== null,
    };
  }
  const pairing = state.pairings.find((each) => each.channel === scope.channel && each.sender_id === scope.sender_id);
  if (!pairing) return null;
  return {
    scope,
    level: pairing.level,
    unknownText: pairing.known ? null : pairing.stored_level,
    revoked: pairing.revoked_at !== null,
    pairing,
    timed: pairing.timed,
    frozen: state.frozen !== null,
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

/** When the next raise for a limited time ends, Unix ms; null when there is none. */
export function nextFallBack(state: LevelState | null): number | null {
  const ends = [state?.default_timed, ...(state?.pairings ?? []).map((each) => each.timed)]
    .map((timed) => timed?.until_ms)
    .filter((until) => until !== undefined);
  return ends.length === 0 ? null : Math.min(...ends);
}
