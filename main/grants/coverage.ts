import type { Grant } from '../../shared/domain/grant.ts';
import type { GrantsRepository } from '../db/grants.ts';
import type { Clock } from '../engine/clock.ts';
import { parseInstant } from '../policy/dates.ts';
import { compileTarget, type MatchWorld, prepareTarget, type TargetPattern, targetCovers } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';

/** Which grant answers for a target (policy page, section 3, `hasGrant`). */
export interface Coverage {
  /**
   * The id of an active grant that covers the target, or null. What another process wrote counts for the
   * very next call.
   * @throws UserError naming the file, or the system's error when a real path has no answer
   */
  find(channel: string, senderId: string, capability: string, target: string): number | null;
}

interface Candidate {
  id: number;
  /** ms since the epoch; null = never. */
  expires: number | null;
  pattern: TargetPattern;
}

/** (channel, sender, capability) combinations kept at once; agents choose these texts. */
const MOST_BUCKETS = 10_000;

export function createCoverage(repository: GrantsRepository, world: MatchWorld, clock: Clock): Coverage {
  let version = -1;
  const buckets = new Map<string, readonly Candidate[]>();

  function candidates(channel: string, senderId: string, capability: string): readonly Candidate[] {
    const current = repository.version();
    if (current !== version || buckets.size >= MOST_BUCKETS) buckets.clear();
    version = current;
    // Lengths keep ("a", "bc") and ("ab", "c") apart.
    const key = `${channel.length}:${senderId.length}:${channel}${senderId}${capability}`;
    let found = buckets.get(key);
    if (found === undefined) {
      found = repository.findUnrevoked(channel, senderId, capability).flatMap((grant) => candidate(grant, world));
      buckets.set(key, found);
    }
    return found;
  }

  return {
    find: (channel, senderId, capability, target) => {
      const kind = capabilityNamed(capability)?.target_kind;
      if (kind === undefined || channel === '' || senderId === '' || target === '') return null;
      const active = candidates(channel, senderId, capability);
      if (active.length === 0) return null;
      const asked = prepareTarget(kind, target, world);
      const now = clock();
      const hit = active.find(
        ({ expires, pattern }) => (expires === null || expires > now) && targetCovers(pattern, asked),
      );
      return hit?.id ?? null;
    },
  };
}

function candidate(grant: Grant, world: MatchWorld): Candidate[] {
  const kind = capabilityNamed(grant.capability)?.target_kind;
  const expires = grant.expires_at === null ? null : parseInstant(grant.expires_at);
  if (kind === undefined || (expires === null && grant.expires_at !== null)) return [];
  return [{ id: grant.id, expires, pattern: compileTarget(kind, grant.target, world) }];
}
