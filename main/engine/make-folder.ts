import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it (0700, files page). Not `mkdir` with `recursive`: that one tries for ever where a
 * folder that is there says that it is not when something is to be made in it, as /proc does.
 * @throws the system's error: ENOENT, EACCES, ENOTDIR, EEXIST for something else in its place, ...
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
