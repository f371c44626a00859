import { existsSync, type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Tells many listeners that something changed; what, they look up themselves. */
export interface Changes {
  announce(): void;
  /** A tick per change; changes during a slow consumer's work become one. Ends with the signal. */
  ticks(signal: AbortSignal): AsyncGenerator<void>;
}

/** @param start called when the first listener comes, its result when the last one leaves */
export function createChanges(start: (announce: () => void) => () => void = () => () => undefined): Changes {
  const listeners = new Set<() => void>();
  let stop: (() => void) | null = null;
  const announce = (): void => {
    for (const wake of [...listeners]) wake();
  };
  return {
    announce,
    async *ticks(signal) {
      let pending = false;
      let wake: () => void = () => undefined;
      const notice = (): void => {
        pending = true;
        wake();
      };
      const end = (): void => wake();
      listeners.add(notice);
      stop ??= start(announce);
      signal.addEventListener('abort', end);
      try {
        while (!signal.aborted) {
          if (pending) {
            pending = false;
            yield;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        signal.removeEventListener('abort', end);
        listeners.delete(notice);
        if (listeners.size === 0) {
          stop?.();
          stop = null;
        }
      }
    },
  };
}

/** A database changes in several small steps within a millisecond or two. */
const SETTLE_MS = 25;

/**
 * Calls `changed` after a file or its SQLite companions changed, appeared or went, by whomever. A folder
 * that is not there yet is waited for at its nearest existing parent.
 *
 * @returns ends the watch
 */
export function watchFile(path: string, changed: () => void): () => void {
  const folder = dirname(path);
  const name = basename(path);
  let watcher: FSWatcher | null = null;
  let timer: NodeJS.Timeout | null = null;
  let ended = false;
  const settle = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      changed();
    }, SETTLE_MS);
  };
  const follow = (): void => {
    if (ended) return;
    watcher?.close();
    let place = folder;
    while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
    const isThere = place === folder;
    try {
      watcher = watch(place, (event, file) => {
        if (isThere && (file === null || file.startsWith(name))) settle();
        // The folder came, went or was replaced: look again from the top.
        if ((!isThere || !existsSync(folder)) && event === 'rename') {
          settle();
          follow();
        }
      });
      watcher.on('error', () => undefined);
    } catch {
      watcher = null;
    }
  };
  follow();
  return () => {
    ended = true;
    watcher?.close();
    if (timer !== null) clearTimeout(timer);
  };
}
