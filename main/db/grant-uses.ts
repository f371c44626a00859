import type { ReadDb, WriteDb } from './open.ts';
import { readSetting, writeSetting } from './settings.ts';

/** Uses of one grant. `granted_at` as in its row: it tells the grant from one of the same id in another file. */
export interface GrantUse {
  grant_id: number;
  granted_at: string;
  uses: number;
  /** Unix time, ms. */
  last_used_ms: number;
}

/** Why a grant was revoked, where it was not just so. */
export interface GrantRevocation {
  grant_id: number;
  granted_at: string;
  reason: 'stale';
}

const SINCE = 'grant_uses_since';

/** Adds to what is kept; a grant of the same id that was granted at another time begins anew. */
export function addGrantUses(db: WriteDb, uses: readonly GrantUse[]): void {
  const add = db.prepare(
    `INSERT INTO grant_uses (grant_id, granted_at, uses, last_used_ms) VALUES (:grant_id, :granted_at, :uses, :last_used_ms)
     ON CONFLICT (grant_id) DO UPDATE SET
       uses = excluded.uses + CASE granted_at WHEN excluded.granted_at THEN uses ELSE 0 END,
       last_used_ms = max(excluded.last_used_ms, CASE granted_at WHEN excluded.granted_at THEN last_used_ms ELSE 0 END),
       granted_at = excluded.granted_at`,
  );
  for (const use of uses) add.run(use);
}

export function listGrantUses(db: ReadDb): GrantUse[] {
  return db.prepare('SELECT grant_id, granted_at, uses, last_used_ms FROM grant_uses').all() as GrantUse[];
}

/** Since when uses are counted (Unix time, ms): before that, nothing is known. @param now what it is from now on, where it is not known yet */
export function usesCountedSince(db: WriteDb, now: number): number {
  const known = Number(readSetting(db, SINCE) ?? Number.NaN);
  if (Number.isFinite(known)) return known;
  writeSetting(db, SINCE, String(now));
  return now;
}

/** @param at Unix time, ms */
export function recordGrantRevocations(db: WriteDb, revocations: readonly GrantRevocation[], at: number): void {
  const add = db.prepare(
    `INSERT INTO grant_revocations (grant_id, granted_at, reason, at) VALUES (:grant_id, :granted_at, :reason, :at)
     ON CONFLICT (grant_id) DO UPDATE SET granted_at = excluded.granted_at, reason = excluded.reason, at = excluded.at`,
  );
  for (const revocation of revocations) add.run({ ...revocation, at });
}

export function listGrantRevocations(db: ReadDb): GrantRevocation[] {
  return db.prepare('SELECT grant_id, granted_at, reason FROM grant_revocations').all() as GrantRevocation[];
}
