import { createHash } from 'node:crypto';
import type { AutonomyLevel } from '../../shared/domain/capability.ts';
import {
  type FreezeView,
  type FrozenRequest,
  frozenRequestSchema,
  type LevelScope,
} from '../../shared/domain/level.ts';
import { beginLevelChange, finishLevelChange } from '../db/level-changes.ts';
import { dropFreeze, type StoredFreeze, writeFreeze } from '../db/level-store.ts';
import type { PairingsRepository } from '../db/pairings.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import { type Facts, type FactsStore, keyOf } from './level-facts.ts';
import { levelAt, levelOf, STRICTEST } from './standing.ts';

/**
 * Freeze (pipeline page, "Autonomy level"): everything counts as ReadOnly at once. The pairings are lowered in the
 * shared file too, so that a running Metnos is frozen as well; what to bring back lies in panel.db before that.
 */
export interface Freezer {
  /** The freeze in force, from panel.db or, where that could not be written, from memory. */
  current(): StoredFreeze | null;
  /** Is everything frozen, by what is known of panel.db? For the question of every call. */
  holds(facts: Facts | null): boolean;
  view(): FreezeView | null;
  /** Never throws: what could not be written is in `problem`, and the freeze counts in this process all the same. */
  freeze(who: string): void;
  /** @throws UserError `confirmation-needed` when other things would come back than were shown, or naming a file */
  unfreeze(who: string, confirmation: string): void;
  /** Lowers in the files what a freeze that is in force finds raised, after a crash or by another program. */
  enforce(): void;
  problem(): string | null;
}

export function createFreezer(deps: {
  clock: Clock;
  facts: FactsStore;
  pairings: PairingsRepository;
  /** Unfinished requests, each with its fate now that everything is ReadOnly. */
  settleRequests(): FrozenRequest[];
}): Freezer {
  const { clock, facts, pairings } = deps;
  /** A freeze that panel.db could not take. */
  let held: StoredFreeze | null = null;
  let problem: string | null = null;

  const current = (): StoredFreeze | null => facts.read().facts?.freeze ?? held;

  const raised = (): { scope: LevelScope & { kind: 'pairing' }; stored: string; level: AutonomyLevel }[] => {
    const now = clock();
    return pairings.list().flatMap(({ channel, sender_id, autonomy_level, revoked_at }) => {
      if (revoked_at !== null || autonomy_level === STRICTEST) return [];
      const timed = facts.read().facts?.timedOf(channel, sender_id) ?? null;
      const level = levelAt(autonomy_level, timed, now);
      return [{ scope: { kind: 'pairing', channel, sender_id }, stored: autonomy_level, level }];
    });
  };

  const noting = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  };

  /** @param record whether the history gets a line for each */
  const lowerAll = (who: string, record: boolean): void => {
    const list = raised();
    if (list.length === 0) return;
    noting(() =>
      facts.change((db) => {
        const freeze = current() ?? held;
        const levels = list.flatMap(({ scope, level }) => (level === STRICTEST ? [] : [{ scope, level }]));
        if (freeze !== null) writeFreeze(db, { ...freeze, levels });
        for (const { scope, stored } of record ? list : []) {
          const row = { at: clock(), who, scope, from: stored, to: STRICTEST, why: 'freeze' as const };
          finishLevelChange(db, beginLevelChange(db, row));
        }
      }),
    );
    pairings.setLevels(list.map(({ scope, stored }) => ({ ...keys(scope), from: stored, to: STRICTEST })));
  };

  const restores = (freeze: StoredFreeze): FreezeView['restores'] => {
    const now = clock();
    const { facts: known } = facts.read();
    const stored = known?.default_level ?? null;
    const own = stored === null ? 'Supervised' : levelAt(stored, known?.timedDefault ?? null, now);
    const rows = new Map(pairings.list().map((row) => [keyOf({ kind: 'pairing', ...row }), row]));
    const kept = freeze.levels.flatMap(({ scope, level }) => {
      if (scope.kind === 'default') return [];
      const row = rows.get(keyOf(scope));
      // Revoked or set to something else since: it is not ours to bring back.
      if (row === undefined || row.revoked_at !== null || levelOf(row.autonomy_level).level !== STRICTEST) return [];
      const timed = known?.timedOf(scope.channel, scope.sender_id) ?? null;
      const to = levelAt(level, timed, now);
      return to === STRICTEST ? [] : [{ scope, to }];
    });
    return own === STRICTEST ? kept : [{ scope: { kind: 'default' }, to: own }, ...kept];
  };

  const view = (): FreezeView | null => {
    const freeze = current();
    if (freeze === null) return null;
    const list = restores(freeze);
    const text = JSON.stringify([freeze.since_ms, list.map(({ scope, to }) => [keyOf(scope), to])]);
    return {
      since_ms: freeze.since_ms,
      who: freeze.who,
      restores: list,
      requests: requestsOf(freeze.requests),
      confirmation: createHash('sha256').update(text).digest('base64url'),
    };
  };

  return {
    current,
    holds: (known) => held !== null || (known?.freeze ?? null) !== null,
    view,
    problem: () => problem,
    freeze: (who) => {
      problem = null;
      const before = current();
      const freeze: StoredFreeze = before ?? { since_ms: clock(), who, requests: '[]', levels: [] };
      // It counts from here on, whatever happens to the files.
      held = freeze;
      noting(() => facts.change((db) => writeFreeze(db, freeze)));
      noting(() => lowerAll(who, true));
      noting(() => {
        const requests = [...requestsOf(freeze.requests), ...deps.settleRequests()].slice(-MOST_REQUESTS);
        held = { ...freeze, requests: JSON.stringify(requests) };
        facts.change((db) => writeFreeze(db, { ...freeze, levels: [], requests: JSON.stringify(requests) }));
      });
    },
    unfreeze: (who, confirmation) => {
      const shown = view();
      if (shown === null) throw new UserError('conflict', 'Nothing is frozen.');
      if (shown.confirmation !== confirmation) {
        throw new UserError('confirmation-needed', 'What would come back has changed since it was shown. Look again.');
      }
      const list = shown.restores.flatMap(({ scope, to }) => (scope.kind === 'pairing' ? [{ scope, to }] : []));
      // Raised first and forgotten last: a crash in between leaves everything frozen.
      pairings.setLevels(list.map(({ scope, to }) => ({ ...keys(scope), from: STRICTEST, to })));
      try {
        facts.change((db) => {
          dropFreeze(db);
          for (const { scope, to } of list) {
            const row = { at: clock(), who, scope, from: STRICTEST, to, why: 'unfreeze' as const };
            finishLevelChange(db, beginLevelChange(db, row));
          }
        });
      } catch (error) {
        // A freeze that only memory holds ends with it; otherwise it is still in force.
        if (facts.read().facts?.freeze) {
          noting(() => lowerAll(who, false));
          throw error;
        }
      }
      held = null;
      problem = null;
    },
    enforce: () => {
      if (current() !== null) noting(() => lowerAll('freeze', false));
    },
  };
}

/** Fates that are remembered. */
const MOST_REQUESTS = 200;

function keys({ channel, sender_id }: LevelScope & { kind: 'pairing' }): { channel: string; sender_id: string } {
  return { channel, sender_id };
}

function requestsOf(text: string): FrozenRequest[] {
  try {
    return frozenRequestSchema.array().parse(JSON.parse(text));
  } catch {
    return [];
  }
}
