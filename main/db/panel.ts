import { migrate } from './migrate.ts';
import { openDatabase, toUserError, type WriteDb } from './open.ts';

/**
 * Opens panel.db, our own database (files page), made when it is not there and brought to the version of
 * this program: WAL, foreign keys, busy time-out.
 *
 * @param path a file, or `:memory:` for an index that lives as long as the process
 * @throws UserError `damaged`, `locked`, `unreadable`, `read-only` or `newer`, naming the file; it is never
 * overwritten
 */
export function openPanelDb(path: string, options: { busyMs?: number } = {}): WriteDb {
  const db = openDatabase(path, { ...options, mode: 'write', create: true });
  try {
    // A newer program's file is refused before anything in it changes, the journal mode included.
    migrate(db, path);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    // The worker of the audit index does it earlier, so that no decision waits for it.
    db.pragma('wal_autocheckpoint = 4000');
    db.pragma('foreign_keys = ON');
    return db;
  } catch (error) {
    db.close();
    throw toUserError(error, path);
  }
}
