import type { LevelScope } from '../../shared/domain/level.ts';
import {
  DEFAULT_LEVEL_KEY,
  type LevelFacts,
  readLevelFacts,
  type TimedLevel,
  writeFreeze,
  writeTimedLevel,
} from '../db/level-store.ts';
import type { ReadDb, WriteDb } from '../db/open.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { writeSetting } from '../db/settings.ts';

/** `LevelFacts`, ready for the question that every call of an agent asks. */
export interface Facts extends LevelFacts {
  timedOf(channel: string, senderId: string): TimedLevel | null;
  timedDefault: TimedLevel | null;
}

export interface FactsStore {
  /** What panel.db says; while it cannot be read, what it said last (null: never), with the reason. Never throws. */
  read(): { facts: Facts | null; problem: string | null };
  /** As `read`, but what is younger than `lookAgainMs` is not looked at again: for the question of every call. */
  recent(): { facts: Facts | null; problem: string | null };
  /** One transaction in panel.db. @throws UserError naming the file */
  change<T>(work: (db: WriteDb) => T): T;
}

/**
 * The levels' part of panel.db in memory, looked at afresh whenever another connection wrote. Only the engine writes it
 * while it runs, so `recent` may be a moment old; what we write ourselves counts at once. A file that was deleted
 * or replaced while we run gets what was known: whoever did that has neither raised a level nor ended a freeze.
 */
export function createFactsStore(panel: PanelStore, lookAgainMs = 0): FactsStore {
  let known: Facts | null = null;
  let seen: { db: ReadDb; version: number } | null = null;

  const load = (db: ReadDb): Facts => {
    const version = dataVersion(db);
    if (known !== null && seen?.db === db && seen.version === version) return known;
    let facts = indexed(readLevelFacts(db));
    if (known !== null && seen !== null && seen.db !== db && isPoorer(facts, known)) {
      carryOver(panel, facts, known);
      facts = indexed(readLevelFacts(db));
    }
    known = facts;
    seen = { db, version };
    return facts;
  };

  let last: { at: number; value: ReturnType<FactsStore['read']> } | null = null;
  const read: FactsStore['read'] = () => {
    let value: ReturnType<FactsStore['read']>;
    try {
      value = { facts: panel.read(load), problem: null };
    } catch (error) {
      value = { facts: known, problem: error instanceof Error ? error.message : String(error) };
    }
    last = { at: performance.now(), value };
    return value;
  };

  return {
    read,
    recent: () => (last !== null && performance.now() - last.at < lookAgainMs ? last.value : read()),
    change: (work) => {
      // What has to be carried over to a new file comes before the change to it.
      panel.read(load);
      try {
        return panel.write(work);
      } finally {
        last = null;
        // Our own handle's data_version does not move by our own writes.
        if (seen !== null) seen = { ...seen, version: -1 };
      }
    },
  };
}

const versions = new WeakMap<object, () => number>();

function dataVersion(db: ReadDb): number {
  let ask = versions.get(db);
  if (ask === undefined) {
    const statement = db.prepare('PRAGMA data_version').pluck();
    ask = () => Number(statement.get());
    versions.set(db, ask);
  }
  return ask();
}

function indexed(facts: LevelFacts): Facts {
  if (facts.timed.length === 0) return { ...facts, timedOf: () => null, timedDefault: null };
  const byScope = new Map(facts.timed.map((timed) => [keyOf(timed.scope), timed]));
  return {
    ...facts,
    timedOf: (channel, senderId) => byScope.get(JSON.stringify([channel, senderId])) ?? null,
    timedDefault: byScope.get('') ?? null,
  };
}

export function keyOf(scope: LevelScope): string {
  return scope.kind === 'default' ? '' : JSON.stringify([scope.channel, scope.sender_id]);
}

function isPoorer(now: Facts, before: Facts): boolean {
  const lost = before.timed.some((timed) => !now.timed.some((other) => keyOf(other.scope) === keyOf(timed.scope)));
  return (
    lost ||
    (now.default_level === null && before.default_level !== null) ||
    (now.freeze === null && before.freeze !== null)
  );
}

function carryOver(panel: PanelStore, now: Facts, before: Facts): void {
  panel.write((db) => {
    if (now.default_level === null && before.default_level !== null) {
      writeSetting(db, DEFAULT_LEVEL_KEY, before.default_level);
    }
    for (const timed of before.timed) {
      if (!now.timed.some((other) => keyOf(other.scope) === keyOf(timed.scope))) writeTimedLevel(db, timed);
    }
    if (before.freeze !== null) writeFreeze(db, before.freeze);
  });
}
