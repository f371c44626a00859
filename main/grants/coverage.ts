import type { TargetKind } from '../../shared/domain/capability.ts';
import type { GrantedTarget, GrantsRepository } from '../db/grants.ts';
import type { Clock } from '../engine/clock.ts';
import { parseInstant } from '../policy/dates.ts';
import { type AskedTarget, type MatchWorld, prepareTarget } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';
import { createGrantIndex, type GrantIndex } from './grant-index.ts';

/** Which grant answers for a target (policy page, section 3, `hasGrant`). */
export interface Coverage {
  /**
   * The id of an active grant that covers the target, or null. What another process wrote counts for the
   * very next call.
   * @throws UserError naming the file, or the system's error when a real path has no answer
   */
  find(channel: string, senderId: string, capability: string, target: string): number | null;
}

/** The unrevoked grants of one channel, sender and capability, as they were at `version` of the file. */
interface Bucket {
  index: GrantIndex;
  version: number;
  /** Rows up to this id have been seen. */
  highest: number;
  /** The file's version up to which new rows have been looked for, and rows that were found unchanged in it. */
  lookedAt: number;
  sure: Set<number>;
}

/** Combinations without any grant that are remembered; agents choose these texts. */
const MOST_EMPTY = 10_000;
/** So many rows that no longer hold what was known of them, and reading all is the shorter way. */
const MOST_CHECKS = 20;
/** Up to so many grants a bucket is read again as a whole when the file changed: a millisecond or less. */
const SMALL = 1000;

/** @param options.small grants in a bucket up to which a change reads it again; for tests */
export function createCoverage(
  repository: Pick<GrantsRepository, 'version' | 'targets' | 'find'>,
  world: MatchWorld,
  clock: Clock,
  { small = SMALL }: { small?: number } = {},
): Coverage {
  const kept = new Map<string, Map<string, Map<string, Bucket>>>();
  let empty = 0;

  function bucketOf(kind: TargetKind, scope: Scope): Bucket {
    const [channel, senderId, capability] = scope;
    const bucket = kept.get(capability)?.get(channel)?.get(senderId);
    if (bucket !== undefined) return bucket;
    if (empty >= MOST_EMPTY) forgetEmpty();
    const fresh: Bucket = {
      index: createGrantIndex(kind, world),
      version: -1,
      highest: Number.NEGATIVE_INFINITY,
      lookedAt: -1,
      sure: new Set(),
    };
    child(child(kept, capability), channel).set(senderId, fresh);
    empty += 1;
    return fresh;
  }

  function forgetEmpty(): void {
    empty = 0;
    for (const channels of kept.values()) {
      for (const [channel, senders] of channels) {
        for (const [sender, { index }] of senders) if (index.size === 0) senders.delete(sender);
        if (senders.size === 0) channels.delete(channel);
      }
    }
  }

  /** Reads all that the file holds for the scope; what is as it was stays where it is. */
  function readAgain(bucket: Bucket, scope: Scope, version: number): void {
    const { index } = bucket;
    const rows = repository.targets(...scope);
    const there = new Set<number>();
    for (const row of rows) if (take(bucket, row)) there.add(row.id);
    if (index.size > there.size) for (const id of index.ids()) if (!there.has(id)) index.drop(id);
    bucket.version = version;
    bucket.sure.clear();
  }

  /**
   * An answer from a large bucket that is older than the file. A row that covers the target by what was known
   * counts if the file still holds it so; null = nothing that is known covers it.
   */
  function findChecked(bucket: Bucket, scope: Scope, version: number, asked: AskedTarget): number | null {
    if (bucket.lookedAt !== version) {
      bucket.sure.clear();
      for (const row of repository.targets(...scope, bucket.highest)) {
        take(bucket, row);
        bucket.sure.add(row.id);
      }
      bucket.lookedAt = version;
    }
    for (let checks = 0; checks < MOST_CHECKS; checks += 1) {
      const id = bucket.index.find(asked, clock());
      if (id === null || bucket.sure.has(id)) return id;
      const row = repository.find(id);
      const [channel, senderId, capability] = scope;
      const holds =
        row !== null &&
        row.revoked_at === null &&
        row.channel === channel &&
        row.sender_id === senderId &&
        row.capability === capability;
      if (holds) take(bucket, row);
      else bucket.index.drop(id);
      bucket.sure.add(id);
    }
    return null;
  }

  return {
    find: (channel, senderId, capability, target) => {
      const kind = capabilityNamed(capability)?.target_kind;
      if (kind === undefined || channel === '' || senderId === '' || target === '') return null;
      const scope: Scope = [channel, senderId, capability];
      const version = repository.version();
      const bucket = bucketOf(kind, scope);
      if (bucket.version !== version) {
        if (bucket.version >= 0 && bucket.index.size > small) {
          const id = findChecked(bucket, scope, version, prepareTarget(kind, target, world));
          if (id !== null) return id;
        }
        readAgain(bucket, scope, version);
      }
      if (bucket.index.size === 0) return null;
      return bucket.index.find(prepareTarget(kind, target, world), clock());
    },
  };
}

type Scope = readonly [channel: string, senderId: string, capability: string];

/** False for a row whose expiry cannot be read: it grants nothing. */
function take(bucket: Bucket, { id, target, expires_at }: GrantedTarget): boolean {
  const expires = expires_at === null ? Number.POSITIVE_INFINITY : parseInstant(expires_at);
  if (id > bucket.highest) bucket.highest = id;
  if (expires === null) {
    bucket.index.drop(id);
    return false;
  }
  if (!bucket.index.has(id, target, expires)) bucket.index.put(id, target, expires);
  return true;
}

function child<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let found = map.get(key);
  if (found === undefined) {
    found = new Map();
    map.set(key, found);
  }
  return found;
}
