import type { VerdictRow } from '../../shared/domain/verdict.ts';
import type { VerdictFilter } from '../../shared/rpc/audit.ts';
import { scoreBin } from './audit-store.ts';
import type { ReadDb } from './open.ts';

/** The reading half of the audit index: pages of rows, the place of one line, sums for the statistics. */
export interface RowPlace {
  file: string;
  offset: number;
  length: number;
  row: VerdictRow;
}

/** One sum: `count` verdicts that agree in everything else. `at` lies in the roll-up they fell in, Unix seconds. */
export interface Sum {
  at: number;
  approved: boolean;
  blocked_by: string | null;
  rule: string | null;
  executor: string;
  score_bin: number;
  count: number;
}

export interface AuditQueries {
  /** @returns null when the row of `before` is not in the index (any more) */
  page(filter: VerdictFilter, before: number | undefined, limit: number): { rows: VerdictRow[]; more: boolean } | null;
  rowsAfter(seq: number, limit: number): VerdictRow[];
  place(seq: number): RowPlace | null;
  /** Over one file, or from `from` (inclusive) to `to` (exclusive), Unix seconds, exact to the row. */
  sums(scope: { file: string } | { from: number; to: number }): Sum[];
  events(scope: { file: string } | { from: number; to: number }): Record<string, number>;
  months(): string[];
}

/** Stands for a denied line that does not say which phase or rule denied it. */
export const UNKNOWN = 'unknown';

const COLUMNS = `v.seq, CASE v.ts_known WHEN 1 THEN v.at END AS ts, v.approved, v.reason, v.score, v.intent, v.offset,
  v.length, f.name AS file, executor.text AS executor, shape.text AS shape, blocked_by.text AS blocked_by,
  rule.text AS rule`;
/** CROSS JOIN keeps the order of the tables: rows first, in the order of their index, then what they point to. */
const FROM = `FROM verdicts v CROSS JOIN log_files f ON f.id = v.file_id
  CROSS JOIN log_names executor ON executor.id = v.executor_id
  CROSS JOIN log_names shape ON shape.id = v.shape_id
  LEFT JOIN log_names blocked_by ON blocked_by.id = v.blocked_by_id LEFT JOIN log_names rule ON rule.id = v.rule_id`;
const IN_INDEX = `v.file_id IN (SELECT id FROM log_files WHERE name NOT LIKE 'gone:%')`;

type Stored = Omit<VerdictRow, 'approved' | 'judge_kind' | 'args_keys' | 'context_keys'> & {
  approved: number;
  shape: string;
  length: number;
};

/** @param unit width of a roll-up, seconds, as the index was made with */
export function createAuditQueries(db: ReadDb, unit: number): AuditQueries {
  // SQLite folds ASCII alone.
  db.function('fold', { deterministic: true }, (text: unknown) => String(text).toLowerCase());
  const after = db.prepare(`SELECT ${COLUMNS} ${FROM} WHERE v.seq > ? AND ${IN_INDEX} ORDER BY v.seq LIMIT ?`);
  const one = db.prepare(`SELECT ${COLUMNS} ${FROM} WHERE v.seq = ? AND ${IN_INDEX}`);
  const atOf = db.prepare(`SELECT v.at FROM verdicts v WHERE v.seq = ? AND ${IN_INDEX}`).pluck();
  const nameOf = db.prepare('SELECT id, text FROM log_names');
  const fileId = db.prepare('SELECT id FROM log_files WHERE name = ?').pluck();
  const stats = 'SELECT slot, approved, blocked_by_id, rule_id, executor_id, score_bin, count FROM stats_hour';
  const statsBetween = db.prepare(`${stats} WHERE slot >= ? AND slot < ?`).raw();
  const statsOfFile = db.prepare(`${stats} WHERE file_id = ?`).raw();
  const rowsBetween = db
    .prepare(`SELECT v.at, v.approved, coalesce(v.blocked_by_id, 0), coalesce(v.rule_id, 0), v.executor_id, v.score
      FROM verdicts v WHERE v.at >= ? AND v.at < ? AND ${IN_INDEX}`)
    .raw();
  const events = 'SELECT n.text, count(*) FROM log_events e JOIN log_names n ON n.id = e.kind_id WHERE';
  const eventsBetween = db.prepare(`${events} e.at >= ? AND e.at < ? GROUP BY n.id`).raw();
  const eventsOfFile = db.prepare(`${events} e.file_id = ? GROUP BY n.id`).raw();
  const months = db.prepare(`SELECT name FROM log_files WHERE name NOT LIKE 'gone:%' ORDER BY name DESC`).pluck();
  /** One statement for each set of filters that are in use, not for each of their values. */
  const pages = new Map<string, ReturnType<ReadDb['prepare']>>();

  const sumOf = (names: Map<number, string>, key: number[], at: number, bin: number, count: number): Sum => ({
    at,
    approved: key[1] === 1,
    blocked_by: names.get(key[2] ?? 0) ?? null,
    rule: names.get(key[3] ?? 0) ?? null,
    executor: names.get(key[4] ?? 0) ?? '',
    score_bin: bin,
    count,
  });

  return {
    page(filter, before, limit) {
      const { where, values } = conditions(filter);
      if (before !== undefined) {
        const at = atOf.get(before) as number | undefined;
        if (at === undefined) return null;
        where.push('(v.at, v.seq) < (?, ?)');
        values.push(at, before);
      }
      const sql = `SELECT ${COLUMNS} ${FROM} WHERE ${[IN_INDEX, ...where].join(' AND ')}
        ORDER BY v.at DESC, v.seq DESC LIMIT ?`;
      const statement = pages.get(sql) ?? db.prepare(sql);
      pages.set(sql, statement);
      const rows = (statement.all(...values, limit + 1) as Stored[]).map(rowOf);
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    },
    rowsAfter: (seq, limit) => (after.all(seq, limit) as Stored[]).map(rowOf),
    place(seq) {
      const stored = one.get(seq) as Stored | undefined;
      if (stored === undefined) return null;
      return { file: stored.file, offset: stored.offset, length: stored.length, row: rowOf(stored) };
    },
    sums(scope) {
      const names = new Map(nameOf.raw().all() as [number, string][]);
      const rolled = (rows: number[][]): Sum[] =>
        rows.map((key) => sumOf(names, key, (key[0] ?? 0) * unit, key[5] ?? -1, key[6] ?? 0));
      if ('file' in scope) return rolled(statsOfFile.all(fileId.get(scope.file) ?? -1) as number[][]);
      // The roll-ups that lie wholly inside, and the rows of the two that do not.
      const first = Math.ceil(scope.from / unit);
      const last = Math.max(first, Math.floor(scope.to / unit));
      const edges = [
        [scope.from, Math.min(scope.to, first * unit)],
        [Math.max(scope.from, last * unit), scope.to],
      ] as const;
      const rows = edges.flatMap(([from, to]) => (from < to ? (rowsBetween.all(from, to) as number[][]) : []));
      return [
        ...rolled(statsBetween.all(first, last) as number[][]),
        ...rows.map((key) => sumOf(names, key, key[0] ?? 0, scoreBin(key[5] ?? null), 1)),
      ];
    },
    events(scope) {
      const rows =
        'file' in scope ? eventsOfFile.all(fileId.get(scope.file) ?? -1) : eventsBetween.all(scope.from, scope.to);
      return Object.fromEntries(rows as [string, number][]);
    },
    months: () => (months.all() as string[]).map((name) => name.slice(0, 7)),
  };
}

function conditions(filter: VerdictFilter): { where: string[]; values: (string | number)[] } {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (sql: string, ...more: (string | number)[]): void => {
    where.push(sql);
    values.push(...more);
  };
  const named = (column: string, text: string): void => {
    const same = `${column} = (SELECT id FROM log_names WHERE text = ?)`;
    // A rule is there only on a denied line: said once more, it lets the index over denied lines be used.
    if (text === UNKNOWN) add(`v.approved = 0 AND (${column} IS NULL OR ${same})`, text);
    else add(same, text);
  };
  if (filter.outcome !== undefined) where.push(`v.approved = ${filter.outcome === 'approved' ? 1 : 0}`);
  if (filter.blocked_by !== undefined) named('v.blocked_by_id', filter.blocked_by);
  if (filter.rule !== undefined) {
    named('v.rule_id', filter.rule);
    where.push('v.approved = 0');
  }
  if (filter.executor !== undefined) add('v.executor_id = (SELECT id FROM log_names WHERE text = ?)', filter.executor);
  if (filter.from_ts !== undefined) add('v.at >= ?', filter.from_ts);
  if (filter.to_ts !== undefined) add('v.at < ?', filter.to_ts);
  // With the same slack as the bins of the statistics.
  if (filter.min_score !== undefined) add('v.score >= ?', filter.min_score - 1e-9);
  if (filter.max_score !== undefined) {
    if (filter.max_score >= 1) add('v.score <= ?', filter.max_score);
    else add('v.score < ?', filter.max_score - 1e-9);
  }
  if (filter.text !== undefined && filter.text !== '') {
    const needle = filter.text.toLowerCase();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
    const fold = /^[\x00-\x7f]*$/.test(needle) ? 'lower' : 'fold';
    add(
      `(instr(${fold}(v.intent), ?) OR instr(${fold}(v.reason), ?) OR instr(${fold}(executor.text), ?))`,
      needle,
      needle,
      needle,
    );
  }
  return { where, values };
}

function rowOf(stored: Stored): VerdictRow {
  const { length: _, shape, ...row } = stored;
  const [judge_kind, args_keys, context_keys] = JSON.parse(shape) as [string, string[], string[]];
  return { ...row, approved: stored.approved === 1, judge_kind, args_keys, context_keys };
}
