import { openDatabase, toUserError } from './open.ts';

/**
 * A lock that ends with the process that holds it, however it ends: the operating system's own, by way of
 * an empty SQLite file. Nothing is ever stored in it, so there is nothing stale to take over.
 *
 * @returns how to let go, or null when another process (or another holder in this one) has it
 * @throws UserError naming the file when it cannot be locked at all
 */
export function holdProcessLock(path: string): (() => void) | null {
  try {
    const db = openDatabase(path, { mode: 'write', create: true, busyMs: 0 });
    try {
      // No journal: there is never anything to roll back.
      db.pragma('journal_mode = OFF');
      db.exec('BEGIN EXCLUSIVE');
      return () => db.close();
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (error) {
    const told = toUserError(error, path);
    if ('code' in told && told.code === 'locked') return null;
    throw told;
  }
}
