import type { Grant, GrantView } from '../../shared/domain/grant.ts';
import { createGrantsRepository } from '../db/grants.ts';
import type { PanelStore } from '../db/panel-store.ts';
import { createChanges, watchFile } from '../engine/changes.ts';
import type { Clock } from '../engine/clock.ts';
import { UserError } from '../engine/errors.ts';
import type { Paths } from '../engine/paths.ts';
import type { GrantsService } from '../engine/services.ts';
import { formatInstant, isExpired } from '../policy/dates.ts';
import { checkNewGrant } from '../policy/grant-rules.ts';
import { type GrantHistory, viewGrant } from '../policy/grant-view.ts';
import { isStale, unusedSince } from '../policy/stale.ts';
import { createCoverage } from './coverage.ts';
import { realPath } from './real-path.ts';
import { createUseLog } from './use-log.ts';

/**
 * The grants of a person's machine: who may do what without being asked again. Over grants.db, which other
 * programs write too; never imports another room's service.
 */
export interface GrantsDeps {
  paths: Pick<Paths, 'grantsDb'>;
  clock: Clock;
  /** Absolute path that `~` stands for. */
  home: string;
  /** The guard's answer for a text: the id of the forbidden path pattern in it, or null. */
  forbiddenPath(value: string, home: string): string | null;
  /** Our own database, for uses and reasons; without it none are known. */
  panel?: PanelStore;
  /** Days without use after which a grant is suggested for revocation; null or absent = `STALE_DAYS`. */
  staleAfterDays?: number | null;
  /** Notes in our own database that the new grant continues the revoked one. */
  recordLink?(oldId: number, newId: number): void;
  /** Told of what went wrong beside the answer. */
  onError?(error: unknown): void;
  /** As `realPath`; an argument for tests. */
  realpath?(path: string): string;
  /** How long a call waits for another program's lock, ms. */
  busyMs?: number;
}

/** Answers at once, on the calling thread. */
type AtOnce<T> = {
  [K in keyof T]: T[K] extends (input: infer I) => infer O ? (input: I) => Exclude<O, Promise<unknown>> : T[K];
};

/** But for what looks at past calls: that is told from the kept answers. */
export interface Grants extends AtOnce<Omit<GrantsService, 'changed' | 'preview'>>, Pick<GrantsService, 'changed'> {
  /** The id of an active grant that covers the target, or null. @throws when the file cannot be read */
  findGrant(channel: string, senderId: string, capability: string, target: string): number | null;
  /** True when an active grant covers the target (policy page, section 3). @throws when the file cannot be read */
  hasGrant(channel: string, senderId: string, capability: string, target: string): boolean;
  /** Notes that the grant let a call pass; never throws, and takes no time. */
  noteUse(id: number): void;
  close(): void;
}

/** The suggestion's own number of days, where a person set none (ui page, "Grants"). */
const STALE_DAYS = 90;

/** Decisions wait for a lock on the main thread; who holds it longer than this gets no grant looked up. */
const BUSY_MS = 250;

export function createGrantsService(deps: GrantsDeps): Grants {
  const { clock, home } = deps;
  const afterDays = deps.staleAfterDays ?? STALE_DAYS;
  const path = deps.paths.grantsDb;
  const repository = createGrantsRepository(path, { busyMs: deps.busyMs ?? BUSY_MS });
  const coverage = createCoverage(repository, { home, realpath: deps.realpath ?? realPath }, clock);

  let seen: number | string = '';
  let ticks = 0;
  /** False when the file is as it was: reading a WAL file touches its companions, which is no change. */
  function isChanged(): boolean {
    const before = seen;
    try {
      seen = repository.version();
    } catch (error) {
      seen = error instanceof UserError ? error.code : 'failed';
    }
    if (seen === before) return false;
    ticks += 1;
    return true;
  }
  const changes = createChanges((announce) => {
    const stop = watchFile(path, () => {
      if (isChanged()) announce();
    });
    isChanged();
    return stop;
  });
  function look(): void {
    if (isChanged()) changes.announce();
  }

  const useLog = deps.panel
    ? createUseLog({
        panel: deps.panel,
        find: repository.find,
        clock,
        onKept: () => {
          ticks += 1;
          changes.announce();
        },
        ...(deps.onError && { onError: deps.onError }),
      })
    : null;

  /** What our own database knows; null where it cannot be read: its health says why. */
  function histories(): ((grant: Grant) => GrantHistory) | null {
    if (useLog === null) return null;
    try {
      const uses = useLog.uses();
      const revocations = useLog.revocations();
      return ({ id, granted_at, revoked_at }) => {
        const use = uses.get(id);
        const revocation = revocations.get(id);
        const own = use?.granted_at === granted_at ? use : undefined;
        const reason = revoked_at !== null && revocation?.granted_at === granted_at ? revocation.reason : null;
        return { uses: own?.uses ?? 0, last_used_ms: own?.last_used_ms ?? null, revoked_reason: reason };
      };
    } catch {
      return null;
    }
  }

  /** @throws UserError naming the file that cannot be read */
  function stale(): { grant: GrantView; unused_since_ms: number }[] {
    if (useLog === null) return [];
    const now = clock();
    const countedSince = useLog.since();
    const history = histories();
    if (history === null) return [];
    return repository
      .list({})
      .map((grant) => viewGrant(grant, now, history(grant)))
      .filter((grant) => isStale(grant, { afterDays, countedSince, now }))
      .map((grant) => ({ grant, unused_since_ms: unusedSince(grant, countedSince) }))
      .sort((a, b) => a.unused_since_ms - b.unused_since_ms);
  }

  /** Only those that are still unused: between the suggestion and the click one may have been needed. */
  function revokeStale(ids: readonly number[]): Set<number> {
    if (useLog === null) {
      throw new UserError('refused', 'Uses are not counted here: no grant counts as stale.', 'reason');
    }
    const unused = stale().filter(({ grant }) => ids.includes(grant.id));
    const targets = unused.map(({ grant }) => grant);
    const done = repository.revoke(
      targets.map(({ id }) => id),
      formatInstant(clock()),
    );
    const revoked = targets.filter((_, index) => done[index] === true);
    try {
      useLog.recordRevocations(
        revoked.map(({ id, granted_at }) => ({ grant_id: id, granted_at, reason: 'stale' as const })),
      );
    } catch (error) {
      // They are revoked; only the reason is missing.
      deps.onError?.(error);
    }
    return new Set(revoked.map(({ id }) => id));
  }

  function record(grant: Parameters<Grants['record']>[0], options?: { once: boolean }): ReturnType<Grants['record']> {
    const checked = checkNewGrant(grant, { home, now: clock(), forbiddenPath: deps.forbiddenPath });
    const stored = repository.record(checked, options);
    look();
    return viewGrant(stored, clock(), histories()?.(stored));
  }

  return {
    list: ({ channel, sender_id, all }) => {
      try {
        const now = clock();
        const rows = repository.list({ channel, sender_id, includeRevoked: all });
        const history = histories();
        const grants = rows.map((grant) => viewGrant(grant, now, history?.(grant)));
        return { grants: all === true ? grants : grants.filter(({ state }) => state === 'active'), problem: null };
      } catch (error) {
        if (error instanceof UserError) return { grants: [], problem: error.message };
        throw error;
      }
    },
    record: (grant) => record(grant),
    stale: () => {
      try {
        return { after_days: afterDays, grants: stale(), problem: null };
      } catch (error) {
        if (error instanceof UserError) return { after_days: afterDays, grants: [], problem: error.message };
        throw error;
      }
    },
    revoke: ({ ids, reason }) => {
      if (reason === 'stale') {
        const revoked = revokeStale(ids);
        look();
        return { results: ids.map((id) => ({ id, changed: revoked.has(id) })) };
      }
      const changed = repository.revoke(ids, formatInstant(clock()));
      look();
      return { results: ids.map((id, index) => ({ id, changed: changed[index] === true })) };
    },
    restore: ({ id }) => {
      const old = restorable(repository.find(id), id, clock());
      const { channel, sender_id, capability, target, expires_at, granted_by } = old;
      // What was granted once needs no second confirmation; every other refusal holds.
      const terms = { channel, sender_id, capability, target, expires_at, granted_by, confirmBroad: true };
      // Asked for twice (two windows, a click too many), it is there once.
      const fresh = record(terms, { once: true });
      try {
        deps.recordLink?.(id, fresh.id);
      } catch (error) {
        // The grant stands; only the note beside it is missing.
        deps.onError?.(error);
      }
      return fresh;
    },
    async *changed(_input, signal) {
      const ended = new AbortController();
      const stream = changes.ticks(AbortSignal.any([signal, ended.signal]));
      try {
        // Listening comes before the first tick, so nothing is missed between the caller's list and this.
        let next = stream.next();
        do {
          yield { version: ticks };
          if ((await next).done) return;
          next = stream.next();
        } while (!signal.aborted);
      } finally {
        ended.abort();
      }
    },
    findGrant: coverage.find,
    hasGrant: (...scope) => coverage.find(...scope) !== null,
    noteUse: (id) => useLog?.note(id),
    close: () => {
      useLog?.close();
      repository.close();
    },
  };
}

function restorable(grant: Grant | null, id: number, now: number): Grant {
  if (grant === null) throw new UserError('not-found', `There is no grant ${id}.`, String(id));
  if (grant.revoked_at === null) {
    throw new UserError('conflict', `Grant ${id} is not revoked: there is nothing to restore.`, String(id));
  }
  if (isExpired(grant.expires_at, now)) {
    throw new UserError(
      'refused',
      `Grant ${id} expired meanwhile (${grant.expires_at}). Make a new grant with a later expiry.`,
      'expires_at',
    );
  }
  return grant;
}
