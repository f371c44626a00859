import { isDataArg } from './data.ts';
import { cwdOf } from './parameters.ts';
import { canonical, readings, squeeze } from './paths.ts';
import { isSymbolic } from './symbols.ts';
import type { Arg, CommandFact, Session } from './types.ts';

/** The canonical place that a word means to this command. */
export function placeOf(v: string, c: CommandFact, s: Session): string {
  const path = canonical(v, { home: s.home, cwd: cwdOf(c.scope), mounts: c.scope.mounts });
  const { links } = c.scope.memory;
  if (links.size === 0) return path;
  for (const [link, target] of links) {
    if (path === link) return v.endsWith('/') ? target : path;
    if (path.startsWith(`${link}/`)) return squeeze(`${target}/${path.slice(link.length)}`);
  }
  return path;
}

const SPLIT = /[=:,@]/;

/**
 * The parts of a word that may be paths: the word, what follows `=`, `@`, `:` or a short option
 * (`-o/etc/x`). An address is none, unless it is a `file:` address.
 */
export function pathParts(v: string): string[] {
  if (/^(?:view-source:|url:)?file:/i.test(v)) return [v];
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(v)) return [];
  const out = [v];
  if (v[0] === '-' && v[1] !== '-' && v.length > 3) out.push(v.slice(2));
  if (SPLIT.test(v)) {
    for (const part of v.split(SPLIT)) if (part !== '' && part !== v) out.push(part);
    // `FILE:file:///etc/passwd` and the `file:` options of socat.
    const url = v.search(/file:\//i);
    if (url > 0) out.push(v.slice(url));
  }
  return out;
}

/** Canonical places of every word that is no mere text, with the word it came from. */
export function* places(c: CommandFact, s: Session, wanted: RegExp): Generator<{ arg: Arg; path: string }> {
  for (let i = 0; i < c.args.length; i++) {
    const arg = c.args[i];
    if (arg === undefined) continue;
    if (!wanted.test(arg.v) && !isSymbolic(arg.v)) continue;
    if (isDataArg(c, i)) continue;
    for (const part of pathParts(arg.v)) {
      // A bare tilde behind an option is expanded by the program or not at all: read as if it were.
      for (const path of readings(placeOf(part, c, s))) yield { arg, path };
    }
  }
}
