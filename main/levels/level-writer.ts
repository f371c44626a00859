import type { AutonomyLevel } from '../../shared/domain/capability.ts';
import type { LevelChange, LevelScope } from '../../shared/domain/level.ts';
import { beginLevelChange, dropLevelChange, finishLevelChange } from '../db/level-changes.ts';
import {
  DEFAULT_LEVEL_KEY,
  dropFrozenLevel,
  dropTimedLevel,
  type TimedLevel,
  writeFreeze,
  writeTimedLevel,
} from '../db/level-store.ts';
import type { WriteDb } from '../db/open.ts';
import type { PairingsRepository } from '../db/pairings.ts';
import { writeSetting } from '../db/settings.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import { type FactsStore, keyOf } from './level-facts.ts';
import { isDue, levelAt } from './standing.ts';

export interface Change {
  scope: LevelScope;
  /** The stored text. */
  from: string;
  to: AutonomyLevel;
  who: string;
  why: LevelChange['why'];
  /** Ends by itself; null: stays. */
  timed: TimedLevel | null;
  /** Safety first: it is made also where it cannot be recorded. */
  lowers: boolean;
}

export interface LevelWriter {
  /** Makes and records one change. @throws UserError `conflict` when another program was quicker, or naming a file */
  make(change: Change): void;
  /** Ends the rises that have run out, in the files too. Never throws; what fails is tried again later. */
  settle(): void;
  /** What was done but could not be recorded; null when all is. */
  unrecorded(): string | null;
}

/** A fall that could not be written is tried again after so long, ms; it counts meanwhile. */
const RETRY_MS = 1000;

export function createLevelWriter(deps: {
  clock: Clock;
  facts: FactsStore;
  pairings: PairingsRepository;
  /** Told after a rise fell back. */
  changed(): void;
}): LevelWriter {
  const { clock, facts, pairings } = deps;
  let unrecorded: string | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;

  const noteRise = (db: WriteDb, { scope, timed }: Change): void => {
    if (timed === null) dropTimedLevel(db, scope);
    else writeTimedLevel(db, timed);
  };
  const begin = (change: Change): number | null => {
    const { scope, from, to, who, why, timed } = change;
    const row = { at: clock(), who, scope, from, to, why, until_ms: timed?.until_ms ?? null };
    try {
      return facts.change((db) => {
        noteRise(db, change);
        return beginLevelChange(db, row);
      });
    } catch (error) {
      if (!change.lowers) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      unrecorded = `The level was lowered, but the change is in no history: ${reason}`;
      return null;
    }
  };
  const makeDefault = (change: Change): void => {
    const { scope, from, to, who, why, timed } = change;
    facts.change((db) => {
      noteRise(db, change);
      writeSetting(db, DEFAULT_LEVEL_KEY, to);
      const id = beginLevelChange(db, { at: clock(), who, scope, from, to, why, until_ms: timed?.until_ms ?? null });
      finishLevelChange(db, id);
    });
  };

  const make = (change: Change): void => {
    const { scope, from, to } = change;
    if (scope.kind === 'default') {
      makeDefault(change);
      return;
    }
    const before = facts.read().facts?.timedOf(scope.channel, scope.sender_id) ?? null;
    const id = begin(change);
    let isSet = false;
    try {
      isSet = pairings.setLevel({ channel: scope.channel, sender_id: scope.sender_id, from, to });
    } finally {
      // The level is what it is; a record that cannot be closed now is settled at the next start.
      attempt(() =>
        facts.change((db) => {
          if (id !== null) (isSet ? finishLevelChange : dropLevelChange)(db, id);
          if (!isSet) noteRise(db, { ...change, timed: before });
        }),
      );
    }
    if (isSet) return;
    const who = `${scope.channel} / ${scope.sender_id}`;
    throw new UserError('conflict', `The pairing ${who} was changed by another program. Look again, then set it.`, who);
  };

  /** A frozen level falls where it is remembered; nothing in the files is above ReadOnly then. */
  const fallWhileFrozen = (timed: TimedLevel): boolean => {
    const { facts: now } = facts.read();
    const frozen = now?.freeze?.levels.find(({ scope }) => keyOf(scope) === keyOf(timed.scope));
    if (!now?.freeze || frozen?.level !== timed.level) return false;
    const { freeze } = now;
    facts.change((db) => {
      dropTimedLevel(db, timed.scope);
      dropFrozenLevel(db, timed.scope);
      if (timed.falls_back_to !== 'ReadOnly') {
        writeFreeze(db, { ...freeze, levels: [{ scope: timed.scope, level: timed.falls_back_to }] });
      }
    });
    return true;
  };

  const fall = (timed: TimedLevel, now: number): void => {
    if (fallWhileFrozen(timed)) return;
    const { scope } = timed;
    const stored =
      scope.kind === 'default'
        ? facts.read().facts?.default_level
        : pairings.find(scope.channel, scope.sender_id)?.autonomy_level;
    if (stored === null || stored === undefined || !isDue(stored, timed, now)) {
      // Set to something else since, or gone: there is nothing left that could fall.
      facts.change((db) => dropTimedLevel(db, scope));
      return;
    }
    const to = levelAt(stored, timed, now);
    make({ scope, from: stored, to, who: 'clock', why: 'fell-back', timed: null, lowers: true });
  };

  return {
    make,
    unrecorded: () => unrecorded,
    settle: () => {
      const now = clock();
      if (Math.abs(now - failedAt) < RETRY_MS) return;
      const due = (facts.read().facts?.timed ?? []).filter(({ until_ms }) => until_ms <= now);
      if (due.length === 0) return;
      const done = due.filter((timed) => attempt(() => fall(timed, now)));
      if (done.length < due.length) failedAt = now;
      if (done.length > 0) deps.changed();
    },
  };
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
