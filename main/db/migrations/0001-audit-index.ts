import type { Migration } from '../migrate.ts';

/**
 * The index over the verdict log (files page). All of it is derived: dropped and made again from the files
 * whenever it does not fit.
 *
 * `at` is the time a row is ordered and counted by, Unix seconds: the line's own `ts`, or that of the line
 * before it where it has none. Texts that repeat (executors, rules, kinds) are kept once in `log_names`; `shape_id` names the
 * JSON of judge kind, keys of args and keys of context together.
 */
export const AUDIT_TABLES = `
CREATE TABLE log_meta (
  key TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
CREATE TABLE log_names (
  id INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
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
  head_length INTEGER NOT NULL,
  first_line_hash TEXT NOT NULL,
  tail_length INTEGER NOT NULL,
  tail_hash TEXT NOT NULL
) STRICT;
CREATE TABLE verdicts (
  seq INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES log_files (id),
  offset INTEGER NOT NULL,
  length INTEGER NOT NULL,
  at REAL NOT NULL,
  ts_known INTEGER NOT NULL,
  approved INTEGER NOT NULL,
  score REAL,
  blocked_by_id INTEGER,
  rule_id INTEGER,
  executor_id INTEGER NOT NULL,
  shape_id INTEGER NOT NULL,
  intent TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;
CREATE INDEX verdicts_at ON verdicts (at);
CREATE INDEX verdicts_denied ON verdicts (at) WHERE approved = 0;
CREATE TABLE log_events (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL REFERENCES log_files (id),
  offset INTEGER NOT NULL,
  at REAL NOT NULL,
  kind_id INTEGER NOT NULL
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
  approved INTEGER NOT NULL,
  blocked_by_id INTEGER NOT NULL,
  rule_id INTEGER NOT NULL,
  executor_id INTEGER NOT NULL,
  score_bin INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (slot, file_id, approved, blocked_by_id, rule_id, executor_id, score_bin)
) STRICT, WITHOUT ROWID;
`;

/** In the order in which they can be dropped. */
export const AUDIT_TABLE_NAMES = [
  'stats_hour',
  'log_faults',
  'log_events',
  'verdicts',
  'log_files',
  'log_names',
  'log_meta',
] as const;

export const auditIndex: Migration = { name: 'audit index', up: (db) => db.exec(AUDIT_TABLES) };
