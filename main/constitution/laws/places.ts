/**
 * Files that the laws keep away from (constitution page, section 2): the panel's own settings, and the record of what
 * happened. Compared by their text and by where a path really leads.
 */
import { compileGlob, expandPath, globCovers, pathSegments } from '../../policy/glob.ts';

export interface PlaceLists {
  /** Absolute: settings of the panel, its doors, and the hooks through which agents ask. */
  settings: readonly string[];
  /** Absolute: the verdict and turn logs' folders and the databases. */
  record: readonly string[];
}

interface Place {
  path: string;
  names: readonly string[];
}

export interface Places {
  settings: readonly Place[];
  record: readonly Place[];
  /** Finds a place that a text mentions. */
  mentioned(text: string): { path: string; of: 'settings' | 'record' } | null;
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The ways in which a text may name a path: in full, or from the home folder. */
function spellings(path: string, home: string): string[] {
  const below = path.startsWith(`${home}/`) ? path.slice(home.length) : null;
  return below === null ? [path] : [path, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}

/** Made once for a home: the search for mentions is compiled here. */
export function createPlaces(lists: PlaceLists, home: string): Places {
  const place = (path: string): Place => ({ path, names: pathSegments(path) });
  const search = (paths: readonly string[]): RegExp | null =>
    paths.length === 0
      ? null
      : new RegExp(
          paths
            .flatMap((path) => spellings(path, home))
            .map(escaped)
            .join('|'),
        );
  const [inSettings, inRecord] = [search(lists.settings), search(lists.record)];
  return {
    settings: lists.settings.map(place),
    record: lists.record.map(place),
    mentioned: (text) => {
      // Every spelling holds one.
      if (!text.includes('/')) return null;
      const record = inRecord?.exec(text);
      if (record) return { path: record[0], of: 'record' };
      const setting = inSettings?.exec(text);
      return setting ? { path: setting[0], of: 'settings' } : null;
    },
  };
}

/** `in`: the place itself, one of its companions (`-wal`), or what lies in it; `above`: a folder that holds it. */
export type Touch = 'in' | 'above' | null;

function isUnder(names: readonly string[], place: Place): boolean {
  const last = place.names.length - 1;
  if (names.length < place.names.length) return false;
  return place.names.every((name, at) => names[at] === name || (at === last && isCompanion(names[at] ?? '', name)));
}

/** SQLite's `-wal`, `-shm`, `-journal`, a lock beside a file, a copy in the making. */
function isCompanion(name: string, of: string): boolean {
  return name.startsWith(`${of}-`) || name.startsWith(`${of}.`);
}

function touchOf(names: readonly string[], place: Place): Touch {
  if (isUnder(names, place)) return 'in';
  return names.every((name, at) => place.names[at] === name) ? 'above' : null;
}

/** Also what other programs expand: `?`, `[ab]` and `{a,b}` count as a star, a `file:` address as its path. */
function asGlob(target: string): string {
  const path = target.startsWith('file://') ? target.slice('file://'.length) : target;
  return path
    .split('/')
    .map((name) => name.replace(/[?[{](?:.*[?\]}])?/, '*'))
    .join('/');
}

/**
 * How a target touches a place.
 * @param target a path or a path glob; what is neither touches nothing
 * @throws what `realpath` throws
 */
export function touches(target: string, place: Place, home: string, realpath: (path: string) => string): Touch {
  const text = asGlob(target);
  const path = expandPath(text, home);
  const glob = path === null ? null : compileGlob(text, home);
  if (path === null || glob === null) return null;
  const firstWild = glob.findIndex((segment) => segment.kind !== 'literal');
  if (firstWild < 0) {
    const byText = touchOf(pathSegments(path), place);
    if (byText === 'in') return byText;
    const real = realpath(path);
    return (real === path ? null : touchOf(pathSegments(real), place)) ?? byText;
  }
  const literal = pathSegments(path).slice(0, firstWild);
  const folder = `/${literal.join('/')}`;
  const real = realpath(folder);
  for (const names of real === folder ? [literal] : [literal, pathSegments(real)]) {
    const touch = touchOf(names, place);
    if (touch === 'in') return touch;
    if (touch === null) continue;
    const rest = place.names.slice(names.length);
    const wild = glob.slice(firstWild);
    if (globCovers(wild, rest) || globCovers(wild, [...rest, 'any'])) return 'in';
    // `**` of this notation passes over folders with a dot, that of other programs may not.
    if (wild.some((segment) => segment.kind === 'deep')) return 'above';
  }
  return null;
}
