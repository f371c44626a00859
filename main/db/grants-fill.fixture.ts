import { createGrantsRepository } from './grants.ts';
import { openDatabase } from './open.ts';

interface Filling {
  channel: string;
  sender_id: string;
  capability: string;
  target: string;
}

/** Fills a grants.db with many rows in one transaction, for measurements; checks nothing. @throws UserError naming the file */
export function fillGrantsTable(path: string, count: number, nth: (index: number) => Filling): void {
  const granted_at = '2026-11-01T00:00:00Z';
  const repository = createGrantsRepository(path);
  // Makes the file with the contract's schema.
  repository.record({ ...nth(0), granted_at, expires_at: null, granted_by: null });
  repository.close();
  const db = openDatabase(path, { mode: 'write', create: true });
  try {
    const insert = db.prepare(
      'INSERT INTO grants (channel, sender_id, capability, target, granted_at) VALUES (?, ?, ?, ?, ?)',
    );
    db.transaction(() => {
      for (let i = 1; i < count; i++) {
        const row = nth(i);
        insert.run(row.channel, row.sender_id, row.capability, row.target, granted_at);
      }
    })();
  } finally {
    db.close();
  }
}
