import {
  type AutonomyLevel,
  autonomyLevelSchema,
  type CapabilityName,
  capabilityNameSchema,
} from '../../shared/domain/capability.ts';
import type { LevelScope, LevelState } from '../../shared/domain/level.ts';
import type { LevelComparison } from '../../shared/rpc/policy.ts';
import { type CellCount, cellCounts, SLOT_MS, slotOf } from '../db/cell-counts.ts';
import { listCellDecisions } from '../db/decisions.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { LevelService, PolicyService } from '../engine/services.ts';
import { outcomeThen, outcomeUnderLevel } from '../policy/compare.ts';
import type { OutcomeLimits } from '../policy/decide.ts';
import type { Keeper } from './keeper.ts';
import { createKeptReader } from './kept-calls.ts';

const DAY_MS = 86_400_000;
const FIRED_DAYS = 7;
const COMPARED_DAYS = 30;
/** Between two of these the engine sees to everything else. */
const AT_ONCE = 500;

/** What fell in the cells of the matrix, from the answers that our own line kept (ui page, "Matrix"). */
export function createCellHistory(deps: {
  panel: PanelStore;
  keeper: Pick<Keeper, 'flush' | 'problem' | 'days'>;
  clock: Clock;
  levels: Pick<LevelService, 'state'>;
  /** Those that do not count calls. */
  limits: Pick<OutcomeLimits, 'cost' | 'overrides'>;
}): Omit<PolicyService, 'matrix'> {
  const { panel, keeper, clock, levels, limits } = deps;

  const reading = createKeptReader({ panel, keeper });

  /** Those of all slots added up: there are many more slots than kinds of calls. */
  const countsSince = async (fromMs: number): Promise<CellCount[]> => {
    const sums = new Map<string, CellCount>();
    for (let after: CellCount | null = null; ; ) {
      const part = panel.read((db) => cellCounts(db, fromMs, after, AT_ONCE));
      for (const count of part) {
        const { channel, sender_id, capability, level, fate, calls } = count;
        // The names of capability, level and fate hold no space, so no two kinds have one key.
        const key = `${fate} ${level} ${capability} ${channel.length} ${channel}${sender_id}`;
        const sum = sums.get(key);
        if (sum === undefined) sums.set(key, { ...count });
        else sum.calls += calls;
      }
      after = part.at(-1) ?? null;
      if (part.length < AT_ONCE) return [...sums.values()];
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  return {
    fired: async () => {
      const since_ms = startOf(clock(), FIRED_DAYS);
      const cells = createSums<{ level: AutonomyLevel; capability: CapabilityName }>();
      const { found, kept } = await reading(() => countsSince(since_ms));
      for (const count of found ?? []) {
        const cell = cellOf(count);
        if (cell !== null) cells.add(cell, count.calls);
      }
      return { cells: cells.list(), since_ms, kept };
    },
    calls: async ({ limit, ...cell }) => {
      const { found, kept } = await reading(() => panel.read((db) => listCellDecisions(db, cell, limit + 1)));
      const rows = found ?? [];
      return { rows: rows.slice(0, limit), more: rows.length > limit, kept };
    },
    compare: async ({ scope, to }) => {
      const now = clock();
      const since_ms = startOf(now, COMPARED_DAYS);
      const { level: from, isOf, problem } = whose(scope, await levels.state({}));
      const sums = createSums<Pick<LevelComparison['calls'][number], 'capability' | 'was' | 'would'>>();
      const others = { guard: 0, judge: 0, unclear: 0 };
      const { found, kept } = await reading(() => countsSince(since_ms));
      for (const count of found ?? []) {
        const cell = cellOf(count);
        if (cell === null || !isOf(count)) continue;
        const { fate, calls } = count;
        if (fate === 'guard' || fate === 'judge' || fate === 'unclear') {
          others[fate] += calls;
          continue;
        }
        const call = { ...count, fate };
        const would = outcomeUnderLevel(call, to, limits);
        sums.add({ capability: cell.capability, was: outcomeThen(call), would }, calls);
      }
      return {
        scope,
        from,
        to,
        since_ms,
        kept: { ...kept, problem: kept.problem ?? problem },
        calls: sums.list(),
        guard_blocks: others.guard,
        judge_blocks: others.judge,
        unclear: others.unclear,
      };
    },
  };
}

/** Counts are by quarters of a day: the one that began before the span counts whole. */
function startOf(now: number, days: number): number {
  return slotOf(now - days * DAY_MS) * SLOT_MS;
}

/** Null for a row of a version that we do not know. */
function cellOf(count: CellCount): { level: AutonomyLevel; capability: CapabilityName } | null {
  const level = autonomyLevelSchema.safeParse(count.level).data;
  const capability = capabilityNameSchema.safeParse(count.capability).data;
  return level === undefined || capability === undefined ? null : { level, capability };
}

interface Who {
  channel: string;
  sender_id: string;
}

/** The level in force for a scope, and whose calls it is about. @throws UserError `not-found` for no pairing */
function whose(
  scope: LevelScope,
  state: LevelState,
): { level: AutonomyLevel; isOf(who: Who): boolean; problem: string | null } {
  const { pairings, default_level, problem } = state;
  if (scope.kind === 'default') {
    const paired = new Set(pairings.map(nameOf));
    return { level: default_level, isOf: (who) => !paired.has(nameOf(who)), problem };
  }
  const name = nameOf(scope);
  const pairing = pairings.find((one) => nameOf(one) === name);
  if (pairing === undefined) {
    const who = `${scope.channel} / ${scope.sender_id}`;
    throw new UserError('not-found', problem ?? `${who} is not paired, so it has no level of its own.`, who);
  }
  return { level: pairing.level, isOf: (who) => nameOf(who) === name, problem };
}

function nameOf({ channel, sender_id }: Who): string {
  return JSON.stringify([channel, sender_id]);
}

/** Adds up calls that are alike. */
function createSums<K extends object>(): { add(key: K, calls: number): void; list(): (K & { calls: number })[] } {
  const sums = new Map<string, K & { calls: number }>();
  return {
    add: (key, calls) => {
      const name = Object.values(key).join(' ');
      const sum = sums.get(name);
      if (sum === undefined) sums.set(name, { ...key, calls });
      else sum.calls += calls;
    },
    list: () => [...sums.values()],
  };
}
