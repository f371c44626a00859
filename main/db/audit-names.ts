import type { ReadDb, WriteDb } from './open.ts';

/** What repeats from line to line, kept once (panel.db, `log_whats`, `log_kinds`, `log_says`). */

/** All that a line says but for its time and its intent. Lines that agree may share one object. */
export interface VerdictFacts {
  approved: boolean;
  reason: string;
  judge_kind: string;
  score: number | null;
  blocked_by: string | null;
  executor: string;
  args_keys: string[];
  context_keys: string[];
  rule: string | null;
  /** What the index calls them, as its writer remembers. */
  memo?: { writer: object; ids: FactIds };
}

/** What a verdict is counted by. */
export interface What {
  id: number;
  approved: boolean;
  blocked_by: string | null;
  rule: string | null;
  executor: string;
}
export interface Kind {
  id: number;
  what: What;
  ts_known: boolean;
  judge_kind: string;
  args_keys: string[];
  context_keys: string[];
}
export interface Say {
  id: number;
  score: number | null;
  /** null: the reason stands in the row. */
  reason: string | null;
}

/** Verdicts that the batch in hand has of it. */
export interface CountedWhat {
  id: number;
  pending: number;
}

/** The ids of a line's facts; `reason` only where it does not repeat. */
export interface FactIds {
  what: CountedWhat;
  /** Of a line whose own time counts, and of one whose time does not. */
  kind: number;
  kind_without_ts: number;
  say: number;
  reason: string | null;
  /** Of the score, in the statistics; -1 for none. */
  bin: number;
}

export interface NameWriter {
  idsOf(facts: VerdictFacts): FactIds;
  /** For after a transaction that failed: ids that were given in it are void. */
  forget(): void;
}

const CACHED = 50_000;
/** Reasons beyond these stand in their rows: a model writes a new one each time. */
const MOST_SAYS = 4096;

/** @param scoreBin bin of a score in the statistics; -1 for none */
export function createNameWriter(db: WriteDb, scoreBin: (score: number | null) => number): NameWriter {
  const findWhat = db.prepare('SELECT id FROM log_whats WHERE key = ?').pluck();
  const addWhat = db.prepare(
    'INSERT INTO log_whats (approved, blocked_by, rule, executor, key) VALUES (?, ?, ?, ?, ?)',
  );
  const findKind = db.prepare('SELECT id FROM log_kinds WHERE key = ?').pluck();
  const addKind = db.prepare('INSERT INTO log_kinds (id, what_id, ts_known, shape, key) VALUES (?, ?, ?, ?, ?)');
  const kindIds = db.prepare('SELECT coalesce(max(abs(id)), 0) FROM log_kinds').pluck();
  const findSay = db.prepare('SELECT id FROM log_says WHERE key = ?').pluck();
  const addSay = db.prepare('INSERT INTO log_says (score, reason, key) VALUES (?, ?, ?)');
  const countSays = db.prepare('SELECT count(*) FROM log_says').pluck();
  /** Another one after each transaction that failed. */
  let writer = {};
  let whats = new Map<number, CountedWhat>();
  let byKey = new Map<string, number>();
  let lastKind: number | null = null;
  let says: number | null = null;

  /** @returns the id that `key` has or is given; null when `add` gives none */
  const idOf = (prefix: string, key: string, find: typeof findWhat, add: () => number | null): number | null => {
    const name = prefix + key;
    const known = byKey.get(name);
    if (known !== undefined) return known;
    const id = (find.get(key) as number | undefined) ?? add();
    if (id === null) return null;
    if (byKey.size >= CACHED) byKey.clear();
    byKey.set(name, id);
    return id;
  };

  const kindOf = (what: number, tsKnown: 0 | 1, facts: VerdictFacts, shape: string): number =>
    idOf('k', `${what},${tsKnown},${shape}`, findKind, () => {
      lastKind = (lastKind ?? (kindIds.get() as number)) + 1;
      const id = facts.approved ? lastKind : -lastKind;
      addKind.run(id, what, tsKnown, shape, `${what},${tsKnown},${shape}`);
      return id;
    }) as number;

  const sayOf = (score: number | null, reason: string | null, most: number): number | null => {
    const key = JSON.stringify([score, reason]);
    return idOf('s', key, findSay, () => {
      says ??= countSays.get() as number;
      if (says >= most) return null;
      says++;
      return Number(addSay.run(score, reason, key).lastInsertRowid);
    });
  };

  return {
    idsOf(facts) {
      const { memo } = facts;
      if (memo?.writer === writer) return memo.ids;
      const { approved, blocked_by, rule, executor, score, reason } = facts;
      const whatKey = JSON.stringify([approved, blocked_by, rule, executor]);
      const what = idOf('w', whatKey, findWhat, () =>
        Number(addWhat.run(approved ? 1 : 0, blocked_by, rule, executor, whatKey).lastInsertRowid),
      ) as number;
      const shape = JSON.stringify([facts.judge_kind, facts.args_keys, facts.context_keys]);
      const say = sayOf(score, reason, MOST_SAYS);
      let counted = whats.get(what);
      if (counted === undefined) {
        counted = { id: what, pending: 0 };
        if (whats.size >= CACHED) whats.clear();
        whats.set(what, counted);
      }
      const ids: FactIds = {
        what: counted,
        kind: kindOf(what, 1, facts, shape),
        kind_without_ts: 0,
        say: say ?? (sayOf(score, null, Number.POSITIVE_INFINITY) as number),
        reason: say === null ? reason : null,
        // A guard block's score says nothing.
        bin: approved || blocked_by !== 'guard' ? scoreBin(score) : -1,
      };
      // Nearly no line needs it.
      Object.defineProperty(ids, 'kind_without_ts', { get: () => kindOf(what, 0, facts, shape) });
      facts.memo = { writer, ids };
      return ids;
    },
    forget() {
      writer = {};
      whats = new Map();
      byKey = new Map();
      lastKind = null;
      says = null;
    },
  };
}

/** The same the other way round, for rows that are read. Ids never change their meaning while an index lives. */
export interface NameReader {
  what(id: number): What;
  kind(id: number): Kind;
  say(id: number): Say;
}

export function createNameReader(db: ReadDb): NameReader {
  const oneWhat = db.prepare('SELECT id, approved, blocked_by, rule, executor FROM log_whats WHERE id = ?');
  const oneKind = db.prepare('SELECT id, what_id, ts_known, shape FROM log_kinds WHERE id = ?');
  const oneSay = db.prepare('SELECT id, score, reason FROM log_says WHERE id = ?');

  const cached = <T>(read: (id: number) => T): ((id: number) => T) => {
    const known = new Map<number, T>();
    return (id) => {
      let value = known.get(id);
      if (value === undefined) {
        value = read(id);
        if (known.size >= CACHED) known.clear();
        known.set(id, value);
      }
      return value;
    };
  };

  const what = cached((id): What => {
    const row = oneWhat.get(id) as Omit<What, 'approved'> & { approved: number };
    return { ...row, approved: row.approved === 1 };
  });
  const kind = cached((id): Kind => {
    const row = oneKind.get(id) as { what_id: number; ts_known: number; shape: string };
    const [judge_kind, args_keys, context_keys] = JSON.parse(row.shape) as [string, string[], string[]];
    return { id, what: what(row.what_id), ts_known: row.ts_known === 1, judge_kind, args_keys, context_keys };
  });
  return { what, kind, say: cached((id) => oneSay.get(id) as Say) };
}
