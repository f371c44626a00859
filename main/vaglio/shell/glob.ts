import { ANY, STAR } from './symbols.ts';

/** Does a pattern with STAR and ANY match the whole name? Linear back-tracking over one star at a time. */
export function globMatches(pattern: string, name: string): boolean {
  let p = 0;
  let n = 0;
  let star = -1;
  let mark = 0;
  while (n < name.length) {
    if (p < pattern.length && (pattern[p] === ANY || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (p < pattern.length && pattern[p] === STAR) {
      star = p++;
      mark = n;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (p < pattern.length && pattern[p] === STAR) p++;
  return p === pattern.length;
}

/** Characters of a pattern that are not globs. */
export function literalCount(pattern: string): number {
  let n = 0;
  for (const c of pattern) if (c !== STAR && c !== ANY) n++;
  return n;
}

/** `*`, `.*`, `**`, `.?*` and the like: everything in a folder. */
export function isEverything(segment: string): boolean {
  if (!segment.includes(STAR)) return false;
  for (const c of segment) if (c !== STAR && c !== ANY && c !== '.') return false;
  return true;
}
