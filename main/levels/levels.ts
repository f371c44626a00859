/**
 * Autonomy levels (pipeline page): the default in our own database, one per (channel, sender) in
 * pairings.db, rises that end by themselves, and the freeze. May not import another feature; grants and the
 * unfinished requests come as arguments.
 */
import type { AutonomyLevel } from '../../shared/domain/capability.ts';
import type { GrantView } from '../../shared/domain/grant.ts';
import type { FreezeView, FrozenRequest, LevelPreview, LevelScope, LevelState } from '../../shared/domain/level.ts';
import { dropLevelChange, finishLevelChange, listLevelChanges, unfinishedLevelChanges } from '../db/level-changes.ts';
import { dropFrozenLevel, type TimedLevel } from '../db/level-store.ts';
import type { PairingRow, PairingsRepository } from '../db/pairings.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Changes } from '../engine/changes.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { GrantsService, LevelService } from '../engine/services.ts';
import { previewChange } from './confirmation.ts';
import { createFreezer } from './freeze.ts';
import { createFactsStore } from './level-facts.ts';
import { createLevelWriter } from './level-writer.ts';
import { isDue, levelAt, STRICTEST, stricter, viewOf } from './standing.ts';

/** The level of someone who never set one (pipeline page). */
const FIRST_LEVEL: AutonomyLevel = 'Supervised';
const HISTORY_LIMIT = 100;
const OPERATOR = 'operator';
/** A timer of Node's cannot be set further ahead; a clock that was moved is noticed after at most so long, ms. */
const LOOK_AGAIN_MS = 60_000;

/** The level that counts for one sender. */
export interface EffectiveLevel {
  level: AutonomyLevel;
  source: 'pairing' | 'default';
  /** Everything is denied, whatever the level. */
  revoked: boolean;
  /** Everything is ReadOnly until a person unfreezes it. */
  frozen: boolean;
  /** Why the level is the strictest one instead of the stored one; null when it was read. */
  problem: string | null;
}

export type Levels = LevelService & {
  /** Never throws: what cannot be read counts as the strictest. */
  effectiveLevel(channel: string, senderId: string): EffectiveLevel;
  /** Lets rises fall back in the files when their time is over, also when nobody asks. @returns ends it */
  follow(): () => void;
};

function reading<T>(read: () => T): { value: T; problem: null } | { value: null; problem: string } {
  try {
    return { value: read(), problem: null };
  } catch (error) {
    return { value: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * @param deps.changes announces changes of pairings.db by other programs, and ours
 * @param deps.settleRequests called at a freeze: unfinished requests whose cell is closed are denied
 */
export function createLevelService(deps: {
  clock: Clock;
  panel: PanelStore;
  pairings: PairingsRepository;
  grants: Pick<GrantsService, 'list'>;
  changes: Changes;
  settleRequests?: () => FrozenRequest[];
  /** How old what is known of panel.db may be for `effectiveLevel`, ms; absent: it is looked at every time. */
  lookAgainMs?: number;
}): Levels {
  const { clock, panel, pairings, grants, changes } = deps;
  const facts = createFactsStore(panel, deps.lookAgainMs);
  const writer = createLevelWriter({ clock, facts, pairings, changed: () => changes.announce() });
  const freezer = createFreezer({ clock, facts, pairings, settleRequests: deps.settleRequests ?? (() => []) });
  /** A lowering of the default that panel.db could not take. */
  let cap: AutonomyLevel = 'Full';
  let isSettled = true;

  const defaultStanding = (
    looked = facts.read(),
  ): { stored: string; timed: TimedLevel | null; level: AutonomyLevel; problem: string | null } => {
    const { facts: known, problem } = looked;
    if (known === null) return { stored: FIRST_LEVEL, timed: null, level: STRICTEST, problem };
    const stored = known.default_level ?? FIRST_LEVEL;
    const timed = known.timedDefault;
    // While the file cannot be read nobody knows whether another program set it lower.
    const level = problem === null ? stricter(levelAt(stored, timed, clock()), cap) : STRICTEST;
    return { stored, timed, level, problem };
  };

  const freezeView = (): FreezeView | null => {
    const { value, problem } = reading(() => freezer.view());
    if (problem === null) return value;
    const { since_ms, who } = freezer.current() ?? { since_ms: 0, who: '' };
    return { since_ms, who, restores: [], requests: [], confirmation: '' };
  };

  const state = (): LevelState => {
    writer.settle();
    const now = clock();
    const own = defaultStanding();
    const { facts: known } = facts.read();
    const frozen = freezeView();
    const rows = reading(() => pairings.list());
    const views = (rows.value ?? []).map((row) =>
      viewOf(row, known?.timedOf(row.channel, row.sender_id) ?? null, now, frozen !== null || known === null),
    );
    const { timed } = own;
    const isTimed = timed !== null && timed.level === own.stored && timed.until_ms > now;
    const problems = [own.problem, rows.problem, writer.unrecorded(), freezer.problem()].filter((one) => one !== null);
    return {
      default_level: frozen === null ? own.level : STRICTEST,
      default_timed: isTimed ? { until_ms: timed.until_ms, falls_back_to: timed.falls_back_to } : null,
      pairings: views,
      frozen,
      problem: problems.length === 0 ? null : [...new Set(problems)].join(' '),
    };
  };

  const findPairing = (scope: LevelScope & { kind: 'pairing' }): PairingRow => {
    const row = pairings.find(scope.channel, scope.sender_id);
    const who = `${scope.channel} / ${scope.sender_id}`;
    if (row === null) throw new UserError('not-found', `${who} is not paired, so it has no level of its own.`, who);
    if (row.revoked_at !== null) {
      const what = 'was revoked: everything is denied to it, and its level cannot be set. Pair it again first.';
      throw new UserError('refused', `The pairing ${who} ${what}`, who);
    }
    return row;
  };

  /** Stored text, what it means now, and the rise that it goes back to, if any. */
  const present = (scope: LevelScope): { stored: string; level: AutonomyLevel; timed: TimedLevel | null } => {
    if (scope.kind === 'default') {
      const { stored, level, timed } = defaultStanding();
      return { stored, level, timed: timed?.level === stored ? timed : null };
    }
    const { autonomy_level: stored } = findPairing(scope);
    const timed = facts.read().facts?.timedOf(scope.channel, scope.sender_id) ?? null;
    return { stored, level: levelAt(stored, timed, clock()), timed: timed?.level === stored ? timed : null };
  };

  /** Whose grants a scope is about: one sender's, or those of everyone without a pairing. */
  const concerns = (scope: LevelScope): ((grant: GrantView) => boolean) => {
    if (scope.kind === 'pairing')
      return ({ channel, sender_id }) => channel === scope.channel && sender_id === scope.sender_id;
    const paired = new Set(pairings.list().map(({ channel, sender_id }) => JSON.stringify([channel, sender_id])));
    return ({ channel, sender_id }) => !paired.has(JSON.stringify([channel, sender_id]));
  };

  const preview = async (scope: LevelScope, to: AutonomyLevel): Promise<LevelPreview> => {
    const { level } = present(scope);
    const bare = previewChange(scope, level, to, []);
    if (bare.direction !== 'raise') return bare;
    const { grants: active, problem } = await grants.list({});
    if (problem !== null) {
      const what = 'Without the list of grants it cannot be shown what a higher level would open.';
      throw new UserError('unreadable', `${problem} ${what}`, 'grants');
    }
    return previewChange(scope, level, to, active.filter(concerns(scope)));
  };

  /** True when the change would let more pass than now, be it by lasting longer. */
  const widens = (shown: LevelPreview, timed: TimedLevel | null, until: number | null): boolean => {
    if (shown.direction === 'raise') return true;
    return shown.direction === 'same' && timed !== null && (until === null || until > timed.until_ms);
  };

  const lowerDefault = (to: AutonomyLevel, make: () => void): void => {
    cap = to;
    const { problem } = reading(make);
    if (problem === null) cap = 'Full';
  };

  const set = async (scope: LevelScope, to: AutonomyLevel, confirmation: string | undefined, until: number | null) => {
    writer.settle();
    const shown = await preview(scope, to);
    const { stored, level, timed } = present(scope);
    if (level !== shown.from) throw changedMeanwhile();
    if (until !== null) checkEnd(until, clock(), shown.direction);
    if (widens(shown, timed, until)) {
      if (freezer.current() !== null) throw frozenNow();
      if (shown.confirmation !== confirmation) {
        throw confirmation === undefined ? unconfirmed(shown.from, to) : changedMeanwhile();
      }
    }
    // What a person sets while frozen is not brought back over it.
    if (scope.kind === 'pairing' && freezer.current() !== null) facts.change((db) => dropFrozenLevel(db, scope));
    if (stored === to && timed === null && until === null) return;
    const falls_back_to = timed?.falls_back_to ?? shown.from;
    const change = {
      scope,
      from: stored,
      to,
      who: OPERATOR,
      why: 'set' as const,
      timed: until === null ? null : { scope, level: to, falls_back_to, until_ms: until },
      lowers: shown.direction === 'lower',
    };
    if (scope.kind === 'default' && shown.direction !== 'raise') lowerDefault(to, () => writer.make(change));
    else writer.make(change);
    changes.announce();
  };

  return {
    state,
    preview: ({ scope, to }) => preview(scope, to),
    set: async ({ scope, to, confirmation, until_ms }) => {
      await set(scope, to, confirmation, until_ms ?? null);
      return state();
    },
    freeze: () => {
      writer.settle();
      freezer.freeze(OPERATOR);
      changes.announce();
      return state();
    },
    unfreeze: ({ confirmation }) => {
      writer.settle();
      freezer.unfreeze(OPERATOR, confirmation);
      changes.announce();
      return state();
    },
    history: ({ limit }) => {
      if (!isSettled) settleLevelChanges(panel, pairings);
      isSettled = true;
      return { changes: panel.read((db) => listLevelChanges(db, limit ?? HISTORY_LIMIT)) };
    },
    async *changed(_, signal) {
      const ticks = changes.ticks(signal);
      let shown = '';
      // Listens before it looks, so that no change falls in between.
      for (let next = ticks.next(); ; next = ticks.next()) {
        const now = state();
        const text = JSON.stringify(now);
        if (text !== shown) yield now;
        shown = text;
        if ((await next).done) return;
      }
    },
    effectiveLevel: (channel, senderId) => {
      const looked = facts.recent();
      const { facts: known, problem: unread } = looked;
      const frozen = freezer.holds(known);
      const found = reading(() => pairings.find(channel, senderId));
      const problem = found.problem ?? (known === null ? unread : null);
      const row = found.value;
      const revoked = row !== null && row.revoked_at !== null;
      const source = found.problem !== null || row !== null ? 'pairing' : 'default';
      if (problem !== null || frozen) return { level: STRICTEST, source, revoked, frozen, problem };
      if (row === null) {
        const own = defaultStanding(looked);
        if (isDue(own.stored, own.timed, clock())) writer.settle();
        return { level: own.level, source, revoked, frozen, problem: own.problem };
      }
      const timed = known?.timedOf(channel, senderId) ?? null;
      const level = levelAt(row.autonomy_level, timed, clock());
      if (isDue(row.autonomy_level, timed, clock())) writer.settle();
      return { level, source, revoked, frozen, problem: null };
    },
    follow: () => {
      let timer: NodeJS.Timeout | null = null;
      const look = (): void => {
        writer.settle();
        const ends = (facts.read().facts?.timed ?? []).map(({ until_ms }) => until_ms - clock());
        const next = Math.min(LOOK_AGAIN_MS, ...ends.filter((ms) => ms > 0));
        timer = setTimeout(look, next).unref();
      };
      freezer.enforce();
      look();
      return () => {
        if (timer !== null) clearTimeout(timer);
      };
    },
  };
}

function unconfirmed(from: AutonomyLevel, to: AutonomyLevel): UserError {
  const what = from === to ? `Keeping ${to} for longer` : `Rising from ${from} to ${to}`;
  return new UserError('confirmation-needed', `${what} has to be confirmed by whoever saw what opens.`);
}

function changedMeanwhile(): UserError {
  return new UserError(
    'confirmation-needed',
    'What would open has changed since it was shown. Look again, then confirm.',
  );
}

function frozenNow(): UserError {
  return new UserError('refused', 'Everything is frozen: no level rises before it is unfrozen.', 'level');
}

/** @throws UserError `bad-input` for an end that is past, or of something that is no rise */
function checkEnd(until: number, now: number, direction: LevelPreview['direction']): void {
  if (!Number.isFinite(until) || until <= now) {
    throw new UserError('bad-input', 'The end of a rise has to lie ahead.', 'until_ms');
  }
  if (direction === 'lower') {
    throw new UserError('bad-input', 'A lower level has no end: it stays until it is raised.', 'until_ms');
  }
}

/**
 * Settles changes that were recorded when the program was killed: made ones stay in the history, others
 * leave it. What cannot be read now is settled at a later start.
 */
export function settleLevelChanges(panel: PanelStore, pairings: PairingsRepository): void {
  for (const { id, scope, to } of panel.read(unfinishedLevelChanges)) {
    const made = scope.kind === 'pairing' && pairings.find(scope.channel, scope.sender_id)?.autonomy_level === to;
    panel.write((db) => (made ? finishLevelChange(db, id) : dropLevelChange(db, id)));
  }
}
