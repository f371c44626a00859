/**
 * Stand-ins for what is not known, one private-use character each, so that a half-known word stays a
 * plain string: `/home/` + HOLE is "something below /home".
 */
export const HOLE = '\uE000';
/** Unknown, and it came over the network. */
export const NET_HOLE = '\uE001';
/** Unknown, and it was decoded or decrypted from something unreadable. */
export const CODED_HOLE = '\uE002';
/** The glob `*`. */
export const STAR = '\uE003';
/** The glob `?`, and a bracket of several characters. */
export const ANY = '\uE004';
/** First character of a path that lies inside a container. */
export const FOREIGN = '\uE005';

export function hasHole(v: string): boolean {
  return v.includes(HOLE) || v.includes(NET_HOLE) || v.includes(CODED_HOLE);
}

export function isSymbolic(v: string): boolean {
  for (let i = 0; i < v.length; i++) {
    const c = v.charCodeAt(i);
    if (c >= 0xe000 && c <= 0xe005) return true;
  }
  return false;
}

export function isGlob(v: string): boolean {
  return v.includes(STAR) || v.includes(ANY);
}

/** Drops every unknown part. */
export function withoutHoles(v: string): string {
  return hasHole(v) ? v.replace(/[\uE000-\uE002]/g, '') : v;
}

/** For people: unknown parts as an ellipsis, globs as they were typed. */
export function readable(v: string): string {
  if (!isSymbolic(v)) return v;
  return v
    .replace(/[\uE000-\uE002]/g, '…')
    .replace(/\uE003/g, '*')
    .replace(/\uE004/g, '?')
    .replace(/\uE005/g, '');
}

/** Input must not bring our own symbols along. */
export function withoutSymbols(source: string): string {
  return isSymbolic(source) ? source.replace(/[\uE000-\uE005]/g, '\uFFFD') : source;
}

/** The strongest hole that a text holds, for what is derived from it. */
export function holeOf(v: string): string {
  if (v.includes(NET_HOLE)) return NET_HOLE;
  if (v.includes(CODED_HOLE)) return CODED_HOLE;
  return HOLE;
}
