import { compileGlob, type GlobSegment, globCovers, pathSegments } from './glob.ts';

/**
 * Whether a granted glob could cover one of the guard's forbidden places, also those that it does not
 * spell out: `/etc/*` reaches `/etc/passwd`. Decided by intersecting the glob with each place.
 */

/** Places of the guard's eleven path patterns (vaglio page, section 2); `**` here crosses dot-folders too. */
const FORBIDDEN_PLACES: readonly (readonly string[])[] = [
  '**/.ssh/**',
  ...['passwd', 'shadow', 'sudoers'].map((file) => `etc/${file}*/**`),
  'etc/ssh/**',
  'root/**',
  'boot/**',
  'sys/**',
  'proc',
  ...[...'0123456789'].map((digit) => `proc/${digit}*/**`),
  ...['sd', 'nvme', 'mmcblk', 'loop'].map((device) => `dev/${device}*/**`),
  '**/.aws/credentials*/**',
  '**/.config/*/credentials.env*/**',
  '**/.gnupg/**',
].map((place) => place.split('/'));

/** Characters that other readers of the grants file may take for wildcards, or that a shell would expand. */
const OTHER_WILDCARDS = /[?[\]{}]/;

/** True when some path is covered by the glob and lies in a forbidden place. @param home absolute, for `~` */
export function reachesForbiddenPlace(target: string, home: string): boolean {
  const glob = compileGlob(target, home);
  if (glob === null) return false;
  const parts = glob.map(widen);
  return FORBIDDEN_PLACES.some((place) => meets(parts, place));
}

/**
 * True for `/`, `~`, `/**`, `~/**`, and for whatever else covers the home folder itself or all that lies in
 * it (`/home/**`).
 */
export function isBroad(target: string, home: string): boolean {
  const glob = compileGlob(target, home);
  if (glob === null) return false;
  const inside = [...pathSegments(home), 'a\u0001', 'b\u0001'];
  const deeper = [...inside, 'c\u0001', 'd\u0001', 'e\u0001'];
  return (
    glob.length === 0 || globCovers(glob, pathSegments(home)) || (globCovers(glob, inside) && globCovers(glob, deeper))
  );
}

/** True for `/**` in any spelling. */
export function isWholeDisk(target: string, home: string): boolean {
  const glob = compileGlob(target, home);
  const last = glob?.[1];
  return glob?.length === 2 && glob[0]?.kind === 'deep' && last?.kind === 'wild' && last.text === '*';
}

/** A part of the granted glob: `dots` where it may stand for a name with a leading dot. */
type Part = { deep: true } | { deep: false; text: string; dots: boolean };

function widen(segment: GlobSegment): Part {
  if (segment.kind === 'deep') return { deep: true };
  const { text } = segment;
  if (!OTHER_WILDCARDS.test(text))
    return { deep: false, text, dots: text.startsWith('.') || segment.kind === 'literal' };
  const first = /[?[{]/.exec(text)?.index ?? 0;
  const last = Math.max(text.lastIndexOf('?'), text.lastIndexOf(']'), text.lastIndexOf('}'));
  const openAtEnd = /[[{][^\]}]*$/.test(text);
  const closedAtStart = /^[^[{]*[\]}]/.test(text);
  const head = closedAtStart ? '' : text.slice(0, first);
  const tail = openAtEnd ? '' : text.slice(last + 1);
  // A group without a dot, and that is no range or negation, does not make one.
  const dots = text.startsWith('.') || /[?.!^-]/.test(text);
  return { deep: false, text: `${head}*${tail}`, dots };
}

/** Is there a path that both describe? Both are walked side by side; every pair of positions is tried once. */
function meets(parts: readonly Part[], place: readonly string[]): boolean {
  const seen = new Set<number>();
  const open: [number, number][] = [[0, 0]];
  const width = place.length + 1;
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [p, q] = pair;
    if (seen.has(p * width + q)) continue;
    seen.add(p * width + q);
    const part = parts[p];
    const step = place[q];
    if (part === undefined && step === undefined) return true;
    const placeDeep = step === '**';
    if (part?.deep) open.push([p + 1, q]);
    if (placeDeep) open.push([p, q + 1]);
    if (part === undefined || step === undefined) continue;
    if (namesMeet(part, placeDeep ? '*' : step)) open.push([part.deep ? p : p + 1, placeDeep ? q : q + 1]);
  }
  return false;
}

/** Is there one name that both cover? The place's star takes a leading dot, the part's only with `dots`. */
function namesMeet(part: Part, step: string): boolean {
  const a = part.deep ? '*' : part.text;
  const dots = !part.deep && part.dots;
  const seen = new Set<number>();
  const open: [number, number, boolean][] = [[0, 0, true]];
  for (let state = open.pop(); state !== undefined; state = open.pop()) {
    const [i, j, first] = state;
    const key = (i * (step.length + 1) + j) * 2 + (first ? 1 : 0);
    if (seen.has(key)) continue;
    seen.add(key);
    const x = a[i];
    const y = step[j];
    if (x === undefined && y === undefined && !first) return true;
    if (x === '*') open.push([i + 1, j, first]);
    if (y === '*') open.push([i, j + 1, first]);
    if (x === undefined || y === undefined) continue;
    const letter = x === '*' ? y : x;
    if (x !== '*' && y !== '*' && x !== y) continue;
    if (first && letter === '.' && !dots) continue;
    open.push([x === '*' ? i : i + 1, y === '*' ? j : j + 1, false]);
  }
  return false;
}
