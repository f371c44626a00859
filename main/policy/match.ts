import type { TargetKind } from '../../shared/domain/capability.ts';
import { compileGlob, expandPath, globCovers, type PathGlob, pathSegments } from './glob.ts';
import { type HostName, hostCovered, parseHost } from './host.ts';

/** What matching needs to know of the machine. */
export interface MatchWorld {
  /** Absolute path that `~` stands for. */
  home: string;
  /**
   * The path with symbolic links resolved on its longest existing prefix. May throw: then the question
   * has no answer, and the caller must not take it for a yes.
   */
  realpath(path: string): string;
}

/** An asked target, prepared once and held against many patterns. */
export type AskedTarget =
  | { kind: 'text'; text: string }
  | { kind: 'host'; host: HostName | null }
  | {
      kind: 'path';
      /** Resolved by its text; `names` are its parts, null for what is no absolute path. */
      path: string;
      names: readonly string[] | null;
      /** Where it really leads, where that is elsewhere. */
      real: () => readonly (readonly string[])[];
    };

/** A granted target, prepared once. `null` inside: it covers nothing. */
export type TargetPattern =
  | { kind: 'exact'; text: string }
  | { kind: 'none'; text: string }
  | { kind: 'host'; host: HostName | null }
  | { kind: 'path'; glob: PathGlob | null; atRealHome: () => PathGlob | null };

export function compileTarget(kind: TargetKind, pattern: string, world: MatchWorld): TargetPattern {
  switch (kind) {
    case 'exact':
    case 'none':
      return { kind, text: pattern };
    case 'host':
      return { kind, host: parseHost(pattern, true) };
    case 'path_glob': {
      const glob = compileGlob(pattern, world.home);
      // Where the home folder itself is a link, `~` means what is behind it as well.
      const atRealHome = once(() =>
        pattern.startsWith('~') ? compileGlob(pattern, world.realpath(world.home)) : null,
      );
      return { kind: 'path', glob, atRealHome };
    }
    default:
      return kind satisfies never;
  }
}

export function prepareTarget(kind: TargetKind, target: string, world: MatchWorld): AskedTarget {
  switch (kind) {
    case 'exact':
    case 'none':
      return { kind: 'text', text: target };
    case 'host':
      return { kind: 'host', host: parseHost(target, false) };
    case 'path_glob': {
      const path = expandPath(target, world.home);
      if (path === null) return { kind: 'path', path: '', names: null, real: () => [] };
      const names = pathSegments(path);
      const resolved = `/${names.join('/')}`;
      // `link/..` is one folder by its text and another one to the kernel: both have to be covered.
      const asked = resolved === path ? [path] : [path, resolved];
      const real = once(() =>
        asked.flatMap((one) => {
          const where = world.realpath(one);
          return where === resolved ? [] : [pathSegments(where)];
        }),
      );
      return { kind: 'path', path: resolved, names, real };
    }
    default:
      return kind satisfies never;
  }
}

/**
 * Whether a grant's target covers an asked target of the same target kind (policy page, section 3).
 * @throws what `realpath` throws.
 */
export function targetCovers(pattern: TargetPattern, asked: AskedTarget): boolean {
  switch (pattern.kind) {
    case 'exact':
      return asked.kind === 'text' && asked.text === pattern.text;
    case 'none':
      return asked.kind === 'text' && asked.text === '*' && pattern.text === '*';
    case 'host':
      return asked.kind === 'host' && !!pattern.host && !!asked.host && hostCovered(pattern.host, asked.host);
    case 'path': {
      const { glob, atRealHome } = pattern;
      if (asked.kind !== 'path' || glob === null || asked.names === null || !globCovers(glob, asked.names))
        return false;
      return asked.real().every((real) => {
        if (globCovers(glob, real)) return true;
        const other = atRealHome();
        return other !== null && globCovers(other, real);
      });
    }
    default:
      return pattern satisfies never;
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
