import type { TurnRow } from '../../shared/domain/turn.ts';
import { matchesWords, wordsOf } from '../../shared/lib/text-match.ts';
import type { TurnFilter } from '../../shared/rpc/turns.ts';

/** Where a turn's line stands. */
export interface TurnPlace {
  file: string;
  line: number;
  /** Bytes from the start of the file, and of the line. */
  offset: number;
  length: number;
}

export interface TurnEntry {
  row: TurnRow;
  /** Names of the executors, each once. */
  tools: readonly string[];
  /** null for a turn that only our own line knows. */
  place: TurnPlace | null;
  /** `ts` of its first line in the verdict log, Unix seconds, where our own line keeps it. */
  verdict_ts: number | null;
}

export interface Choice {
  name: string;
  count: number;
}

/** All turns that are known, in memory: a few hundred bytes each, their steps stay in the files. */
export interface TurnIndex {
  /** Adds a turn, or puts it in the place of the one with its key. */
  put(entry: TurnEntry): void;
  get(key: string): TurnEntry | undefined;
  remove(matches: (entry: TurnEntry) => boolean): void;
  /** Entries that bear this id, in any order. */
  withId(turnId: string): TurnEntry[];
  /** Turns that were going on at a time, Unix ms; newest first. */
  around(ms: number): TurnEntry[];
  /** @returns null when the turn of `before` is not known (any more) */
  page(filter: TurnFilter, before: string | undefined, limit: number): { entries: TurnEntry[]; more: boolean } | null;
  choices(): { channels: Choice[]; senders: Choice[]; outcomes: Choice[]; executors: Choice[] };
  /** What was put in since; null when that cannot be told. */
  changesSince(version: number): TurnEntry[] | null;
  size(): number;
  /** Grows with each `put`. */
  version(): number;
  /** Grows whenever turns were taken out. */
  removals(): number;
  /** Turns that were let go because there are too many. */
  leftOut(): number;
}

/** Said of a turn of which nobody has said how it ended, where it is filtered by. */
export const NO_OUTCOME = 'none';

const MOST_TURNS = 200_000;
const CHANGES_KEPT = 1000;

/** @param mostTurns more are let go, the oldest first */
export function createTurnIndex(mostTurns = MOST_TURNS): TurnIndex {
  const byKey = new Map<string, TurnEntry>();
  const byId = new Map<string, Set<string>>();
  /** Oldest first; in order only when `sorted`. */
  let list: TurnEntry[] = [];
  let sorted = true;
  let changes: string[] = [];
  let version = 0;
  let removals = 0;
  let leftOut = 0;

  const forget = (entry: TurnEntry): void => {
    byKey.delete(entry.row.key);
    const ids = entry.row.turn_id === null ? undefined : byId.get(entry.row.turn_id);
    ids?.delete(entry.row.key);
    if (ids?.size === 0 && entry.row.turn_id !== null) byId.delete(entry.row.turn_id);
  };

  const inOrder = (): TurnEntry[] => {
    if (sorted) return list;
    list = [...byKey.values()].sort(byTime);
    sorted = true;
    return list;
  };

  const makeRoom = (): void => {
    // A little more than needed, so that it is not done for each turn.
    if (byKey.size <= mostTurns * 1.02) return;
    for (const entry of inOrder().slice(0, byKey.size - mostTurns)) {
      forget(entry);
      leftOut++;
    }
    sorted = false;
  };

  return {
    put(entry) {
      const { key, turn_id } = entry.row;
      const before = byKey.get(key);
      const last = list.at(-1);
      byKey.set(key, entry);
      if (before === undefined) {
        if (turn_id !== null) byId.set(turn_id, (byId.get(turn_id) ?? new Set()).add(key));
        if (sorted && (last === undefined || byTime(last, entry) < 0)) list.push(entry);
        else sorted = false;
      } else sorted = false;
      version++;
      changes.push(key);
      if (changes.length > 2 * CHANGES_KEPT) changes = changes.slice(-CHANGES_KEPT);
      makeRoom();
    },
    get: (key) => byKey.get(key),
    remove(matches) {
      const gone = [...byKey.values()].filter(matches);
      if (gone.length === 0) return;
      for (const entry of gone) forget(entry);
      sorted = false;
      removals++;
    },
    withId: (turnId) => [...(byId.get(turnId) ?? [])].flatMap((key) => byKey.get(key) ?? []),
    around(ms) {
      const found: TurnEntry[] = [];
      // Turns last minutes: further back than a day nothing is looked for.
      for (let i = firstBehind(inOrder(), ms) - 1; i >= 0; i--) {
        const entry = list[i];
        if (entry === undefined || entry.row.at_ms < ms - 86_400_000) break;
        if ((entry.row.end_ms ?? entry.row.last_ms) >= ms) found.push(entry);
      }
      return found;
    },
    page(filter, before, limit) {
      const all = inOrder();
      let i = all.length - 1;
      if (before !== undefined) {
        const from = byKey.get(before);
        if (from === undefined) return null;
        i = firstAtOrBehind(all, from) - 1;
      }
      const words = wordsOf(filter.text ?? '');
      const entries: TurnEntry[] = [];
      for (; i >= 0; i--) {
        const entry = all[i];
        if (entry === undefined) break;
        if (filter.from_ms !== undefined && entry.row.at_ms < filter.from_ms) break;
        if (!matches(entry, filter, words)) continue;
        if (entries.length === limit) return { entries, more: true };
        entries.push(entry);
      }
      return { entries, more: false };
    },
    choices() {
      const channels = new Map<string, number>();
      const senders = new Map<string, number>();
      const outcomes = new Map<string, number>();
      const executors = new Map<string, number>();
      const count = (in_: Map<string, number>, name: string | null): void => {
        if (name !== null) in_.set(name, (in_.get(name) ?? 0) + 1);
      };
      for (const { row, tools } of byKey.values()) {
        count(channels, row.channel);
        count(senders, row.sender);
        count(outcomes, row.final_kind ?? NO_OUTCOME);
        for (const tool of tools) count(executors, tool);
      }
      return {
        channels: mostFirst(channels),
        senders: mostFirst(senders),
        outcomes: mostFirst(outcomes),
        executors: mostFirst(executors),
      };
    },
    changesSince(since) {
      const missed = version - since;
      if (missed < 0 || missed > changes.length) return null;
      const keys = new Set(missed === 0 ? [] : changes.slice(-missed));
      return [...keys].flatMap((key) => byKey.get(key) ?? []);
    },
    size: () => byKey.size,
    version: () => version,
    removals: () => removals,
    leftOut: () => leftOut,
  };
}

function matches({ row, tools }: TurnEntry, filter: TurnFilter, words: readonly string[]): boolean {
  if (filter.to_ms !== undefined && row.at_ms >= filter.to_ms) return false;
  if (filter.channel !== undefined && row.channel !== filter.channel) return false;
  if (filter.sender !== undefined && row.sender !== filter.sender) return false;
  if (filter.outcome !== undefined && (row.final_kind ?? NO_OUTCOME) !== filter.outcome) return false;
  if (filter.refused !== undefined && row.refused > 0 !== filter.refused) return false;
  if (filter.executor !== undefined && !tools.includes(filter.executor)) return false;
  return matchesWords(words, [row.intent]);
}

function byTime(one: TurnEntry, other: TurnEntry): number {
  return one.row.at_ms - other.row.at_ms || (one.row.key < other.row.key ? -1 : one.row.key > other.row.key ? 1 : 0);
}

/** Place of the first entry that is not before `entry`. */
function firstAtOrBehind(list: readonly TurnEntry[], entry: TurnEntry): number {
  return search(list, (each) => byTime(each, entry) >= 0);
}

/** Place of the first entry behind a time, Unix ms. */
function firstBehind(list: readonly TurnEntry[], ms: number): number {
  return search(list, (each) => each.row.at_ms > ms);
}

function search(list: readonly TurnEntry[], reached: (entry: TurnEntry) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = list[middle];
    if (entry !== undefined && reached(entry)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const MOST_CHOICES = 200;

function mostFirst(counts: Map<string, number>): Choice[] {
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_CHOICES);
}
