import type { KeptCalls } from '../../shared/rpc/policy.ts';
import { oldestDecision } from '../db/decisions.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { UserError } from '../engine/errors.ts';
import type { Keeper } from './keeper.ts';

/** @returns what `work` found; null when the file cannot be read, and why */
export type ReadKept = <T>(work: () => T | Promise<T>) => Promise<{ found: T | null; kept: KeptCalls }>;

/** Reads from the kept answers, those that still waited in memory included (pipeline page). */
export function createKeptReader(deps: {
  panel: PanelStore;
  keeper: Pick<Keeper, 'flush' | 'problem' | 'days'>;
}): ReadKept {
  const { panel, keeper } = deps;
  return async (work) => {
    keeper.flush();
    const kept = { days: keeper.days(), oldest_ms: null, problem: keeper.problem() };
    try {
      return { found: await work(), kept: { ...kept, oldest_ms: panel.read(oldestDecision) } };
    } catch (error) {
      if (error instanceof UserError) return { found: null, kept: { ...kept, problem: error.message } };
      throw error;
    }
  };
}
