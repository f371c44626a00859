import { create } from 'zustand';
import type { LevelScope, LevelState } from '../../../shared/domain/level.ts';
import type { Problem } from '../../rpc/problem.ts';
import { DEFAULT_SCOPE, type LevelInForce, levelInForce } from './level.logic.ts';

interface Levels {
  /** null until the engine has answered. */
  state: LevelState | null;
  problem: Problem | null;
  /** Whose level the top bar shows and switches. */
  scope: LevelScope;
}

export const useLevels = create<Levels>(() => ({ state: null, problem: null, scope: DEFAULT_SCOPE }));

/** Takes what the engine says; a chosen pairing that is gone gives way to the default. */
export function takeLevelState(state: LevelState): void {
  useLevels.setState((now) => ({
    state,
    problem: null,
    scope: levelInForce(state, now.scope) ? now.scope : DEFAULT_SCOPE,
  }));
}

/** The level in force for the scope chosen in the top bar; null while unknown. */
export function useLevelInForce(): LevelInForce | null {
  const state = useLevels((levels) => levels.state);
  const scope = useLevels((levels) => levels.scope);
  return levelInForce(state, scope);
}
