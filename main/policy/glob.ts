/**
 * Path globs (policy page, section 3, `path_glob`): `*` stays inside one folder, `**` as a whole segment
 * crosses folders, a name that begins with a dot is covered only where the pattern writes that dot.
 * Nothing else is a wildcard. Pure: home is an argument, and no file is looked at.
 */
export type GlobSegment =
  /** Any number of folders, none of them with a leading dot. */
  | { kind: 'deep' }
  /** One name. */
  | { kind: 'literal'; text: string }
  /** One name with `*` in it; `open` is the last part of a closing `**`. */
  | { kind: 'wild'; text: string; open: boolean };

export type PathGlob = readonly GlobSegment[];

/**
 * Absolute path with a leading `~` expanded, nothing else changed.
 * @returns null for a relative path, another user's `~name`, a NUL byte, or `~` when home is not absolute.
 */
export function expandPath(path: string, home: string): string | null {
  if (path.includes('\0')) return null;
  if (path.startsWith('/')) return path;
  if ((path === '~' || path.startsWith('~/')) && home.startsWith('/')) return `${home}${path.slice(1)}`;
  return null;
}

/** Names of an absolute path with `.`, `..` and doubled slashes resolved by the text alone. */
export function pathSegments(path: string): string[] {
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names;
}

/** @returns null when the pattern is no absolute path (see `expandPath`): it then covers nothing. */
export function compileGlob(pattern: string, home: string): PathGlob | null {
  const path = expandPath(pattern, home);
  if (path === null) return null;
  const names = pathSegments(path);
  // A star in the name of the home folder is part of the name.
  const homeNames = pattern.startsWith('~') ? pathSegments(home) : [];
  const inHome = homeNames.every((name, index) => names[index] === name) ? homeNames.length : 0;
  const glob: GlobSegment[] = [];
  for (const [index, text] of names.entries()) {
    if (index < inHome || !text.includes('*')) glob.push({ kind: 'literal', text });
    else if (text !== '**') glob.push({ kind: 'wild', text, open: false });
    else if (glob.at(-1)?.kind !== 'deep') glob.push({ kind: 'deep' });
  }
  // `dir/**` is what lies inside of dir, not dir itself.
  if (glob.at(-1)?.kind === 'deep') glob.push({ kind: 'wild', text: '*', open: true });
  return glob;
}

/** True when the glob covers the path of these names. Linear in practice: only the last `**` is taken back. */
export function globCovers(glob: PathGlob, names: readonly string[]): boolean {
  let at = 0;
  let name = 0;
  let deepAt = -1;
  let deepName = 0;
  while (name < names.length || at < glob.length) {
    const segment = glob[at];
    const text = names[name];
    if (segment?.kind === 'deep') {
      deepAt = at;
      deepName = name;
      at += 1;
    } else if (segment !== undefined && text !== undefined && segmentCovers(segment, text)) {
      at += 1;
      name += 1;
    } else {
      // The last `**` takes one name more, if it may.
      const taken = names[deepName];
      if (deepAt < 0 || taken === undefined || taken.startsWith('.')) return false;
      deepName += 1;
      name = deepName;
      at = deepAt + 1;
    }
  }
  return true;
}

function segmentCovers(segment: Exclude<GlobSegment, { kind: 'deep' }>, name: string): boolean {
  if (segment.kind === 'literal') return segment.text === name;
  if (name.startsWith('.') && !segment.text.startsWith('.')) return false;
  // A target that asks for `**` asks for more than one folder holds.
  if (name === '**') return segment.open;
  return nameCovers(segment.text, name);
}

function nameCovers(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let starName = 0;
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p;
      starName = n;
      p += 1;
    } else if (p < pattern.length && pattern[p] === name[n]) {
      p += 1;
      n += 1;
    } else if (star >= 0) {
      starName += 1;
      n = starName;
      p = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[p] === '*') p += 1;
  return p === pattern.length;
}
