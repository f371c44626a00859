import { UserError } from '../engine/errors.ts';
import { followFile } from './followed.ts';
import type { ReadDb, WriteDb } from './open.ts';
import { openPanelDb } from './panel.ts';

/** The main thread's door to panel.db, opened at first use and again when the file was deleted or replaced. */
export interface PanelStore {
  /** @throws UserError naming the file */
  read<T>(work: (db: ReadDb) => T): T;
  /** One transaction: all of `work` is kept, or none. @throws UserError naming the file */
  write<T>(work: (db: WriteDb) => T): T;
  /** As `write`, but waits for nobody. @throws UserError `locked` at once while another connection writes */
  writeAtOnce<T>(work: (db: WriteDb) => T): T;
  /** Why it cannot be used right now, or null. */
  problem(): UserError | null;
  close(): void;
}

/**
 * Pages of the log at which a commit of ours writes them into the file, and waits for the disk; the index worker, which
 * shares the file, does that long before, outside of every decision.
 */
const CHECKPOINT_PAGES = 8000;

/** @param path a file, or `:memory:` */
export function createPanelStore(path: string, options: { busyMs?: number } = {}): PanelStore {
  let memory: WriteDb | null = null;
  const file = followFile<WriteDb>(path, () => {
    const db = openPanelDb(path, options);
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    return db;
  });
  const onFile = <T>(work: (db: WriteDb) => T): T => {
    if (path === ':memory:') {
      memory ??= openPanelDb(path);
      return work(memory);
    }
    const done = file.use((db) => ({ value: work(db) }));
    if (done === null) throw new UserError('unreadable', `${path} cannot be opened.`, path);
    return done.value;
  };
  return {
    read: onFile,
    write: (work) => onFile((db) => db.transaction(() => work(db)).immediate()),
    writeAtOnce: (work) =>
      onFile((db) => {
        const patience = db.pragma('busy_timeout', { simple: true });
        db.pragma('busy_timeout = 0');
        try {
          return db.transaction(() => work(db)).immediate();
        } finally {
          db.pragma(`busy_timeout = ${patience}`);
        }
      }),
    problem: () => {
      try {
        onFile((db) => db.pragma('schema_version'));
        return null;
      } catch (error) {
        if (error instanceof UserError) return error;
        throw error;
      }
    },
    close: () => {
      memory?.close();
      file.close();
    },
  };
}
