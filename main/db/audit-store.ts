import { createChainStore, type StoredBlock } from './audit-chain.ts';
import { type CountedWhat, createNameWriter, type VerdictFacts } from './audit-names.ts';
import { binsOf, pairsOf, textOfPairs } from './audit-rollup.ts';
import { insertOf, insertVerdicts, type Span, spansOf } from './audit-rows.ts';
import { searchedText } from './audit-words.ts';
import { AUDIT_DROPS, AUDIT_INDEXES, AUDIT_TABLES } from './migrations/0005-audit-record.ts';
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
  /** Seq of the last row, and of the last one that text search knows; 0 when there is none. */
  last_seq: number;
  text_seq: number;
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
  intent: string;
  facts: VerdictFacts;
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
  /** Blocks of the chain that the stretch changed. */
  blocks?: StoredBlock[];
  /** Leave the texts to the pass over all of them, which is quicker. */
  textsLater?: boolean;
}

/** What a batch added to the roll-ups; `slot` counts units of time. */
export interface Counted {
  sums: { slot: number; file: number; what: number; count: number }[];
  /** Twenty of scores. */
  bins: { slot: number; file: number; bins: number[] }[];
  spans: Span[];
  /** What went into text search. */
  texts: string[];
}

export interface AuditStore {
  files(): FileRecord[];
  /** Newest faults over all files. */
  faults(limit: number): { file: string; line: number; offset: number; why: string }[];
  add(file: Omit<FileRecord, 'id'>): FileRecord;
  /**
   * Gives a file seqs of its own for a backlog, so that seqs grow with the months though the newest is read first.
   * @param rows at most so many
   */
  reserve(fileId: number, rows: number): void;
  /**
   * @returns the file's record, with the seqs it was given
   * @throws StaleIndex when another handle has indexed meanwhile; nothing was written then
   */
  append(batch: Batch): FileRecord;
  /** Stores blocks of a file's chain that were made apart from its rows. */
  putBlocks(file: string, blocks: readonly StoredBlock[]): void;
  /** After a backlog: makes the indexes over the rows where they are not there yet; seqs only grow from then on. */
  finish(): void;
  /** Takes a file out of the index; `purge` then removes its rows, a few thousand a call, until it says false. */
  remove(id: number): void;
  purge(): boolean;
  /** Seq of the newest row; `firstSeq - 1` when there is none. */
  lastSeq(): number;
  readonly firstSeq: number;
  /** Hears what each batch that was written added; null when a file was taken out. */
  onCounted(listener: (counted: Counted | null) => void): void;
}

/** Somebody else wrote the index in between: what is in memory has to be read again. */
export class StaleIndex extends Error {}

/** Raised whenever a line is read into other columns or indexes than before: an older index is then built anew. */
const INDEX_VERSION = 3;
const GONE = 'gone:';
const PURGE_ROWS = 4000;
const FAULTS_KEPT = 200;
/** Of a row, beside its seq and its file, which a statement is told once. */
const VALUES = 7;
const NO_BINS = new Array<number>(20).fill(0).join();
/** Half the time of a statement a row. */
const ROWS_PER_INSERT = 32;
/** 28 bits of rows a minute: an index that is built anew never gives out a seq of the one before. */
const SEQ_PER_MINUTE = 2 ** 28;
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
export function openAuditStore(db: WriteDb, path: string, options: StoreOptions): AuditStore {
  try {
    if (!fits(db, options)) rebuild(db, options);
    return createStore(db, options);
  } catch (error) {
    throw toUserError(error, path);
  }
}

function fits(db: WriteDb, options: StoreOptions): boolean {
  try {
    const meta = new Map(db.prepare('SELECT key, value FROM log_meta').raw().all() as [string, number][]);
    if (meta.get('version') !== INDEX_VERSION || meta.get('unit') !== options.unit) return false;
    createStore(db, options);
    return true;
  } catch (error) {
    // A table or column that is not there; a damaged file fails here too, and again when it is built anew.
    if (error instanceof Error && /^no such (table|column)|has no column/.test(error.message)) return false;
    throw error;
  }
}

function rebuild(db: WriteDb, { unit, now }: StoreOptions): void {
  const first = Math.max(1, Math.floor(now / 60_000) - SEQ_EPOCH_MINUTES) * SEQ_PER_MINUTE;
  db.transaction(() => {
    for (const table of AUDIT_DROPS) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(AUDIT_TABLES);
    const put = db.prepare('INSERT INTO log_meta (key, value) VALUES (?, ?)');
    put.run('version', INDEX_VERSION);
    put.run('unit', unit);
    put.run('first_seq', first);
    put.run('next_seq', first);
  }).immediate();
}

interface StoreOptions {
  unit: number;
  now: number;
}

function createStore(db: WriteDb, { unit }: StoreOptions): AuditStore {
  const meta = db.prepare('SELECT value FROM log_meta WHERE key = ?').pluck();
  const setMeta = db.prepare('UPDATE log_meta SET value = ? WHERE key = ?');
  const allFiles = db.prepare(`SELECT * FROM log_files WHERE name NOT LIKE '${GONE}%' ORDER BY name DESC`);
  const placeOf = db.prepare('SELECT offset, last_seq, text_seq FROM log_files WHERE id = ?');
  const addFile = db.prepare(`INSERT INTO log_files (name, inode, size, offset, next_line, lines, verdicts, events,
    unreadable, last_at, last_seq, text_seq, head_length, first_line_hash, tail_length, tail_hash) VALUES (@name, @inode,
    @size, @offset, @next_line, @lines, @verdicts, @events, @unreadable, @last_at, @last_seq, @text_seq, @head_length,
    @first_line_hash, @tail_length, @tail_hash)`);
  const setFile =
    db.prepare(`UPDATE log_files SET size = @size, offset = @offset, next_line = @next_line, lines = @lines,
    verdicts = @verdicts, events = @events, unreadable = @unreadable, last_at = @last_at, last_seq = @last_seq,
    text_seq = @text_seq, head_length = @head_length, first_line_hash = @first_line_hash, tail_length = @tail_length,
    tail_hash = @tail_hash WHERE id = @id`);
  const addVerdict = db.prepare(insertVerdicts(1));
  const addVerdicts = db.prepare(insertVerdicts(ROWS_PER_INSERT));
  const addText = db.prepare(insertOf('log_text', 'rowid, text', 1));
  const addEvent = db.prepare('INSERT INTO log_events (file_id, offset, at, kind) VALUES (?, ?, ?, ?)');
  const addFault = db.prepare('INSERT INTO log_faults (file_id, line, offset, why) VALUES (?, ?, ?, ?)');
  const trimFaults = db.prepare(`DELETE FROM log_faults WHERE file_id = @id AND offset < (SELECT offset FROM log_faults
    WHERE file_id = @id ORDER BY offset DESC LIMIT 1 OFFSET ${FAULTS_KEPT - 1})`);
  const newestFaults = db.prepare(`SELECT f.name AS file, l.line, l.offset, l.why FROM log_faults l
    JOIN log_files f ON f.id = l.file_id WHERE f.name NOT LIKE '${GONE}%' ORDER BY f.name DESC, l.offset DESC LIMIT ?`);
  const rolled = db.prepare('SELECT whats, bins FROM stats_hour WHERE slot = ? AND file_id = ?').raw();
  const roll = db.prepare(`INSERT INTO stats_hour (slot, file_id, whats, bins) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET whats = excluded.whats, bins = excluded.bins`);
  const addSpan = db.prepare(`INSERT INTO log_spans (first_seq, last_seq, min_at, max_at)
    VALUES (@first_seq, @last_seq, @min_at, @max_at)`);
  const hide = db.prepare(`UPDATE log_files SET name = '${GONE}' || id WHERE id = ?`);
  const gone = db.prepare(`SELECT id, text_seq FROM log_files WHERE name LIKE '${GONE}%' LIMIT 1`);
  const someRows = db
    .prepare(`SELECT seq, intent, reason FROM verdicts WHERE file_id = ? AND seq > ? ORDER BY seq LIMIT ${PURGE_ROWS}`)
    .raw();
  const dropRow = db.prepare('DELETE FROM verdicts WHERE seq = ?');
  const dropText = db.prepare(`INSERT INTO log_text (log_text, rowid, text) VALUES ('delete', ?, ?)`);
  const dropFile = db.prepare('DELETE FROM log_files WHERE id = ?');
  const dropParts = ['stats_hour', 'log_events', 'log_faults'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE file_id = ?`),
  );
  const names = createNameWriter(db, scoreBin);
  const values = new Array<unknown>(ROWS_PER_INSERT * VALUES).fill(null);
  const chain = createChainStore(db);

  const readMeta = (key: string): number => meta.get(key) as number;
  const firstSeq = readMeta('first_seq');
  let nextSeq = readMeta('next_seq');
  let purged = 0;
  let listener: ((counted: Counted | null) => void) | null = null;
  /** Seqs that were set aside for a file. */
  const reserved = new Map<number, { next: number; end: number }>();

  const insert = ({ file, verdicts, events, faults, blocks, textsLater }: Batch, before: number): Inserted => {
    const place = placeOf.get(file.id) as Pick<FileRecord, 'offset' | 'last_seq' | 'text_seq'> | undefined;
    if (place?.offset !== before || readMeta('next_seq') !== nextSeq) throw new StaleIndex();
    const own = reserved.get(file.id);
    const fromOwn = own !== undefined && own.end - own.next >= verdicts.length;
    const start = fromOwn ? own.next : nextSeq;
    const live = textsLater !== true && place.text_seq === place.last_seq;
    const counted: Counted = { sums: [], bins: [], spans: spansOf(verdicts, start), texts: [] };
    let seq = start;
    let filled = 0;
    let slot = Number.NaN;
    let seen: CountedWhat[] = [];
    const bins = new Array<number>(20).fill(0);
    const flush = (): void => {
      if (seen.length === 0) return;
      const [whats, binTexts] = (rolled.get(slot, file.id) as [string, string] | undefined) ?? ['', NO_BINS];
      const pairs = pairsOf(whats);
      for (const what of seen) {
        pairs.set(what.id, (pairs.get(what.id) ?? 0) + what.pending);
        counted.sums.push({ slot, file: file.id, what: what.id, count: what.pending });
        what.pending = 0;
      }
      seen = [];
      const before = binsOf(binTexts);
      roll.run(slot, file.id, textOfPairs(pairs), before.map((n, bin) => n + (bins[bin] ?? 0)).join());
      counted.bins.push({ slot, file: file.id, bins: [...bins] });
      bins.fill(0);
    };
    for (const row of verdicts) {
      const { facts } = row;
      const ids = names.idsOf(facts);
      values[filled++] = row.offset;
      values[filled++] = row.length;
      values[filled++] = row.at;
      values[filled++] = row.ts_known ? ids.kind : ids.kind_without_ts;
      values[filled++] = ids.say;
      values[filled++] = row.intent;
      values[filled++] = ids.reason;
      if (live) {
        const text = searchedText(row.intent, ids.reason);
        addText.run(seq, text);
        counted.texts.push(text);
      }
      seq++;
      if (filled === values.length) {
        addVerdicts.run({ seq: seq - ROWS_PER_INSERT, file: file.id }, values);
        filled = 0;
      }
      const at = Math.floor(row.at / unit);
      if (at !== slot) {
        flush();
        slot = at;
      }
      if (ids.what.pending++ === 0) seen.push(ids.what);
      if (ids.bin >= 0) bins[ids.bin] = (bins[ids.bin] ?? 0) + 1;
    }
    flush();
    for (let i = 0; i < filled; i += VALUES)
      addVerdict.run({ seq: seq - (filled - i) / VALUES, file: file.id }, values.slice(i, i + VALUES));
    for (const span of counted.spans) addSpan.run(span);
    for (const event of events) addEvent.run(file.id, event.offset, event.at, event.name);
    for (const fault of faults.slice(-FAULTS_KEPT)) addFault.run(file.id, fault.line, fault.offset, fault.why);
    if (faults.length > 0) trimFaults.run({ id: file.id });
    for (const block of blocks ?? []) chain.put(file.name, block);
    const record = { ...file, last_seq: place.last_seq, text_seq: place.text_seq };
    if (verdicts.length > 0) {
      // What text search does not know yet begins behind `text_seq`.
      if (live) record.text_seq = seq - 1;
      else if (place.last_seq === 0) record.text_seq = start - 1;
      record.last_seq = seq - 1;
    }
    setFile.run(record);
    if (!fromOwn) setMeta.run(seq, 'next_seq');
    return { record, counted, next: seq, fromOwn };
  };
  const insertBatch = db.transaction(insert);
  const removeFile = db.transaction((id: number): void => {
    hide.run(id);
    for (const drop of dropParts) drop.run(id);
  });
  const purgeSome = db.transaction((): boolean => {
    const file = gone.get() as Pick<FileRecord, 'id' | 'text_seq'> | undefined;
    if (file === undefined) return false;
    const rows = someRows.all(file.id, purged) as [number, string, string | null][];
    for (const [seq, intent, reason] of rows) {
      dropRow.run(seq);
      if (seq <= file.text_seq) dropText.run(seq, searchedText(intent, reason));
    }
    purged = rows.at(-1)?.[0] ?? 0;
    if (rows.length === 0) dropFile.run(file.id);
    return true;
  });
  const storeBlocks = db.transaction((file: string, blocks: readonly StoredBlock[]): void => {
    for (const block of blocks) chain.put(file, block);
  });
  const reserveSeqs = db.transaction((rows: number): number => {
    if (readMeta('next_seq') !== nextSeq) throw new StaleIndex();
    setMeta.run(nextSeq + rows, 'next_seq');
    return nextSeq;
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
    reserve(fileId, rows) {
      const next = reserveSeqs.immediate(rows);
      nextSeq = next + rows;
      reserved.set(fileId, { next, end: nextSeq });
    },
    append(batch) {
      let done: Inserted;
      try {
        done = insertBatch.immediate(batch, offsets.get(batch.file.id) ?? -1);
      } catch (error) {
        names.forget();
        throw error;
      }
      const own = reserved.get(batch.file.id);
      if (done.fromOwn && own !== undefined) own.next = done.next;
      else {
        nextSeq = done.next;
        reserved.delete(batch.file.id);
      }
      offsets.set(batch.file.id, done.record.offset);
      listener?.(done.counted);
      return done.record;
    },
    putBlocks: (file, blocks) => storeBlocks.immediate(file, blocks),
    finish() {
      reserved.clear();
      db.exec(AUDIT_INDEXES);
    },
    remove(id) {
      removeFile.immediate(id);
      listener?.(null);
    },
    purge: () => purgeSome.immediate(),
    lastSeq: () => nextSeq - 1,
    firstSeq,
    onCounted(next) {
      listener = next;
    },
  };
}

interface Inserted {
  record: FileRecord;
  counted: Counted;
  next: number;
  fromOwn: boolean;
}
