import type { Migration } from '../migrate.ts';

/**
 * The journal of `evaluate` (constitution page) and what is not to be proposed again. Not derived from anything.
 * Texts are JSON where they hold more than one value; no value of args is in them.
 */
export const evaluations: Migration = {
  name: 'evaluations',
  up: (db) =>
    db.exec(`
CREATE TABLE evaluations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  day TEXT NOT NULL,
  flow TEXT NOT NULL CHECK (flow IN ('reactive', 'proactive')),
  decision TEXT NOT NULL CHECK (decision IN ('block', 'publish', 'reject', 'defer', 'allow')),
  capability TEXT,
  targets TEXT NOT NULL,
  action TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  alignment REAL,
  before_bother REAL,
  answer TEXT CHECK (answer IN ('publish', 'dismiss', 'never')),
  answered_at INTEGER
) STRICT;
CREATE INDEX evaluations_day ON evaluations (day, decision);
CREATE INDEX evaluations_flow ON evaluations (flow, id);
CREATE INDEX evaluations_at ON evaluations (flow, at);
CREATE TABLE unwanted_proposals (
  fingerprint TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  targets TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;
`),
};
