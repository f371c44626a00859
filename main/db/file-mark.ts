import { type Stats, statfsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../engine/clock.ts';

/**
 * Tells at the price of one look at the file's entry (2 us) that a database file in rollback mode is as it was
 * when it was last asked. Every commit in that mode writes the file's first page, under a lock, so it moves
 * the time of the last change. Asking SQLite itself takes four times as long.
 */
export interface FileMark {
  /** True when nothing can have been written since `settle`; false means: ask SQLite. */
  isUnchanged(): boolean;
  /** What the file is now; call it before SQLite is asked. */
  look(): Stats | undefined;
  /** SQLite was asked after `look` and what it said is known. @param rollback false in WAL mode, where commits go to another file */
  settle(looked: Stats | undefined, rollback: boolean): void;
  forget(): void;
}

/**
 * Kinds of file systems (statfs) that show a write's time at once and to a few milliseconds: ext2-4, xfs,
 * btrfs, tmpfs, overlay, f2fs, zfs, bcachefs. Network and user-space ones answer from a cache.
 */
const PROMPT = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e]);
/**
 * Two writes within one tick of the kernel's clock carry the same time, so a time younger than this (ms)
 * proves nothing. Where only whole seconds are kept, more has to pass.
 */
const TICK_MS = 100;
const SECOND_MS = 2500;
const QUIET = { throwIfNoEntry: false } as const;

/**
 * Both options are for tests.
 * @param options.clock the system's, by which files are dated
 * @param options.kindOf the kind of file system that holds the file, as statfs numbers it
 */
export function createFileMark(
  path: string,
  { clock = Date.now, kindOf = kindOfFileSystem }: { clock?: Clock; kindOf?: (file: string) => number } = {},
): FileMark {
  const file = resolve(path);
  let known: Stats | null = null;
  let prompt: { dev: number; is: boolean } | null = null;

  function isPrompt(dev: number): boolean {
    if (prompt?.dev !== dev) prompt = { dev, is: PROMPT.has(kindOf(file)) };
    return prompt.is;
  }

  return {
    isUnchanged: () => {
      if (known === null) return false;
      const now = statSync(file, QUIET);
      return (
        now !== undefined &&
        now.ino === known.ino &&
        now.ctimeMs === known.ctimeMs &&
        now.dev === known.dev &&
        now.size === known.size
      );
    },
    look: () => statSync(file, QUIET),
    settle: (looked, rollback) => {
      known = null;
      if (looked === undefined || !rollback) return;
      const age = clock() - looked.ctimeMs;
      const enough = looked.ctimeMs % 1000 === 0 ? SECOND_MS : TICK_MS;
      if (age > enough && isPrompt(looked.dev)) known = looked;
    },
    forget: () => {
      known = null;
    },
  };
}

/** Other systems than Linux number them otherwise: 0 is none that is known. */
function kindOfFileSystem(file: string): number {
  return process.platform === 'linux' ? statfsSync(file).type : 0;
}
