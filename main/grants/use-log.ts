import type { Grant } from '../../shared/domain/grant.ts';
import {
  addGrantUses,
  type GrantRevocation,
  type GrantUse,
  listGrantRevocations,
  listGrantUses,
  recordGrantRevocations,
  usesCountedSince,
} from '../db/grant-uses.ts';
import type { PanelStore } from '../db/panel-store.ts';
import type { Clock } from '../engine/clock.ts';

/**
 * How often and when each grant was last used (policy page, section 6). A use is noted in memory, since a call must
 * not wait for it, and kept in panel.db a little later; the last seconds before a crash are lost.
 */
export interface UseLog {
  note(grantId: number): void;
  /** Uses of every grant that was ever used, by id, those not kept yet included. @throws UserError naming panel.db */
  uses(): Map<number, GrantUse>;
  /** Since when uses are counted, Unix time, ms. @throws UserError naming panel.db */
  since(): number;
  revocations(): Map<number, GrantRevocation>;
  recordRevocations(revocations: readonly GrantRevocation[]): void;
  /** Keeps what is noted. */
  close(): void;
}

const FLUSH_MS = 5000;

/**
 * @param deps.find the grant of an id, as it is in the file
 * @param deps.onKept called when uses were kept
 * @param deps.onError told once for each time that keeping begins to fail; it is tried again
 */
export function createUseLog(deps: {
  panel: PanelStore;
  find(id: number): Grant | null;
  clock: Clock;
  onKept?(): void;
  onError?(error: unknown): void;
  flushMs?: number;
}): UseLog {
  const { panel, find, clock } = deps;
  let noted = new Map<number, { uses: number; last: number }>();
  let timer: NodeJS.Timeout | null = null;
  let isFailing = false;

  function identified(): GrantUse[] {
    return [...noted].flatMap(([id, { uses, last }]) => {
      const grant = find(id);
      return grant === null ? [] : [{ grant_id: id, granted_at: grant.granted_at, uses, last_used_ms: last }];
    });
  }

  function flush(): void {
    timer = null;
    if (noted.size === 0) return;
    try {
      const uses = identified();
      panel.write((db) => {
        usesCountedSince(db, clock());
        addGrantUses(db, uses);
      });
      noted = new Map();
      isFailing = false;
      deps.onKept?.();
    } catch (error) {
      if (!isFailing) deps.onError?.(error);
      isFailing = true;
      wait();
    }
  }

  function wait(): void {
    timer ??= setTimeout(flush, deps.flushMs ?? FLUSH_MS).unref();
  }

  return {
    note: (id) => {
      const now = clock();
      const use = noted.get(id);
      if (use === undefined) {
        noted.set(id, { uses: 1, last: now });
        wait();
        return;
      }
      use.uses += 1;
      if (now > use.last) use.last = now;
    },
    uses: () => {
      const all = new Map(panel.read(listGrantUses).map((use) => [use.grant_id, use]));
      for (const use of noted.size === 0 ? [] : identified()) {
        const kept = all.get(use.grant_id);
        const same = kept?.granted_at === use.granted_at ? kept : undefined;
        all.set(use.grant_id, {
          ...use,
          uses: use.uses + (same?.uses ?? 0),
          last_used_ms: Math.max(use.last_used_ms, same?.last_used_ms ?? 0),
        });
      }
      return all;
    },
    since: () => panel.write((db) => usesCountedSince(db, clock())),
    revocations: () => new Map(panel.read(listGrantRevocations).map((one) => [one.grant_id, one])),
    recordRevocations: (revocations) => panel.write((db) => recordGrantRevocations(db, revocations, clock())),
    close: () => {
      if (timer !== null) clearTimeout(timer);
      flush();
      if (timer !== null) clearTimeout(timer);
    },
  };
}
