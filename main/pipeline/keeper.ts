import { insertDecisions, type NewDecision, pruneDecisions } from '../db/decisions.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';

/**
 * Keeps every answer in our own database (pipeline page). An answer does not wait for the disk: rows go in together, a
 * moment later, so neither a commit nor a busy index worker holds up this decision or the next one. The verdict
 * log, written before each answer, is what proves it.
 */
export interface Keeper {
  keep(decision: NewDecision): void;
  /** Writes what waits. Never throws. */
  flush(): void;
  /** Why rows may be missing; null when all is kept. */
  problem(): string | null;
  /** Days that rows stay; 0: none is kept. */
  days(): number;
  /** Older rows go when old rows are dropped next. @throws UserError when panel.db cannot be written */
  setDays(days: number): void;
  /** Drops old rows now and once a day. @returns ends that */
  follow(): () => void;
  close(): void;
}

export const RETENTION_KEY = 'decisions_days';
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;
/** So many rows are written without waiting for the moment to pass. */
const MOST_WAITING = 500;
/** A commit takes longer than many decisions, so they share one, ms. */
const TOGETHER_MS = 50;
/** While another connection writes, the rows are offered again so soon, ms, and so long, ms, before they are waited for. */
const AGAIN_MS = 5;
const PATIENCE_MS = 1000;
/** Kept in memory while the file cannot be written. */
const MOST_HELD = 10_000;
const RETRY_MS = 1000;
const PRUNED_AT_ONCE = 5000;

export function createKeeper({ panel, clock }: { panel: PanelStore; clock: Clock }): Keeper {
  let waiting: NewDecision[] = [];
  let soon: NodeJS.Timeout | null = null;
  let later: NodeJS.Timeout | null = null;
  /** Since when the file has been held, ms of the monotonic clock. */
  let heldSince: number | null = null;
  let failure: string | null = null;
  let isClosed = false;
  let lost = 0;
  let days: number | null = null;

  const daysKept = (): number => {
    if (days !== null) return days;
    try {
      const text = panel.read((db) => readSetting(db, RETENTION_KEY));
      const value = text === null ? DEFAULT_DAYS : Number(text);
      days = Number.isFinite(value) && value >= 0 ? value : DEFAULT_DAYS;
      return days;
    } catch {
      return DEFAULT_DAYS;
    }
  };
  const flush = (): void => {
    clear();
    if (waiting.length === 0) return;
    const rows = waiting;
    try {
      panel.write((db) => insertDecisions(db, rows));
      waiting = [];
      failure = null;
      heldSince = null;
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      if (waiting.length > MOST_HELD) {
        lost += waiting.length - MOST_HELD;
        waiting = waiting.slice(-MOST_HELD);
      }
      later = setTimeout(flush, RETRY_MS).unref();
    }
  };
  /** Beside a decision nobody waits for a lock: the index worker holds it for moments, all the time. */
  const flushAtOnce = (): void => {
    clear();
    const rows = waiting;
    if (rows.length === 0) return;
    const now = performance.now();
    heldSince ??= now;
    if (rows.length >= MOST_HELD || now - heldSince > PATIENCE_MS) {
      flush();
      return;
    }
    try {
      panel.writeAtOnce((db) => insertDecisions(db, rows));
      waiting = [];
      failure = null;
      heldSince = null;
    } catch (error) {
      if (error instanceof UserError && error.code === 'locked') soon = setTimeout(flushAtOnce, AGAIN_MS).unref();
      else flush();
    }
  };
  const clear = (): void => {
    if (soon !== null) clearTimeout(soon);
    if (later !== null) clearTimeout(later);
    soon = null;
    later = null;
  };
  const prune = (): void => {
    days = null;
    try {
      const kept = daysKept();
      const before = kept === 0 ? Number.MAX_SAFE_INTEGER : clock() - kept * DAY_MS;
      while (panel.write((db) => pruneDecisions(db, before, PRUNED_AT_ONCE)) === PRUNED_AT_ONCE);
    } catch {
      // Old rows do no harm; tomorrow is another day.
    }
  };

  return {
    keep: (decision) => {
      // A late answer must not open the database again.
      if (isClosed) return;
      if (daysKept() === 0) return;
      waiting.push(decision);
      // While the file fails, the timer tries: a full buffer must not try at every call.
      if (later !== null) return;
      if (waiting.length % MOST_WAITING === 0) flushAtOnce();
      else soon ??= setTimeout(flushAtOnce, TOGETHER_MS).unref();
    },
    flush,
    problem: () => {
      if (failure !== null) return `Kept answers wait in memory (${waiting.length}): ${failure}`;
      return lost > 0 ? `${lost} answers could not be kept.` : null;
    },
    days: daysKept,
    setDays: (wanted) => {
      panel.write((db) => writeSetting(db, RETENTION_KEY, String(wanted)));
      days = wanted;
    },
    follow: () => {
      const first = setImmediate(prune);
      const timer = setInterval(prune, DAY_MS).unref();
      return () => {
        clearImmediate(first);
        clearInterval(timer);
      };
    },
    close: () => {
      isClosed = true;
      flush();
      clear();
    },
  };
}
