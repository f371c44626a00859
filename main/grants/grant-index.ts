import type { TargetKind } from '../../shared/domain/capability.ts';
import { compileGlob, type PathGlob } from '../policy/glob.ts';
import { parseHost } from '../policy/host.ts';
import { type AskedTarget, compileTarget, type MatchWorld, type TargetPattern, targetCovers } from '../policy/match.ts';

/**
 * Grants of one target kind in memory, found by what is asked and not by trying all (policy page, section 3):
 * exact targets by their text, hosts by their name and their parent domains, globs by the folder that they
 * write before their first wildcard. Pure: it holds what it was given, and looks at no file but through
 * `world.realpath`.
 */
export interface GrantIndex {
  /** Adds a grant, or puts it in the place of the one with the same id. @param expires ms since the epoch; Infinity = never */
  put(id: number, target: string, expires: number): void;
  drop(id: number): void;
  has(id: number, target: string, expires: number): boolean;
  ids(): IterableIterator<number>;
  /**
   * The id of a grant that covers the target and has not run out at `now` (ms since the epoch), or null.
   * @throws what `world.realpath` throws
   */
  find(asked: AskedTarget, now: number): number | null;
  readonly size: number;
}

interface Entry {
  id: number;
  target: string;
  expires: number;
  /** Made when it is first held against something: most of very many never are. */
  pattern: TargetPattern | null;
  gone: boolean;
}

/** Entries under one key. In order, what lasts longest comes first. */
interface Group {
  entries: Entry[];
  isTidy: boolean;
}

type Groups = Map<string, Entry | Group>;

/** Where an entry is found: `depth` is the number of names in a wild glob's fixed folder, null for what is found whole. */
interface Place {
  key: string;
  depth: number | null;
}

export function createGrantIndex(kind: TargetKind, world: MatchWorld): GrantIndex {
  const byId = new Map<number, Entry>();
  const whole: Groups = new Map();
  const inFolder: Groups = new Map();
  /** How many wild globs have a fixed folder of so many names. */
  const depths: number[] = [];

  function count({ depth }: Place, by: 1 | -1): void {
    if (depth === null) return;
    while (depths.length <= depth) depths.push(0);
    depths[depth] = (depths[depth] ?? 0) + by;
  }

  function drop(id: number): void {
    const entry = byId.get(id);
    if (entry === undefined) return;
    byId.delete(id);
    entry.gone = true;
    const place = placeOf(kind, entry.target, world);
    if (place === null) return;
    count(place, -1);
    const groups = place.depth === null ? whole : inFolder;
    const group = groups.get(place.key);
    if (group !== undefined && 'entries' in group) group.isTidy = false;
    else groups.delete(place.key);
  }

  function put(id: number, target: string, expires: number): void {
    drop(id);
    const entry: Entry = { id, target, expires, pattern: null, gone: false };
    byId.set(id, entry);
    const place = placeOf(kind, target, world);
    if (place === null) return;
    count(place, 1);
    const { key, depth } = place;
    const groups = depth === null ? whole : inFolder;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, entry);
    else if ('entries' in group) {
      group.entries.push(entry);
      group.isTidy = false;
    } else groups.set(key, { entries: [group, entry], isTidy: false });
  }

  function covers(entry: Entry, asked: AskedTarget): boolean {
    entry.pattern ??= compileTarget(kind, entry.target, world);
    return targetCovers(entry.pattern, asked);
  }

  function under(groups: Groups, key: string, asked: AskedTarget, now: number): number | null {
    const group = groups.get(key);
    if (group === undefined) return null;
    if (!('entries' in group)) return group.expires > now && covers(group, asked) ? group.id : null;
    if (!group.isTidy) tidy(group);
    for (const entry of group.entries) {
      if (entry.expires <= now) return null;
      if (covers(entry, asked)) return entry.id;
    }
    return null;
  }

  function underHost(name: string, asked: AskedTarget, now: number): number | null {
    let found = under(whole, name, asked, now);
    for (let dot = name.indexOf('.'); found === null && dot >= 0; dot = name.indexOf('.', dot + 1)) {
      found = under(whole, `*${name.slice(dot)}`, asked, now);
    }
    return found;
  }

  function underPath(path: string, asked: AskedTarget, now: number): number | null {
    let found = whole.size === 0 ? null : under(whole, path, asked, now);
    let end = 0;
    for (let depth = 0; found === null && end >= 0 && depth < depths.length; depth += 1) {
      if ((depths[depth] ?? 0) > 0) found = under(inFolder, path.slice(0, end), asked, now);
      end = path.indexOf('/', end + 1);
    }
    return found;
  }

  return {
    put,
    drop,
    has: (id, target, expires) => {
      const entry = byId.get(id);
      return entry !== undefined && entry.target === target && entry.expires === expires;
    },
    ids: () => byId.keys(),
    find: (asked, now) => {
      switch (asked.kind) {
        case 'text':
          return under(whole, asked.text, asked, now);
        case 'host':
          return asked.host === null ? null : underHost(asked.host.name, asked, now);
        case 'path':
          return asked.names === null ? null : underPath(asked.path, asked, now);
        default:
          return asked satisfies never;
      }
    },
    get size() {
      return byId.size;
    },
  };
}

function tidy(group: Group): void {
  group.entries = group.entries
    .filter((entry) => !entry.gone)
    .sort((a, b) => (a.expires === b.expires ? a.id - b.id : a.expires > b.expires ? -1 : 1));
  group.isTidy = true;
}

/** Where a pattern is looked for; null for one that covers nothing. */
function placeOf(kind: TargetKind, target: string, world: MatchWorld): Place | null {
  switch (kind) {
    case 'exact':
    case 'none':
      return { key: target, depth: null };
    case 'host': {
      const host = parseHost(target, true);
      return host === null ? null : { key: host.subdomains ? `*.${host.name}` : host.name, depth: null };
    }
    case 'path_glob': {
      const glob = compileGlob(target, world.home);
      return glob === null ? null : placeOfGlob(glob);
    }
    default:
      return kind satisfies never;
  }
}

function placeOfGlob(glob: PathGlob): Place {
  let folder = '';
  for (const [depth, segment] of glob.entries()) {
    if (segment.kind !== 'literal') return { key: folder, depth };
    folder += `/${segment.text}`;
  }
  return { key: folder === '' ? '/' : folder, depth: null };
}
