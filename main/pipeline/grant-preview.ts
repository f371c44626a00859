import type { DecisionRow } from '../../shared/domain/decision.ts';
import type { GrantPreview, GrantScope } from '../../shared/rpc/grants.ts';
import { fateOf } from '../db/cell-fate.ts';
import { type DecisionPlace, listScopeDecisions } from '../db/decisions.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Clock } from '../engine/clock.ts';
import type { GrantsService } from '../engine/services.ts';
import { decideOutcome, type OutcomeLimits } from '../policy/decide.ts';
import { compileTarget, type MatchWorld, prepareTarget, targetCovers } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';
import { LONGEST_TARGET } from './answer.ts';
import type { Catalogue } from './catalogue.ts';
import type { Keeper } from './keeper.ts';
import { createKeptReader } from './kept-calls.ts';

const DAY_MS = 86_400_000;
const DAYS = 30;
/** Calls of one sender and capability that one question looks at. */
const MOST = 5000;
/** Between two of these the engine sees to everything else. */
const AT_ONCE = 50;
const NEWEST = 5;

/**
 * Which past calls a grant would have let through, before it is signed (ui page, "Grants"). Asked of the policy's one entry
 * point, at the level that counted then, with the limits as they are now.
 *
 * @param deps.most for tests
 */
export function createGrantPreview(deps: {
  panel: PanelStore;
  keeper: Pick<Keeper, 'flush' | 'problem' | 'days'>;
  catalogue: Pick<Catalogue, 'find'>;
  clock: Clock;
  world: MatchWorld;
  /** Those that do not count calls. */
  limits: Pick<OutcomeLimits, 'cost' | 'overrides'>;
  most?: number;
}): GrantsService['preview'] {
  const { panel, catalogue, clock, most = MOST } = deps;
  const reading = createKeptReader(deps);

  return async (scope) => {
    const since_ms = clock() - DAYS * DAY_MS;
    const isLifted = createLift(scope, deps);
    const count = async (): Promise<Omit<GrantPreview, 'since_ms' | 'kept'>> => {
      const sums = { asked: 0, passed: 0, perhaps: 0, newest: [] as GrantPreview['newest'], looked_at: 0 };
      for (let before: DecisionPlace | null = null; ; ) {
        const wanted = Math.min(AT_ONCE, most - sums.looked_at);
        const part = panel.read((db) => listScopeDecisions(db, scope, since_ms, before, wanted));
        for (const row of part.rows) {
          if (!didAsk(row)) continue;
          sums.asked += 1;
          const targets = targetsOf(row);
          if (targets.length === 0 || !targets.every((target) => isLifted(row.level ?? '', target))) continue;
          if (targets.length > 1 || needsMore(row, catalogue)) {
            sums.perhaps += 1;
            continue;
          }
          sums.passed += 1;
          const { id, at, executor, target } = row;
          if (sums.newest.length < NEWEST) sums.newest.push({ id, at, executor, target: target ?? '' });
        }
        sums.looked_at += part.looked_at;
        before = part.last;
        if (before === null || part.looked_at < wanted) return { ...sums, cut_at_ms: null };
        if (sums.looked_at >= most) {
          const rest = panel.read((db) => listScopeDecisions(db, scope, since_ms, before, 1));
          return { ...sums, cut_at_ms: rest.looked_at === 0 ? null : before.at };
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const { found, kept } = await reading(count);
    const nothing = { asked: 0, passed: 0, perhaps: 0, newest: [], looked_at: 0, cut_at_ms: null };
    return { ...(found ?? nothing), since_ms, kept };
  };
}

/** It came to a person because the policy asked, and not for what the guard marked. */
function didAsk(row: DecisionRow): boolean {
  return fateOf(row) === 'asked' && row.stages.findLast(({ stage }) => stage === 'policy')?.outcome === 'asked';
}

/** None where the record may have been cut: what it says then is not what was asked for. */
function targetsOf({ target }: DecisionRow): string[] {
  return target === null || target.length >= LONGEST_TARGET ? [] : target.split('\n');
}

/** Its manifest names more than one capability that may ask; for which of them a call asked as well is not kept. */
function needsMore({ executor }: DecisionRow, catalogue: Pick<Catalogue, 'find'>): boolean {
  const names = new Set(catalogue.find(executor)?.capabilities.map(({ name }) => name));
  return [...names].filter((name) => capabilityNamed(name)?.default_approval !== 'none').length > 1;
}

/** Whether the policy would have let a target pass on this grant; each is worked out once. Never throws. */
function createLift(
  { channel, sender_id, capability, target: pattern }: GrantScope,
  { world, limits }: { world: MatchWorld; limits: Pick<OutcomeLimits, 'cost' | 'overrides'> },
): (level: string, target: string) => boolean {
  const kind = capabilityNamed(capability)?.target_kind;
  if (kind === undefined) return () => false;
  const compiled = compileTarget(kind, pattern, world);
  const known = new Map<string, boolean>();
  const { cost, overrides } = limits;
  return (level, target) => {
    const key = `${level} ${target}`;
    let lifted = known.get(key);
    if (lifted === undefined) {
      const findGrant = (): number | null => (targetCovers(compiled, prepareTarget(kind, target, world)) ? 0 : null);
      const call = { level, capability, channel, sender_id, target };
      const { outcome, grant_id } = decideOutcome(call, { cost, overrides, findGrant });
      lifted = outcome === 'allowed' && grant_id !== null;
      known.set(key, lifted);
    }
    return lifted;
  };
}
