import { expandPath, pathSegments } from '../policy/glob.ts';
import { compileTarget, type MatchWorld, prepareTarget, targetCovers } from '../policy/match.ts';
import { capabilityNamed } from '../policy/registry.ts';

/** Targets of one step under one capability; null: the step does not say. */
export function targetsFor(
  needs: readonly { capability: string; target: string | null }[],
  capability: string,
): (string | null)[] {
  return needs.filter((need) => need.capability === capability).map(({ target }) => target);
}

/** Does the pattern cover every one of them? What cannot be known is not covered. */
export function coversAll(
  capability: string,
  pattern: string,
  targets: readonly (string | null)[],
  world: MatchWorld,
): boolean {
  const kind = capabilityNamed(capability)?.target_kind;
  if (kind === undefined || targets.length === 0) return false;
  try {
    const compiled = compileTarget(kind, pattern, world);
    return targets.every((target) => target !== null && targetCovers(compiled, prepareTarget(kind, target, world)));
  } catch {
    return false;
  }
}

/**
 * Patterns for "this and similar" (pipeline page) that cover these targets, best first: the files beside it, else the very
 * target. None where no grant can be made.
 */
export function similarPatterns(capability: string, targets: readonly (string | null)[], world: MatchWorld): string[] {
  return candidates(capability, targets, world.home).filter((one) => coversAll(capability, one, targets, world));
}

function candidates(capability: string, targets: readonly (string | null)[], home: string): string[] {
  const entry = capabilityNamed(capability);
  if (entry === null || entry.default_approval !== 'per_target') return [];
  const named = targets.filter((target) => target !== null);
  const [first] = named;
  if (first === undefined || named.length !== targets.length) return [];
  const isSingle = new Set(named).size === 1;
  switch (entry.target_kind) {
    case 'path_glob': {
      const around = folderOf(named, home);
      return [...(around === null ? [] : [around]), ...(isSingle ? [first] : [])];
    }
    case 'host':
    case 'exact':
    case 'none':
      return isSingle ? [first] : [];
    default:
      return entry.target_kind satisfies never;
  }
}

/** `<folder>/*` for files of one folder, `<folder>/**` for files of several; null where there is no such folder. */
function folderOf(targets: readonly string[], home: string): string | null {
  const folders = targets.map((target) => {
    const path = expandPath(target, home);
    return path === null ? null : pathSegments(path).slice(0, -1);
  });
  const [first] = folders;
  if (first === undefined || first === null) return null;
  let shared = first.length;
  let isOne = true;
  for (const folder of folders) {
    if (folder === null) return null;
    let same = 0;
    while (same < shared && folder[same] === first[same]) same += 1;
    if (same < folder.length || same < first.length) isOne = false;
    shared = same;
  }
  if (shared === 0) return null;
  const wide = !isOne || targets.some((target) => target.endsWith('/**'));
  return `${shown(first.slice(0, shared), targets[0] ?? '', home)}/${wide ? '**' : '*'}`;
}

/** With `~` where the target was written so. */
function shown(folder: readonly string[], written: string, home: string): string {
  const path = `/${folder.join('/')}`;
  const base = `/${pathSegments(home).join('/')}`;
  if (!written.startsWith('~') || (path !== base && !path.startsWith(`${base}/`))) return path;
  return `~${path.slice(base.length)}`;
}
