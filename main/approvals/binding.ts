import { createHash } from 'node:crypto';
import { readFileSync, type Stats, statSync } from 'node:fs';
import { z } from 'zod';
import type { Ask } from '../engine/ask.ts';
import { expandPath } from '../policy/glob.ts';
import type { MatchWorld } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';
import { canonicalJson } from './canonical.ts';

/** A target file as it was when the card was made; null where there was none. */
export const fileMarkSchema = z.object({
  path: z.string(),
  /** Where it really leads; null where that cannot be told. */
  real: z.string().nullable(),
  size: z.number().nullable(),
  mtime_ms: z.number().nullable(),
  /** For a regular file that is too large for a hash: its other time can be set at will. */
  ctime_ms: z.number().nullable(),
  /** SHA-256 of the content, for a regular file up to 1 MiB. */
  sha256: z.string().nullable(),
});
export type FileMark = z.infer<typeof fileMarkSchema>;

const HASHED_UP_TO = 1024 * 1024;
/** More files than these are known by nothing but the args. */
const MOST_FILES = 100;

/**
 * Stands for exactly one action (pipeline page): no other channel, sender, executor, args, capability, target or policy
 * can use its approval.
 * @throws what `canonicalJson` throws
 */
export function digestOf(ask: Ask, policyVersion: string): string {
  const { channel, sender_id, executor, args, capability, needs } = ask;
  const pairs = needs.map((need) => [need.capability, need.target]);
  const text = canonicalJson([channel, sender_id, executor, args, capability, pairs, policyVersion]);
  return createHash('sha256').update(text).digest('hex');
}

/** The files that the step names, as they are now. Never throws: what cannot be looked at is as if it were not there. */
export function markFiles(ask: Ask, world: MatchWorld): FileMark[] {
  const paths = new Set<string>();
  for (const { capability, target } of ask.needs) {
    if (capabilityNamed(capability)?.target_kind !== 'path_glob' || target === null) continue;
    const path = expandPath(target.replace(/\/\*\*$/, ''), world.home);
    if (path !== null) paths.add(path);
  }
  return [...paths].slice(0, MOST_FILES).map((path) => markOf(path, world));
}

function markOf(path: string, world: MatchWorld): FileMark {
  const nothing = { path, real: realOf(path, world), size: null, mtime_ms: null, ctime_ms: null, sha256: null };
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return nothing;
    const sha256 = hashOf(path, stats);
    const ctime_ms = stats.isFile() && sha256 === null ? stats.ctimeMs : null;
    return { ...nothing, size: sizeOf(stats), mtime_ms: stats.mtimeMs, ctime_ms, sha256 };
  } catch {
    return nothing;
  }
}

/** A folder on the way may become a link while a person decides, also where no file is yet. */
function realOf(path: string, { realpath }: MatchWorld): string | null {
  try {
    return realpath(path);
  } catch {
    return null;
  }
}

/** A folder's own size says nothing of what is in it. */
function sizeOf(stats: Stats): number | null {
  return stats.isFile() ? stats.size : null;
}

function hashOf(path: string, stats: Stats): string | null {
  // Anything but a plain file could block, or never end.
  if (!stats.isFile() || stats.size > HASHED_UP_TO) return null;
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}

export function sameFiles(before: readonly FileMark[], now: readonly FileMark[]): boolean {
  if (before.length !== now.length) return false;
  return before.every((mark, index) => {
    const other = now[index];
    return (
      other !== undefined &&
      mark.path === other.path &&
      mark.real === other.real &&
      mark.size === other.size &&
      mark.mtime_ms === other.mtime_ms &&
      mark.ctime_ms === other.ctime_ms &&
      mark.sha256 === other.sha256
    );
  });
}
