import type { Migration } from '../migrate.ts';

/**
 * What the operator set and did (files page). Not derived from anything: it is kept when the audit index
 * is thrown away.
 *
 * `level_changes.done` is 0 between the record and the change itself, which may lie in another file.
 */
export const operator: Migration = {
  name: 'operator',
  up: (db) =>
    db.exec(`
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;
CREATE TABLE level_changes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  scope_kind TEXT NOT NULL CHECK (scope_kind IN ('default', 'pairing')),
  channel TEXT,
  sender_id TEXT,
  from_level TEXT NOT NULL,
  to_level TEXT NOT NULL,
  done INTEGER NOT NULL
) STRICT;
CREATE TABLE grant_links (
  new_id INTEGER PRIMARY KEY,
  old_id INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
`),
};
