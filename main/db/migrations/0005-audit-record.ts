import type { Migration } from '../migrate.ts';
import { AUDIT_TABLE_NAMES } from './0001-audit-index.ts';

/**
 * The index over the verdict log (files page), made for a million lines. All of it is derived: dropped and made
 * again from the files whenever it does not fit.
 *
 * `at` is the time a row is ordered and counted by, Unix seconds: the line's own `ts`, or that of the line before
 * it where it has none. What repeats is kept once: `log_whats` what a verdict is counted by, `log_kinds` that with
 * the names of keys, `log_says` score and reason. Kinds of denied lines have negative ids, so that a partial
 * index can tell them. Pieces of text search are put together when nobody waits, not while rows go in. A roll-up is one row: what and count in turn, and twenty bins of scores. `log_spans` says between which times some rows in a row lie. A reason that does not repeat stands in its row.
 */
export const AUDIT_TABLES = `
CREATE TABLE log_meta (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
CREATE TABLE log_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  inode TEXT NOT NULL,
  size INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  next_line INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  verdicts INTEGER NOT NULL,
  events INTEGER NOT NULL,
  unreadable INTEGER NOT NULL,
  last_at REAL NOT NULL,
  last_seq INTEGER NOT NULL,
  text_seq INTEGER NOT NULL,
  head_length INTEGER NOT NULL,
  first_line_hash TEXT NOT NULL,
  tail_length INTEGER NOT NULL,
  tail_hash TEXT NOT NULL
) STRICT;
CREATE TABLE log_whats (
  id INTEGER PRIMARY KEY,
  approved INTEGER NOT NULL,
  blocked_by TEXT,
  rule TEXT,
  executor TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE log_kinds (
  id INTEGER PRIMARY KEY,
  what_id INTEGER NOT NULL REFERENCES log_whats (id),
  ts_known INTEGER NOT NULL,
  shape TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE log_says (
  id INTEGER PRIMARY KEY,
  score REAL,
  reason TEXT,
  key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE verdicts (
  seq INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  length INTEGER NOT NULL,
  at REAL NOT NULL,
  kind_id INTEGER NOT NULL,
  say_id INTEGER NOT NULL,
  intent TEXT NOT NULL,
  reason TEXT
) STRICT;
CREATE TABLE log_spans (
  first_seq INTEGER PRIMARY KEY,
  last_seq INTEGER NOT NULL,
  min_at REAL NOT NULL,
  max_at REAL NOT NULL
) STRICT;
CREATE TABLE log_events (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES log_files (id),
  offset INTEGER NOT NULL,
  at REAL NOT NULL,
  kind TEXT NOT NULL
) STRICT;
CREATE INDEX log_events_at ON log_events (at);
CREATE TABLE log_faults (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES log_files (id),
  line INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  why TEXT NOT NULL
) STRICT;
CREATE INDEX log_faults_file ON log_faults (file_id, offset);
CREATE TABLE stats_hour (
  slot INTEGER NOT NULL,
  file_id INTEGER NOT NULL REFERENCES log_files (id),
  whats TEXT NOT NULL,
  bins TEXT NOT NULL,
  PRIMARY KEY (slot, file_id)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE log_text USING fts5 (text, content='', columnsize=0, detail=none, tokenize='ascii');
INSERT INTO log_text (log_text, rank) VALUES ('hashsize', 4194304), ('automerge', 0), ('usermerge', 4), ('crisismerge', 64);
CREATE VIRTUAL TABLE log_words USING fts5vocab (log_text, row);
`;

/**
 * Over the rows; made after the first pass, when that is quicker than keeping them. With what filters ask for in it,
 * so that only rows that are wanted are looked up.
 */
export const AUDIT_INDEXES = `
CREATE INDEX IF NOT EXISTS verdicts_at ON verdicts (at, seq, kind_id, say_id);
CREATE INDEX IF NOT EXISTS verdicts_denied ON verdicts (at) WHERE kind_id < 0;
`;

/** In an order in which they can be dropped; all that a version of the index ever had. */
export const AUDIT_DROPS: readonly string[] = [
  'log_words',
  'log_text',
  'log_spans',
  'log_kinds',
  'log_says',
  'log_whats',
  ...AUDIT_TABLE_NAMES,
];

/**
 * The record (quality page, "The record"), which is not derived: a hash chain over the log's bytes in blocks, what
 * was found to differ, and the operator's acts. `marks` holds a checksum of four bytes for each line of a block,
 * by which the line that was changed is found.
 */
const RECORD_TABLES = `
CREATE TABLE chain_blocks (
  file TEXT NOT NULL,
  number INTEGER NOT NULL,
  from_offset INTEGER NOT NULL,
  to_offset INTEGER NOT NULL,
  first_line INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  hash TEXT NOT NULL,
  marks BLOB NOT NULL,
  link TEXT NOT NULL,
  last_at REAL NOT NULL,
  PRIMARY KEY (file, number)
) STRICT;
CREATE TABLE chain_findings (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER,
  last_line INTEGER,
  found_at REAL NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE TABLE chain_state (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE acts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at REAL NOT NULL,
  kind TEXT NOT NULL,
  who TEXT,
  source TEXT NOT NULL,
  source_id TEXT NOT NULL,
  facts TEXT NOT NULL,
  link TEXT NOT NULL,
  UNIQUE (source, source_id, kind)
) STRICT;
CREATE INDEX acts_at ON acts (at);
`;

export const auditRecord: Migration = {
  name: 'audit record',
  up: (db) => {
    for (const table of AUDIT_DROPS) db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(AUDIT_TABLES);
    db.exec(RECORD_TABLES);
  },
};
