import { UserError } from '../engine/errors.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { toUserError, type WriteDb } from './open.ts';

/** One step from version `n - 1` to `n`, where `n` is its place in the list, counted from 1. */
export interface Migration {
  /** Short, for messages. */
  name: string;
  up: (db: WriteDb) => void;
}

/**
 * Brings panel.db to the version of this program, one transaction a step (house style, "SQL"). Safe when two
 * handles do it at once.
 *
 * @param path of the file, for messages only
 * @returns the version it has now
 * @throws UserError `newer` when the file was written by a newer program; it is left as it is
 */
export function migrate(db: WriteDb, path: string, migrations: readonly Migration[] = MIGRATIONS): number {
  const step = db.transaction((target: number): void => {
    // Read again inside the transaction: another handle may have been quicker.
    if (versionOf(db) >= target) return;
    migrations[target - 1]?.up(db);
    db.pragma(`user_version = ${target}`);
  });
  try {
    refuseNewer(versionOf(db), path, migrations);
    for (let target = versionOf(db) + 1; target <= migrations.length; target++) step.immediate(target);
    refuseNewer(versionOf(db), path, migrations);
    return versionOf(db);
  } catch (error) {
    throw toUserError(error, path);
  }
}

function refuseNewer(version: number, path: string, migrations: readonly Migration[]): void {
  if (version <= migrations.length) return;
  throw new UserError(
    'newer',
    `${path} has version ${version}, this program knows versions up to ${migrations.length}. Nothing was written. Update Vaglio, or move the file away to start with an empty one.`,
    path,
  );
}

function versionOf(db: WriteDb): number {
  return db.pragma('user_version', { simple: true }) as number;
}
