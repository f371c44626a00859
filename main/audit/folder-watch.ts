import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { fileIdentity } from '../db/open.ts';

/**
 * Tells when something in a folder changes, also one that does not exist yet, is deleted, or comes back: then
 * its nearest parent that is there is watched. Events come from the system; a slow round covers the file
 * systems that send none.
 */
export interface FolderWatch {
  close(): void;
}

/** @param onChange with the name of the file that changed, or null: look at everything */
export function watchFolder(folder: string, onChange: (name: string | null) => void, roundMs = 3000): FolderWatch {
  let watcher: FSWatcher | null = null;
  let watched = '';
  let identity: string | null = null;

  const stop = (): void => {
    watcher?.close();
    watcher = null;
  };

  const start = (): void => {
    stop();
    for (let path = folder; ; path = dirname(path)) {
      try {
        identity = fileIdentity(path);
        watcher = watch(path, { persistent: false }, (_event, name) => heard(path, name));
        watcher.on('error', stop);
        watched = path;
        break;
      } catch {
        if (dirname(path) === path) return;
      }
    }
    // It may have come while its parent was being watched in its place.
    if (watched !== folder && identityOf(folder) !== null) start();
  };

  /** True when the watch is no longer on the folder that bears the name now. */
  const astray = (): boolean => {
    if (watcher === null) return true;
    const now = identityOf(folder);
    return watched === folder ? now !== identity : now !== null;
  };

  const heard = (path: string, name: string | null): void => {
    // A parent speaks of its own files; what matters there is whether the way down has become longer.
    const same = path === folder && identityOf(folder) === identity;
    if (!same) start();
    onChange(same ? name : null);
  };

  start();
  const round = setInterval(() => {
    if (astray()) start();
    onChange(null);
  }, roundMs);
  return {
    close() {
      clearInterval(round);
      stop();
    },
  };
}

/** Which file or folder a path means now; null when none, or none that may be seen. */
export function identityOf(path: string): string | null {
  try {
    return fileIdentity(path);
  } catch {
    return null;
  }
}
