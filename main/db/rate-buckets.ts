import { type RateLimit, type TokenBucket, takeToken } from '../policy/rate-limit.ts';
import type { ReadDb, WriteDb } from './open.ts';

export interface WantedToken {
  key: string;
  limit: RateLimit;
}

/**
 * Takes a token from each bucket, or from none when one of them is empty (policy page, section 6). Inside a
 * transaction of the caller, so that several programs share the buckets.
 *
 * @param now Unix time, ms
 * @returns true when it was taken
 */
export function takeTokens(db: WriteDb, wanted: readonly WantedToken[], now: number): boolean {
  const left = look(db, wanted, now);
  if (left === null) return false;
  const put = db.prepare(
    `INSERT INTO rate_buckets (key, tokens, at) VALUES (:key, :tokens, :at)
     ON CONFLICT (key) DO UPDATE SET tokens = excluded.tokens, at = excluded.at`,
  );
  for (const bucket of left) put.run(bucket);
  return true;
}

/** Whether `takeTokens` would take them now. */
export function hasTokens(db: ReadDb, wanted: readonly WantedToken[], now: number): boolean {
  return look(db, wanted, now) !== null;
}

/** Drops buckets that nobody touched since `before` (Unix time, ms): once a bucket is full again, none is as good. */
export function dropRateBuckets(db: WriteDb, before: number): void {
  db.prepare('DELETE FROM rate_buckets WHERE at < ?').run(before);
}

function look(db: ReadDb, wanted: readonly WantedToken[], now: number): (TokenBucket & { key: string })[] | null {
  const get = db.prepare('SELECT tokens, at FROM rate_buckets WHERE key = ?');
  const left: (TokenBucket & { key: string })[] = [];
  for (const { key, limit } of wanted) {
    const bucket = takeToken((get.get(key) as TokenBucket | undefined) ?? null, limit, now);
    if (bucket === null) return null;
    left.push({ key, ...bucket });
  }
  return left;
}
