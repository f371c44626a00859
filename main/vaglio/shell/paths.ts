import { FOREIGN, hasHole, withoutHoles } from './symbols.ts';
import type { Mount } from './types.ts';

/** Where a path is read from. */
export interface Place {
  readonly home: string;
  readonly cwd: string | null;
  readonly mounts: readonly Mount[] | null;
}

/** An empty segment, or one of dots alone. */
const UNTIDY = /\/(?:\.{0,2}\/|\.{0,2}$)/;

/** Drops `.`, empty and `..` segments. A `..` above the root stays at the root; a relative one stays. */
export function squeeze(path: string): string {
  const absolute = path.startsWith('/');
  if (absolute && !UNTIDY.test(path)) return path;
  const out: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      const last = out[out.length - 1];
      if (last !== undefined && last !== '..' && !(out.length === 1 && hasHole(last) && !absolute)) out.pop();
      else if (!absolute && last === '..') out.push(segment);
      else if (!absolute && last === undefined) out.push(segment);
      continue;
    }
    out.push(segment);
  }
  const joined = out.join('/');
  if (absolute) return `/${joined}`;
  return joined === '' ? '.' : joined;
}

const FIRMLINK = /^\/System\/Volumes\/Data(?=\/|$)/i;
const PRIVATE = /^\/private(?=\/(?:etc|var|tmp|home)(?:\/|$))/i;
const PROC_ROOT = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/root(?=\/|$)/;
const PROC_CWD = /^\/proc\/[^/]+(?:\/task\/[^/]+)?\/cwd(?=\/|$)/;
const PROC_CWD_PREFIX = /^\/+proc\/[^/]+(?:\/task\/[^/]+)?\/cwd\/+/;
const ROOT_HOME = /^\/var\/root(?=\/|$)/i;
const VAR_HOME = /^\/var\/home(?=\/|$)/;

/** Other names of the same place: firmlinks of macOS, the roots that /proc offers, /var/root. */
function withoutAliases(path: string, cwd: string | null): string {
  let p = path;
  for (let i = 0; i < 8; i++) {
    const before = p;
    const c = p.charCodeAt(1) | 32;
    // Only /s.., /p.. and /v.. have aliases.
    if (c !== 115 && c !== 112 && c !== 118) return p;
    p = p.replace(FIRMLINK, '').replace(PRIVATE, '').replace(PROC_ROOT, '');
    p = p.replace(ROOT_HOME, '/root').replace(VAR_HOME, '/home');
    if (PROC_CWD.test(p)) p = p.replace(PROC_CWD, cwd ?? '/proc-cwd');
    if (p === '') p = '/';
    if (p === before) return p;
    p = squeeze(p);
  }
  return p;
}

/** `~` and `~user` at the start; `~+` is the working folder. */
export function expandTilde(path: string, home: string, cwd: string | null = null): string {
  if (!path.startsWith('~')) return path;
  const slash = path.indexOf('/');
  const user = path.slice(1, slash < 0 ? undefined : slash);
  const rest = slash < 0 ? '' : path.slice(slash);
  if (user === '') return home + rest;
  if (user === '+') return (cwd ?? '.') + rest;
  if (!/^[a-z_][a-z0-9_.-]*$/i.test(user)) return path;
  return (user === 'root' ? '/root' : siblingHome(home, user)) + rest;
}

function siblingHome(home: string, user: string): string {
  const slash = home.lastIndexOf('/');
  return slash > 0 ? `${home.slice(0, slash)}/${user}` : `/home/${user}`;
}

function decodePercent(text: string): string {
  let out = text;
  for (let i = 0; i < 3 && /%[0-9a-f]{2}/i.test(out); i++) {
    try {
      out = decodeURIComponent(out);
    } catch {
      return out.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    }
  }
  return out;
}

/** The path in a `file:` address, or null when it is none. */
export function fileUrlPath(v: string): string | null {
  const match = /^(?:view-source:|url:)?file:/i.exec(v);
  if (match === null) return null;
  let rest = v.slice(match[0].length).replace(/\\/g, '/');
  const authority = /^\/\/[^/]*(?=\/)/.exec(rest);
  if (authority !== null) rest = rest.slice(authority[0].length);
  return decodePercent(rest.replace(/[?#].*$/, ''));
}

/**
 * One spelling for every spelling of a path. Inside a container a path that no mount brings in gets the
 * mark FOREIGN in front. Relative when the working folder is not known.
 */
export function canonical(v: string, place: Place): string {
  let p = v;
  if (p.length > 5 && /^(?:view-source:|url:)?file:/i.test(p)) p = fileUrlPath(p) ?? p;
  if (p.startsWith('~')) p = expandTilde(p, place.home, place.cwd);
  // Without a known working folder this is a relative path, and `..` behind it climbs from there.
  if (p.startsWith('/proc/')) p = p.replace(PROC_CWD_PREFIX, place.cwd === null ? '' : `${place.cwd}/`);
  const first = p[0];
  if (first !== '/' && place.cwd !== null && first !== undefined && !hasHole(first)) p = `${place.cwd}/${p}`;
  p = squeeze(p);
  if (p.startsWith('/') && p.length > 1) p = withoutAliases(p, place.cwd);
  if (place.mounts !== null) return throughMounts(p, place.mounts);
  return p;
}

function throughMounts(path: string, mounts: readonly Mount[]): string {
  if (!path.startsWith('/')) return FOREIGN + path;
  for (const mount of mounts) {
    if (path === mount.inside || path.startsWith(mount.inside === '/' ? '/' : `${mount.inside}/`)) {
      return squeeze(`${mount.outside}/${path.slice(mount.inside.length)}`);
    }
    // Deleting a parent of a mount point goes through it.
    if (path === '/' || mount.inside.startsWith(`${path}/`)) return mount.outside;
  }
  return FOREIGN + path;
}

/**
 * All the places that a path may mean: with an unknown part left out (`/etc$x/passwd`), and a chain of
 * `..` from an unknown folder followed to the root.
 */
export function readings(path: string): readonly string[] {
  const out = [path];
  if (path.startsWith('/') && hasHole(path)) out.push(squeeze(withoutHoles(path)));
  if (path.startsWith('../')) out.push(`/${path.replace(/^(?:\.\.\/)+/, '')}`);
  return out;
}
