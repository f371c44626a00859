import { openDatabase } from './open.ts';

/** A pairing as the file's owner would write it (files page). */
export interface NewPairing {
  channel: string;
  sender_id: string;
  autonomy_level: string;
  paired_at: string;
  paired_by: string;
  last_seen: string | null;
  revoked_at: string | null;
  display_name: string | null;
}

const SCHEMA = `
CREATE TABLE pairings (
  id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, sender_id TEXT NOT NULL, autonomy_level TEXT NOT NULL,
  paired_at TEXT NOT NULL, paired_by TEXT NOT NULL, last_seen TEXT, revoked_at TEXT, actor TEXT, display_name TEXT,
  UNIQUE(channel, sender_id) );
`;

/**
 * Makes a pairings.db where there is none, as sample data. The panel itself never makes this file: it
 * belongs to the agent.
 * @throws UserError naming the file, also when it has a table of this name already
 */
export function makePairingsFile(path: string, pairings: readonly NewPairing[]): void {
  const db = openDatabase(path, { mode: 'write', create: true });
  try {
    db.exec(SCHEMA);
    const insert = db.prepare(
      `INSERT INTO pairings (channel, sender_id, autonomy_level, paired_at, paired_by, last_seen, revoked_at, display_name)
       VALUES (@channel, @sender_id, @autonomy_level, @paired_at, @paired_by, @last_seen, @revoked_at, @display_name)`,
    );
    db.transaction(() => {
      for (const pairing of pairings) insert.run(pairing);
    })();
  } finally {
    db.close();
  }
}
