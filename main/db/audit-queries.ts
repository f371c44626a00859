import type { Statement } from 'better-sqlite3';
import type { VerdictRow } from '../../shared/domain/verdict.ts';
import { matchesWords, wordsOf } from '../../shared/lib/text-match.ts';
import type { VerdictFilter } from '../../shared/rpc/audit.ts';
import { createNameReader, type What } from './audit-names.ts';
import type { Counted } from './audit-store.ts';
import { type AuditSums, createAuditSums, type Scope, type SumsOptions } from './audit-sums.ts';
import { type AuditText, createAuditText, type TextPlan } from './audit-text.ts';
import type { ReadDb } from './open.ts';

/** The reading half of the audit index: pages of rows, the place of one line, what was counted. */
export interface RowPlace {
  file: string;
  offset: number;
  length: number;
  row: VerdictRow;
}

export interface AuditQueries extends Pick<AuditSums, 'sums' | 'fineSums' | 'bins'> {
  /** @returns null when the row of `before` is not in the index (any more) */
  page(filter: VerdictFilter, before: number | undefined, limit: number): { rows: VerdictRow[]; more: boolean } | null;
  rowsAfter(seq: number, limit: number): VerdictRow[];
  place(seq: number): RowPlace | null;
  events(scope: Scope): Record<string, number>;
  months(): string[];
  /** Takes in what a batch added; null: a file was taken out. */
  take(counted: Counted | null): void;
  /** Texts went into text search by the thousand. */
  forgetWords(): void;
  /** Reads what the first question would have to wait for. */
  warm(): void;
}

/** Stands for a denied line that does not say which phase or rule denied it. */
export const UNKNOWN = 'unknown';

const COLUMNS = 'v.seq, v.file_id, v.offset, v.length, v.at, v.kind_id, v.say_id, v.intent, v.reason';
const IN_INDEX = `v.file_id IN (SELECT id FROM log_files WHERE name NOT LIKE 'gone:%')`;
/** All rows of what is kept once and has a word. */
const KEPT = `(v.say_id IN (SELECT value FROM json_each(?)) OR v.kind_id IN (SELECT k.id FROM log_kinds k
  JOIN log_whats w ON w.id = k.what_id WHERE w.executor IN (SELECT value FROM json_each(?))))`;
const DENIED = 'v.kind_id < 0';
const BY_TIME = 'ORDER BY v.at DESC, v.seq DESC LIMIT ?';
/** The bins of the statistics have the same slack. */
const SLACK = 1e-9;

type Stored = [
  seq: number,
  file: number,
  offset: number,
  length: number,
  at: number,
  kind: number,
  say: number,
  intent: string,
  reason: string | null,
];
type Value = string | number;
interface Conditions {
  where: string[];
  values: Value[];
}
/** A place in the order of pages: only rows behind it are wanted. */
interface Mark {
  at: number;
  seq: number;
}

export function createAuditQueries(db: ReadDb, options: SumsOptions): AuditQueries {
  const names = createNameReader(db);
  const sums = createAuditSums(db, options);
  const text: AuditText = createAuditText(db);
  const fileName = db.prepare(`SELECT name FROM log_files WHERE id = ?`).pluck();
  const after = db.prepare(`SELECT ${COLUMNS} FROM verdicts v WHERE v.seq > ? AND ${IN_INDEX} ORDER BY v.seq LIMIT ?`);
  const one = db.prepare(`SELECT ${COLUMNS} FROM verdicts v WHERE v.seq = ? AND ${IN_INDEX}`);
  const atOf = db.prepare(`SELECT v.at FROM verdicts v WHERE v.seq = ? AND ${IN_INDEX}`).pluck();
  const events = 'SELECT e.kind, count(*) FROM log_events e WHERE';
  const eventsBetween = db.prepare(`${events} e.at >= ? AND e.at < ? GROUP BY e.kind`).raw();
  const eventsOfFile = db
    .prepare(`${events} e.file_id = (SELECT id FROM log_files WHERE name = ?) GROUP BY e.kind`)
    .raw();
  const months = db.prepare(`SELECT name FROM log_files WHERE name NOT LIKE 'gone:%' ORDER BY name DESC`).pluck();
  const indexThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'verdicts_at'").pluck();
  /** One statement for each set of filters that are in use, not for each of their values. */
  const pages = new Map<string, Statement>();
  let files = new Map<number, string>();
  let hasIndex = false;

  const fileOf = (id: number): string => {
    const known = files.get(id);
    if (known !== undefined) return known;
    const name = fileName.get(id) as string;
    files.set(id, name);
    return name;
  };
  const rowOf = ([seq, file, offset, , at, kind, say, intent, reason]: Stored): VerdictRow => {
    const { what, ts_known, judge_kind, args_keys, context_keys } = names.kind(kind);
    const said = names.say(say);
    return {
      seq,
      ts: ts_known ? at : null,
      approved: what.approved,
      reason: reason ?? said.reason ?? '',
      judge_kind,
      score: said.score,
      blocked_by: what.blocked_by,
      intent,
      executor: what.executor,
      args_keys,
      context_keys,
      rule: what.rule,
      file: fileOf(file),
      offset,
    };
  };
  const prepared = (sql: string): Statement => {
    const statement = pages.get(sql) ?? db.prepare(sql).raw();
    pages.set(sql, statement);
    return statement;
  };

  const select = ({ where, values }: Conditions, from: number, to: Mark, limit: number): Stored[] => {
    // Without the index, while the first pass runs, rows come in the order in which their files have them.
    const order = hasIndex ? BY_TIME : 'ORDER BY v.seq DESC LIMIT ?';
    const behind = hasIndex ? '(v.at, v.seq) < (?, ?)' : 'v.at <= ? AND v.seq < ?';
    const sql = `SELECT ${COLUMNS} FROM verdicts v WHERE ${[IN_INDEX, ...where, 'v.at >= ?', behind].join(' AND ')} ${order}`;
    return prepared(sql).all(...values, from, to.at, to.seq, limit) as Stored[];
  };

  /** Day by day, so that days without such rows are not looked at. */
  const selectByDays = (
    conditions: Conditions,
    wanted: (what: What) => boolean,
    from: number,
    to: Mark,
    limit: number,
  ): Stored[] => {
    const found: Stored[] = [];
    const days = sums.days(wanted);
    const narrowed = days.allDenied ? { ...conditions, where: [...conditions.where, DENIED] } : conditions;
    for (const { start } of days.list) {
      const end = options.dayStart(start, 1);
      if (start > to.at || end <= from) continue;
      const last = end <= to.at ? { at: end, seq: 0 } : to;
      found.push(...select(narrowed, Math.max(from, start), last, limit - found.length));
      if (found.length >= limit) break;
    }
    return found;
  };

  /** Rows that the full-text table names, from the newest seq down, until no older one can be newer by time. */
  const selectByText = (
    { where, values }: Conditions,
    plan: TextPlan,
    from: number,
    to: Mark,
    limit: number,
  ): Stored[] => {
    const sql = `SELECT ${COLUMNS} FROM log_text t CROSS JOIN verdicts v ON v.seq = t.rowid
      WHERE log_text MATCH ? AND t.rowid <= ? AND ${[IN_INDEX, ...where].join(' AND ')} ORDER BY t.rowid DESC`;
    const found: Stored[] = [];
    const top = Number.isFinite(to.at) ? text.seqOf(to.at) : Number.MAX_SAFE_INTEGER;
    for (const row of prepared(sql).iterate(plan.match, top, ...values) as Iterable<Stored>) {
      const [seq, , , , at] = row;
      const worst = found[limit - 1];
      const latest = text.latestUpTo(seq);
      if (latest < from || (worst !== undefined && worst[4] > latest)) break;
      if (at < from || at > to.at || (at === to.at && seq >= to.seq) || !plan.says(rowOf(row))) continue;
      let place = found.length;
      while (place > 0 && isNewer(row, found[place - 1])) place--;
      if (place >= limit) continue;
      found.splice(place, 0, row);
      if (found.length > limit) found.pop();
    }
    return found;
  };

  /** Looks through rows by time until enough of them say the words. */
  const selectByLooking = (
    some: (to: Mark, limit: number) => Stored[],
    plan: TextPlan,
    to: Mark,
    limit: number,
  ): Stored[] => {
    const found: Stored[] = [];
    let mark = to;
    for (let size = 256; found.length < limit; size = Math.min(8192, size * 2)) {
      const rows = some(mark, size);
      for (const row of rows) if (found.length < limit && plan.says(rowOf(row))) found.push(row);
      const last = rows.at(-1);
      if (rows.length < size || last === undefined) break;
      mark = { at: last[4], seq: last[0] };
    }
    return found;
  };

  const planOf = (asked: string | undefined, isComplete: boolean): TextPlan | null => {
    if (asked === undefined) return null;
    const words = wordsOf(asked);
    if (words.length === 0) return null;
    if (isComplete) return text.plan(asked);
    return {
      match: null,
      kept: [],
      says: ({ intent, reason, executor }) => matchesWords(words, [intent, reason, executor]),
    };
  };

  return {
    ...sums,
    page(filter, before, limit) {
      let to: Mark = { at: filter.to_ts ?? Number.POSITIVE_INFINITY, seq: 0 };
      if (before !== undefined) {
        const at = atOf.get(before) as number | undefined;
        if (at === undefined) return null;
        if (at < to.at) to = { at, seq: before };
      }
      hasIndex ||= indexThere.get() !== undefined;
      const from = filter.from_ts ?? Number.NEGATIVE_INFINITY;
      const conditions = conditionsOf(filter);
      const wanted = isCounted(filter) ? wantedOf(filter) : null;
      const some = (mark: Mark, most: number): Stored[] =>
        wanted === null || !hasIndex
          ? select(conditions, from, mark, most)
          : selectByDays(conditions, wanted, from, mark, most);
      const isComplete = text.isComplete();
      const plan = planOf(filter.text, isComplete);
      for (const { says, executors } of plan?.kept ?? []) {
        conditions.where.push(KEPT);
        conditions.values.push(JSON.stringify(says), JSON.stringify(executors));
      }
      let found: Stored[];
      if (plan === null) found = some(to, limit + 1);
      else if (plan.match !== null) found = selectByText(conditions, plan, from, to, limit + 1);
      else found = selectByLooking(some, plan, to, limit + 1);
      return { rows: found.slice(0, limit).map(rowOf), more: found.length > limit };
    },
    rowsAfter: (seq, limit) => (after.raw().all(seq, limit) as Stored[]).map(rowOf),
    place(seq) {
      const stored = one.raw().get(seq) as Stored | undefined;
      if (stored === undefined) return null;
      const row = rowOf(stored);
      return { file: row.file, offset: row.offset, length: stored[3], row };
    },
    events(scope) {
      const rows = 'file' in scope ? eventsOfFile.all(scope.file) : eventsBetween.all(scope.from, scope.to);
      return Object.fromEntries(rows as [string, number][]);
    },
    months: () => (months.all() as string[]).map((name) => name.slice(0, 7)),
    take(counted) {
      if (counted === null) files = new Map();
      sums.take(counted);
      text.take(counted);
    },
    forgetWords: () => text.forget(),
    warm() {
      sums.warm();
      text.warm();
    },
  };
}

function isNewer(row: Stored, than: Stored | undefined): boolean {
  return than !== undefined && (row[4] > than[4] || (row[4] === than[4] && row[0] > than[0]));
}

/** What a filter says that the roll-ups know. */
export type CountedFilter = Pick<VerdictFilter, 'outcome' | 'blocked_by' | 'rule' | 'executor'>;

function isCounted({ outcome, blocked_by, rule, executor }: CountedFilter): boolean {
  return (outcome ?? blocked_by ?? rule ?? executor) !== undefined;
}

/** Whether what is counted together belongs to a filter. */
export function wantedOf({ outcome, blocked_by, rule, executor }: CountedFilter): (what: What) => boolean {
  const named = (what: What, value: string | null, asked: string): boolean =>
    value === asked || (asked === UNKNOWN && value === null && !what.approved);
  return (what) =>
    (outcome === undefined || what.approved === (outcome === 'approved')) &&
    (executor === undefined || what.executor === executor) &&
    (blocked_by === undefined ||
      (named(what, what.blocked_by, blocked_by) && !(blocked_by === UNKNOWN && what.approved))) &&
    (rule === undefined || (!what.approved && named(what, what.rule, rule)));
}

function conditionsOf(filter: VerdictFilter): Conditions {
  const where: string[] = [];
  const values: Value[] = [];
  const of: string[] = [];
  const add = (sql: string, ...more: Value[]): void => {
    of.push(sql);
    values.push(...more);
  };
  const named = (column: string, text: string): void =>
    text === UNKNOWN ? add(`w.approved = 0 AND coalesce(${column}, ?) = ?`, text, text) : add(`${column} = ?`, text);
  if (filter.outcome !== undefined) where.push(filter.outcome === 'approved' ? 'v.kind_id > 0' : 'v.kind_id < 0');
  if (filter.blocked_by !== undefined) named('w.blocked_by', filter.blocked_by);
  // A rule is there only on a denied line: said once more, it lets the index over denied lines be used.
  if (filter.rule !== undefined) {
    add('w.approved = 0');
    named('w.rule', filter.rule);
  }
  if (filter.executor !== undefined) add('w.executor = ?', filter.executor);
  if (of.length > 0) {
    where.push(
      `v.kind_id IN (SELECT k.id FROM log_kinds k JOIN log_whats w ON w.id = k.what_id WHERE ${of.join(' AND ')})`,
    );
  }
  if (filter.rule !== undefined || filter.blocked_by === UNKNOWN) where.push('v.kind_id < 0');
  const scores: string[] = [];
  if (filter.min_score !== undefined) {
    scores.push('score >= ?');
    values.push(filter.min_score - SLACK);
  }
  if (filter.max_score !== undefined) {
    scores.push(filter.max_score >= 1 ? 'score <= ?' : 'score < ?');
    values.push(filter.max_score >= 1 ? filter.max_score : filter.max_score - SLACK);
  }
  if (scores.length > 0) where.push(`v.say_id IN (SELECT id FROM log_says WHERE ${scores.join(' AND ')})`);
  return { where, values };
}
