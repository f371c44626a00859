import type { WriteDb } from './open.ts';

/** Notes that a grant was made again on the terms of a revoked one. @param at Unix time, ms */
export function recordGrantLink(db: WriteDb, link: { oldId: number; newId: number; at: number }): void {
  db.prepare(
    'INSERT INTO grant_links (new_id, old_id, at) VALUES (?, ?, ?) ON CONFLICT (new_id) DO UPDATE SET old_id = excluded.old_id, at = excluded.at',
  ).run(link.newId, link.oldId, link.at);
}
