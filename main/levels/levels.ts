/**
 * Autonomy levels (pipeline page): the default in our own database, one per (channel, sender) in
 * pairings.db. May not import another feature; grants come as an argument.
 */
import { type AutonomyLevel, autonomyLevelSchema } from '../../shared/domain/capability.ts';
import type { GrantView } from '../../shared/domain/grant.ts';
import type { LevelScope, LevelState, PairingView } from '../../shared/domain/level.ts';
import {
  beginLevelChange,
  dropLevelChange,
  finishLevelChange,
  listLevelChanges,
  unfinishedLevelChanges,
} from '../db/level-changes.ts';
import type { PairingRow, PairingsRepository } from '../db/pairings.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import type { Changes } from '../engine/changes.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { GrantsService, LevelService } from '../engine/services.ts';
import { previewChange } from './confirmation.ts';

/** The level of someone who never set one (pipeline page). */
const FIRST_LEVEL: AutonomyLevel = 'Supervised';
const STRICTEST: AutonomyLevel = 'ReadOnly';
const DEFAULT_LEVEL_KEY = 'default_level';
const HISTORY_LIMIT = 100;
const OPERATOR = 'operator';

/** The level that counts for one sender. */
export interface EffectiveLevel {
  level: AutonomyLevel;
  source: 'pairing' | 'default';
  /** Everything is denied, whatever the level. */
  revoked: boolean;
  /** Why the level is the strictest one instead of the stored one; null when it was read. */
  problem: string | null;
}

export type Levels = LevelService & {
  /** Never throws: what cannot be read counts as the strictest. */
  effectiveLevel(channel: string, senderId: string): EffectiveLevel;
};

/** An unknown text counts as ReadOnly. */
function levelOf(stored: string): { level: AutonomyLevel; known: boolean } {
  const { success, data } = autonomyLevelSchema.safeParse(stored);
  return success ? { level: data, known: true } : { level: STRICTEST, known: false };
}

function viewOf(row: PairingRow): PairingView {
  const { id, channel, sender_id, autonomy_level, revoked_at, paired_at, last_seen, display_name } = row;
  return {
    id,
    channel,
    sender_id,
    stored_level: autonomy_level,
    ...levelOf(autonomy_level),
    revoked_at,
    paired_at,
    last_seen,
    display_name,
  };
}

function reading<T>(read: () => T): { value: T; problem: null } | { value: null; problem: string } {
  try {
    return { value: read(), problem: null };
  } catch (error) {
    return { value: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** @param deps.changes announces changes of pairings.db by other programs, and ours */
export function createLevelService(deps: {
  clock: Clock;
  panel: PanelStore;
  pairings: PairingsRepository;
  grants: Pick<GrantsService, 'list'>;
  changes: Changes;
}): Levels {
  const { clock, panel, pairings, grants, changes } = deps;

  let remembered: string | null = null;
  let isSettled = true;

  const storedDefault = (): string => {
    const stored = panel.read((db) => readSetting(db, DEFAULT_LEVEL_KEY));
    if (stored !== null) remembered = stored;
    if (remembered === null) return FIRST_LEVEL;
    const level = remembered;
    // panel.db was deleted while we run; whoever did that has not set a level.
    if (stored === null) panel.write((db) => writeSetting(db, DEFAULT_LEVEL_KEY, level));
    return level;
  };

  const defaultLevel = (): { level: AutonomyLevel; problem: string | null } => {
    const { value, problem } = reading(storedDefault);
    return problem === null ? { level: levelOf(value).level, problem } : { level: STRICTEST, problem };
  };

  const state = (): LevelState => {
    const { level, problem } = defaultLevel();
    const rows = reading(() => pairings.list());
    const problems = [problem, rows.problem].filter((text) => text !== null);
    return {
      default_level: level,
      pairings: (rows.value ?? []).map(viewOf),
      problem: problems.length === 0 ? null : problems.join(' '),
    };
  };

  const findPairing = (scope: LevelScope & { kind: 'pairing' }): PairingView => {
    const row = pairings.find(scope.channel, scope.sender_id);
    const who = `${scope.channel} / ${scope.sender_id}`;
    if (row === null) throw new UserError('not-found', `${who} is not paired, so it has no level of its own.`, who);
    if (row.revoked_at !== null) {
      const what = 'was revoked: everything is denied to it, and its level cannot be set. Pair it again first.';
      throw new UserError('refused', `The pairing ${who} ${what}`, who);
    }
    return viewOf(row);
  };

  /** Stored text and what it means; throws when it cannot be known, since a change needs to know. */
  const present = (scope: LevelScope): { stored: string; level: AutonomyLevel } => {
    if (scope.kind === 'pairing') {
      const { stored_level, level } = findPairing(scope);
      return { stored: stored_level, level };
    }
    const stored = storedDefault();
    return { stored, level: levelOf(stored).level };
  };

  const preview = async (scope: LevelScope, to: AutonomyLevel) => {
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

  /** Whose grants a scope is about: one sender's, or those of everyone without a pairing. */
  const concerns = (scope: LevelScope): ((grant: GrantView) => boolean) => {
    if (scope.kind === 'pairing')
      return ({ channel, sender_id }) => channel === scope.channel && sender_id === scope.sender_id;
    const paired = new Set(pairings.list().map(({ channel, sender_id }) => JSON.stringify([channel, sender_id])));
    return ({ channel, sender_id }) => !paired.has(JSON.stringify([channel, sender_id]));
  };

  const write = (scope: LevelScope, from: string, to: AutonomyLevel): void => {
    const change = { at: clock(), who: OPERATOR, scope, from, to };
    if (scope.kind === 'default') {
      panel.write((db) => {
        writeSetting(db, DEFAULT_LEVEL_KEY, to);
        finishLevelChange(db, beginLevelChange(db, change));
      });
      return;
    }
    const id = panel.write((db) => beginLevelChange(db, change));
    let isSet = false;
    try {
      isSet = pairings.setLevel({ channel: scope.channel, sender_id: scope.sender_id, from, to });
    } finally {
      // The level is what it is; a record that cannot be closed now is settled later.
      const close = isSet ? finishLevelChange : dropLevelChange;
      isSettled = reading(() => panel.write((db) => close(db, id))).problem === null && isSettled;
    }
    if (isSet) return;
    const who = `${scope.channel} / ${scope.sender_id}`;
    throw new UserError('conflict', `The pairing ${who} was changed by another program. Look again, then set it.`, who);
  };

  return {
    state,
    preview: ({ scope, to }) => preview(scope, to),
    set: async ({ scope, to, confirmation }) => {
      const shown = await preview(scope, to);
      const { stored, level } = present(scope);
      if (level !== shown.from) throw changedMeanwhile();
      if (shown.direction === 'raise' && shown.confirmation !== confirmation) {
        throw confirmation === undefined ? unconfirmed(shown.from, to) : changedMeanwhile();
      }
      if (stored === to) return state();
      write(scope, stored, to);
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
      const { value, problem } = reading(() => pairings.find(channel, senderId));
      if (problem !== null) return { level: STRICTEST, source: 'pairing', revoked: false, problem };
      if (value === null) return { ...defaultLevel(), source: 'default', revoked: false };
      const { level, revoked_at } = viewOf(value);
      return { level, source: 'pairing', revoked: revoked_at !== null, problem: null };
    },
  };
}

function unconfirmed(from: AutonomyLevel, to: AutonomyLevel): UserError {
  return new UserError(
    'confirmation-needed',
    `Rising from ${from} to ${to} has to be confirmed by whoever saw what opens.`,
  );
}

function changedMeanwhile(): UserError {
  return new UserError(
    'confirmation-needed',
    'What would open has changed since it was shown. Look again, then confirm.',
  );
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
