import { AUDIT_TABLE_NAMES, AUDIT_TABLES } from './migrations/0001-audit-index.ts';
import { toUserError, type WriteDb } from './open.ts';

/** The writing half of the audit index: which files are known and how far, and one batch of lines at a time. */
export interface FileRecord {
  id: number;
  name: string;
  /** `device:inode` of the file that was read. */
  inode: string;
  size: number;
  /** Bytes that are indexed, and the number of the line that begins there. */
  offset: number;
  next_line: number;
  /** Lines that are not blank. */
  lines: number;
  verdicts: number;
  events: number;
  unreadable: number;
  /** Time of the last row, Unix seconds: what a line without one stands at. */
  last_at: number;
  /** What the file began with, and what stood just before `offset`, to tell a file that was rewritten. */
  head_length: number;
  first_line_hash: string;
  tail_length: number;
  tail_hash: string;
}

export interface NewVerdict {
  offset: number;
  length: number;
  at: number;
  ts_known: boolean;
  approved: boolean;
  score: number | null;
  blocked_by: string | null;
  rule: string | null;
  executor: string;
  judge_kind: string;
  args_keys: string[];
  context_keys: string[];
  intent: string;
  reason: string;
}
export interface NewEvent {
  offset: number;
  at: number;
  name: string;
}
export interface NewFault {
  line: number;
  offset: number;
  why: string;
}
/** The rows of one stretch of one file, with the record as it is afterwards. */
export interface Batch {
  file: FileRecord;
  verdicts: NewVerdict[];
  events: NewEvent[];
  faults: NewFault[];
}

export interface AuditStore {
  files(): FileRecord[];
  /** Newest faults over all files. */
  faults(limit: number): { file: string; line: number; offset: number; why: string }[];
  add(file: Omit<FileRecord, 'id'>): FileRecord;
  /** @throws StaleIndex when another handle has indexed meanwhile; nothing was written then */
  append(batch: Batch): void;
  /** Takes a file out of the index; `purge` then removes its rows, a few thousand a call, until it says false. */
  remove(id: number): void;
  purge(): boolean;
  /** Seq of the newest row; `firstSeq - 1` when there is none. */
  lastSeq(): number;
  readonly firstSeq: number;
}

/** Somebody else wrote the index in between: what is in memory has to be read again. */
export class StaleIndex extends Error {}

/** Raised whenever a line is read into other columns than before: an older index is then built anew. */
const INDEX_VERSION = 1;
const GONE = 'gone:';
const PURGE_ROWS = 4000;
const FAULTS_KEPT = 200;
const COLUMNS = 14;
/** Half the time of a statement a row. */
const ROWS_PER_INSERT = 32;
const NAMES_CACHED = 50_000;
/** 24 bits of rows a minute: an index that is built anew never gives out a seq of the one before. */
const SEQ_PER_MINUTE = 2 ** 24;
const SEQ_EPOCH_MINUTES = 29_454_000;

/** Bin of a score in the statistics: twenty of width 0.05, the last one closed; -1 for none. */
export function scoreBin(score: number | null): number {
  if (score === null || score < 0 || score > 1) return -1;
  // 0.7999999999999999, as floating point sums give, is 0.80 to everybody.
  return Math.min(19, Math.floor(score * 20 + 1e-9));
}

/**
 * @param unit width of a roll-up, seconds: 3600, or 900 where local hours do not begin at full UTC hours
 * @param now Unix ms, for the first seq of a new index
 * @throws UserError that names `path` when the tables can neither be used nor made
 */
export function openAuditStore(db: WriteDb, path: string, options: { unit: number; now: number }): AuditStore {
  try {
    if (!fits(db, options.unit)) rebuild(db, options);
    return createStore(db, options.unit);
  } catch (error) {
    throw toUserError(error, path);
  }
}

function insertVerdicts(rows: number): string {
  const values = `(${Array.from({ length: COLUMNS }, () => '?').join()})`;
  return `INSERT INTO verdicts (seq, file_id, offset, length, at, ts_known, approved, score, blocked_by_id, rule_id,
    executor_id, shape_id, intent, reason) VALUES ${Array.from({ length: rows }, () => values).join()}`;
}

function fits(db: WriteDb, unit: number): boolean {
  try {
    const meta = new Map(db.prepare('SELECT key, value FROM log_meta').raw().all() as [string, number][]);
    if (meta.get('version') !== INDEX_VERSION || meta.get('unit') !== unit) return false;
    createStore(db, unit);
    return true;
  } catch (error) {
    // A table or column that is not there; a damaged file fails here too, and again when it is built anew.
    if (error instanceof Error && /^no such (table|column)|has no column/.test(error.message)) return false;
    throw error;
  }
}

function rebuild(db: WriteDb, { unit, now }: { unit: number; now: number }): void {
  const first = Math.max(1, Math.floor(now / 60_000) - SEQ_EPOCH_MINUTES) * SEQ_PER_MINUTE;
  db.transaction(() => {
    for (const table of AUDIT_TABLE_NAMES) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(AUDIT_TABLES);
    const put = db.prepare('INSERT INTO log_meta (key, value) VALUES (?, ?)');
    put.run('version', INDEX_VERSION);
    put.run('unit', unit);
    put.run('first_seq', first);
    put.run('next_seq', first);
  }).immediate();
}

function createStore(db: WriteDb, unit: number): AuditStore {
  const meta = db.prepare('SELECT value FROM log_meta WHERE key = ?').pluck();
  const setMeta = db.prepare('UPDATE log_meta SET value = ? WHERE key = ?');
  const allFiles = db.prepare(`SELECT * FROM log_files WHERE name NOT LIKE '${GONE}%' ORDER BY name DESC`);
  const offsetOf = db.prepare('SELECT offset FROM log_files WHERE id = ?').pluck();
  const addFile = db.prepare(`INSERT INTO log_files (name, inode, size, offset, next_line, lines, verdicts, events,
    unreadable, last_at, head_length, first_line_hash, tail_length, tail_hash) VALUES (@name, @inode, @size, @offset,
    @next_line, @lines, @verdicts, @events, @unreadable, @last_at, @head_length, @first_line_hash, @tail_length, @tail_hash)`);
  const setFile =
    db.prepare(`UPDATE log_files SET size = @size, offset = @offset, next_line = @next_line, lines = @lines,
    verdicts = @verdicts, events = @events, unreadable = @unreadable, last_at = @last_at, head_length = @head_length,
    first_line_hash = @first_line_hash, tail_length = @tail_length, tail_hash = @tail_hash WHERE id = @id`);
  const nameId = db.prepare('SELECT id FROM log_names WHERE text = ?').pluck();
  const addName = db.prepare('INSERT INTO log_names (text) VALUES (?)');
  const addVerdict = db.prepare(insertVerdicts(1));
  const addVerdicts = db.prepare(insertVerdicts(ROWS_PER_INSERT));
  const addEvent = db.prepare('INSERT INTO log_events (file_id, offset, at, kind_id) VALUES (?, ?, ?, ?)');
  const addFault = db.prepare('INSERT INTO log_faults (file_id, line, offset, why) VALUES (?, ?, ?, ?)');
  const trimFaults = db.prepare(`DELETE FROM log_faults WHERE file_id = @id AND offset < (SELECT offset FROM log_faults
    WHERE file_id = @id ORDER BY offset DESC LIMIT 1 OFFSET ${FAULTS_KEPT - 1})`);
  const newestFaults = db.prepare(`SELECT f.name AS file, l.line, l.offset, l.why FROM log_faults l
    JOIN log_files f ON f.id = l.file_id WHERE f.name NOT LIKE '${GONE}%' ORDER BY f.name DESC, l.offset DESC LIMIT ?`);
  const count = db.prepare(`INSERT INTO stats_hour (slot, file_id, approved, blocked_by_id, rule_id, executor_id,
    score_bin, count) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count`);
  const hide = db.prepare(`UPDATE log_files SET name = '${GONE}' || id WHERE id = ?`);
  const gone = db.prepare(`SELECT id FROM log_files WHERE name LIKE '${GONE}%' LIMIT 1`).pluck();
  const someRows = db.prepare(
    `SELECT seq FROM verdicts WHERE file_id = ? AND seq > ? ORDER BY seq LIMIT ${PURGE_ROWS}`,
  );
  const dropRow = db.prepare('DELETE FROM verdicts WHERE seq = ?');
  const dropFile = db.prepare('DELETE FROM log_files WHERE id = ?');
  const dropParts = ['stats_hour', 'log_events', 'log_faults'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE file_id = ?`),
  );

  const readMeta = (key: string): number => meta.get(key) as number;
  const firstSeq = readMeta('first_seq');
  let nextSeq = readMeta('next_seq');
  let names = new Map<string, number>();
  let purged = 0;

  const idOf = (text: string): number => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const id = (nameId.get(text) as number | undefined) ?? Number(addName.run(text).lastInsertRowid);
    if (names.size >= NAMES_CACHED) names.clear();
    names.set(text, id);
    return id;
  };

  const insert = ({ file, verdicts, events, faults }: Batch, before: number): void => {
    if (offsetOf.get(file.id) !== before || readMeta('next_seq') !== nextSeq) throw new StaleIndex();
    const sums = new Map<string, [number[], number]>();
    let seq = nextSeq;
    const values: unknown[] = [];
    for (const row of verdicts) {
      const blockedBy = row.blocked_by === null ? null : idOf(row.blocked_by);
      const rule = row.rule === null ? null : idOf(row.rule);
      const executor = idOf(row.executor);
      const approved = row.approved ? 1 : 0;
      const shape = idOf(JSON.stringify([row.judge_kind, row.args_keys, row.context_keys]));
      values.push(seq++, file.id, row.offset, row.length, row.at, row.ts_known ? 1 : 0, approved, row.score);
      values.push(blockedBy, rule, executor, shape, row.intent, row.reason);
      if (values.length === ROWS_PER_INSERT * COLUMNS) addVerdicts.run(values.splice(0));
      const bin = scoreBin(row.score);
      const key = [Math.floor(row.at / unit), file.id, approved, blockedBy ?? 0, rule ?? 0, executor, bin];
      const text = key.join();
      const sum = sums.get(text);
      if (sum === undefined) sums.set(text, [key, 1]);
      else sum[1]++;
    }
    for (let i = 0; i < values.length; i += COLUMNS) addVerdict.run(values.slice(i, i + COLUMNS));
    for (const [key, n] of sums.values()) count.run(...key, n);
    for (const event of events) addEvent.run(file.id, event.offset, event.at, idOf(event.name));
    for (const fault of faults.slice(-FAULTS_KEPT)) addFault.run(file.id, fault.line, fault.offset, fault.why);
    if (faults.length > 0) trimFaults.run({ id: file.id });
    setFile.run(file);
    setMeta.run(seq, 'next_seq');
  };
  const insertBatch = db.transaction(insert);
  const removeFile = db.transaction((id: number): void => {
    hide.run(id);
    for (const drop of dropParts) drop.run(id);
  });
  const purgeSome = db.transaction((): boolean => {
    const id = gone.get() as number | undefined;
    if (id === undefined) return false;
    const rows = someRows.pluck().all(id, purged) as number[];
    for (const seq of rows) dropRow.run(seq);
    purged = rows.at(-1) ?? 0;
    if (rows.length === 0) dropFile.run(id);
    return true;
  });
  const offsets = new Map((allFiles.all() as FileRecord[]).map(({ id, offset }) => [id, offset]));

  return {
    files: () => allFiles.all() as FileRecord[],
    faults: (limit) => newestFaults.all(limit) as ReturnType<AuditStore['faults']>,
    add(file) {
      const id = Number(addFile.run(file).lastInsertRowid);
      offsets.set(id, file.offset);
      return { ...file, id };
    },
    append(batch) {
      try {
        insertBatch.immediate(batch, offsets.get(batch.file.id) ?? -1);
      } catch (error) {
        // Ids that were given in the transaction that failed are void.
        names = new Map();
        throw error;
      }
      nextSeq += batch.verdicts.length;
      offsets.set(batch.file.id, batch.file.offset);
    },
    remove: (id) => removeFile.immediate(id),
    purge: () => purgeSome.immediate(),
    lastSeq: () => nextSeq - 1,
    firstSeq,
  };
}
