import type { Migration } from '../migrate.ts';

/**
 * What is known of grants beside the file that other programs share, and the rate limits' buckets (policy page,
 * section 6). `granted_at` tells a grant from one of the same id in another file.
 */
export const limits: Migration = {
  name: 'limits',
  up: (db) =>
    db.exec(`
CREATE TABLE grant_uses (
  grant_id INTEGER PRIMARY KEY,
  granted_at TEXT NOT NULL,
  uses INTEGER NOT NULL,
  last_used_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE grant_revocations (
  grant_id INTEGER PRIMARY KEY,
  granted_at TEXT NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE rate_buckets (
  key TEXT PRIMARY KEY,
  tokens REAL NOT NULL,
  at REAL NOT NULL
) STRICT;
CREATE INDEX rate_buckets_at ON rate_buckets (at);
`),
};
