import { ALPHANUMERIC, PRINTABLE } from './unicode-tables.ts';

/** Largest code point + 1 of the alphanumeric table, rounded up to a byte. */
const WORD_LIMIT = 0x31350;

const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) => Number(/\w/.test(String.fromCharCode(code))));
/** Bit n: is U+00nn white space? U+0009 to U+000D and U+001C to U+001F. */
const CONTROL_SPACES = 0xf0003e00;

/** Decoded once, at the first character beyond ASCII; constants, no state. */
let wordBits: Uint8Array | undefined;
let printableEdges: Uint32Array | undefined;

/** Start and end (exclusive) of every range, in order. */
function edges(table: string): Uint32Array {
  let at = 0x80;
  return Uint32Array.from(table.split(','), (step) => {
    at += Number.parseInt(step, 36);
    return at;
  });
}

function buildWordBits(): Uint8Array {
  const bits = new Uint8Array(WORD_LIMIT >> 3);
  const list = edges(ALPHANUMERIC);
  for (let i = 0; i < list.length; i += 2) {
    const end = list[i + 1] ?? 0;
    for (let code = list[i] ?? 0; code < end; code++) bits[code >> 3] = (bits[code >> 3] ?? 0) | (1 << (code & 7));
  }
  return bits;
}

/** `\s` of Python's `re` over `str`; every such character is one UTF-16 unit. */
export function isPySpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || ((CONTROL_SPACES >>> unit) & 1) === 1;
  if (unit < 0x1680) return unit === 0x85 || unit === 0xa0;
  return (
    unit === 0x1680 ||
    (unit >= 0x2000 && unit <= 0x200a) ||
    unit === 0x2028 ||
    unit === 0x2029 ||
    unit === 0x202f ||
    unit === 0x205f ||
    unit === 0x3000
  );
}

/** `\w` of Python's `re` over `str`: `isalnum()` or the underscore. */
export function isPyWord(codePoint: number): boolean {
  if (codePoint < 0x80) return ASCII_WORD[codePoint] === 1;
  if (codePoint >= WORD_LIMIT) return false;
  wordBits ??= buildWordBits();
  return ((wordBits[codePoint >> 3] ?? 0) & (1 << (codePoint & 7))) !== 0;
}

/** `str.isprintable()` of one character. */
export function isPyPrintable(codePoint: number): boolean {
  if (codePoint < 0x80) return codePoint >= 0x20 && codePoint < 0x7f;
  printableEdges ??= edges(PRINTABLE);
  let low = 0;
  let high = printableEdges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((printableEdges[middle] ?? 0) <= codePoint) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

/** Is the character that ends just before `index` a word character? */
export function wordBefore(text: string, index: number): boolean {
  if (index <= 0) return false;
  const unit = text.charCodeAt(index - 1);
  if (unit < 0x80) return ASCII_WORD[unit] === 1;
  if (unit >= 0xdc00 && unit <= 0xdfff && index >= 2) {
    const high = text.charCodeAt(index - 2);
    if (high >= 0xd800 && high <= 0xdbff) return isPyWord((high - 0xd800) * 0x400 + (unit - 0xdc00) + 0x10000);
  }
  return isPyWord(unit);
}

/** Is the character at `index` a word character? False at the end. */
export function wordAt(text: string, index: number): boolean {
  const codePoint = text.codePointAt(index);
  return codePoint !== undefined && isPyWord(codePoint);
}

/** Index of the first character at or after `index` that is no white space. */
export function skipSpace(text: string, index: number): number {
  let at = index;
  while (at < text.length && isPySpace(text.charCodeAt(at))) at++;
  return at;
}

/** Capitals that are newer than Unicode 14 (15 to 17): the original leaves them as they are. */
const NEWER_CAPITALS = /([\u1c89\ua7cb\ua7cc\ua7ce\ua7d2\ua7d4\ua7da\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}])/u;

/** `str.lower()`. */
export function pyLower(text: string): string {
  const lowered = text.toLowerCase();
  if (lowered === text || !NEWER_CAPITALS.test(text)) return lowered;
  return text
    .split(NEWER_CAPITALS)
    .map((piece, i) => (i % 2 === 0 ? piece.toLowerCase() : piece))
    .join('');
}

/** Has `text` at least `enough` code points, as `len()` counts? A lone surrogate is one. */
export function hasLength(text: string, enough: number): boolean {
  let missing = enough;
  for (let i = 0; i < text.length && missing > 0; i++, missing--) if ((text.codePointAt(i) ?? 0) > 0xffff) i++;
  return missing === 0;
}

/** `needle in text` by code points: a surrogate half never matches inside a pair. */
export function pyIncludes(text: string, needle: string): boolean {
  const first = needle.charCodeAt(0);
  const last = needle.charCodeAt(needle.length - 1);
  const splitsLeft = first >= 0xdc00 && first <= 0xdfff;
  const splitsRight = last >= 0xd800 && last <= 0xdbff;
  if (!splitsLeft && !splitsRight) return text.includes(needle);
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    const before = at > 0 ? text.charCodeAt(at - 1) : 0;
    const after = at + needle.length < text.length ? text.charCodeAt(at + needle.length) : 0;
    const cutLeft = splitsLeft && before >= 0xd800 && before <= 0xdbff;
    const cutRight = splitsRight && after >= 0xdc00 && after <= 0xdfff;
    if (!cutLeft && !cutRight) return true;
  }
  return false;
}

/** Order of Python's `sorted` over `str`: by code point, where JavaScript sorts by UTF-16 unit. */
export function compareCodePoints(left: string, right: string): number {
  const end = Math.min(left.length, right.length);
  for (let i = 0; i < end; i++) {
    const a = left.codePointAt(i) ?? 0;
    const b = right.codePointAt(i) ?? 0;
    if (a !== b) return a - b;
    if (a > 0xffff) i++;
  }
  return left.length - right.length;
}
