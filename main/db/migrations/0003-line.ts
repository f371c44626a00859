import type { Migration } from '../migrate.ts';

/**
 * What the line needs beside the shared files (pipeline page): kept answers, rises that end by themselves, and
 * what a freeze has to bring back. The empty text stands for the default in `channel` and `sender_id`.
 */
export const line: Migration = {
  name: 'line',
  up: (db) =>
    db.exec(`
ALTER TABLE level_changes ADD COLUMN why TEXT NOT NULL DEFAULT 'set';
ALTER TABLE level_changes ADD COLUMN until_ms INTEGER;
CREATE TABLE timed_levels (
  channel TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  level TEXT NOT NULL,
  falls_back_to TEXT NOT NULL,
  until_ms INTEGER NOT NULL,
  PRIMARY KEY (channel, sender_id)
) STRICT;
CREATE TABLE freeze (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  since_ms INTEGER NOT NULL,
  who TEXT NOT NULL,
  requests TEXT NOT NULL
) STRICT;
CREATE TABLE frozen_levels (
  channel TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  level TEXT NOT NULL,
  PRIMARY KEY (channel, sender_id)
) STRICT;
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  channel TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  executor TEXT NOT NULL,
  capability TEXT,
  target TEXT,
  level TEXT,
  decision TEXT NOT NULL,
  stage TEXT NOT NULL,
  rule TEXT NOT NULL,
  decided_by TEXT NOT NULL,
  stages TEXT NOT NULL,
  verdict_ts REAL,
  grant_id INTEGER,
  approval_token TEXT,
  turn_id TEXT,
  step REAL,
  error TEXT
) STRICT;
CREATE INDEX decisions_at ON decisions (at);
CREATE INDEX decisions_scope ON decisions (channel, sender_id, capability, at);
CREATE INDEX decisions_verdict ON decisions (verdict_ts) WHERE verdict_ts IS NOT NULL;
CREATE INDEX decisions_turn ON decisions (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX decisions_approval ON decisions (approval_token) WHERE approval_token IS NOT NULL;
`),
};
