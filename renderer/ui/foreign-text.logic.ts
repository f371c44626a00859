/** A piece of a text that somebody else wrote: plain text, or one character that would not show. */
export type TextPiece = { kind: 'text'; text: string } | { kind: 'mark'; label: string; name: string };

/** Short label and full name of the hidden characters that have a usual name. */
const NAMED: Record<number, readonly [string, string]> = {
  0: ['NUL', 'NULL'],
  7: ['BEL', 'BELL'],
  8: ['BS', 'BACKSPACE'],
  9: ['⇥', 'TAB'],
  10: ['↵', 'LINE FEED'],
  13: ['CR', 'CARRIAGE RETURN'],
  27: ['ESC', 'ESCAPE'],
  127: ['DEL', 'DELETE'],
  133: ['NEL', 'NEXT LINE'],
  160: ['NBSP', 'NO-BREAK SPACE'],
  173: ['SHY', 'SOFT HYPHEN'],
  847: ['CGJ', 'COMBINING GRAPHEME JOINER'],
  1564: ['ALM', 'ARABIC LETTER MARK'],
  8203: ['ZWSP', 'ZERO WIDTH SPACE'],
  8204: ['ZWNJ', 'ZERO WIDTH NON-JOINER'],
  8205: ['ZWJ', 'ZERO WIDTH JOINER'],
  8206: ['LRM', 'LEFT-TO-RIGHT MARK'],
  8207: ['RLM', 'RIGHT-TO-LEFT MARK'],
  8232: ['LS', 'LINE SEPARATOR'],
  8233: ['PS', 'PARAGRAPH SEPARATOR'],
  8234: ['LRE', 'LEFT-TO-RIGHT EMBEDDING'],
  8235: ['RLE', 'RIGHT-TO-LEFT EMBEDDING'],
  8236: ['PDF', 'POP DIRECTIONAL FORMATTING'],
  8237: ['LRO', 'LEFT-TO-RIGHT OVERRIDE'],
  8238: ['RLO', 'RIGHT-TO-LEFT OVERRIDE'],
  8239: ['NNBSP', 'NARROW NO-BREAK SPACE'],
  8288: ['WJ', 'WORD JOINER'],
  8294: ['LRI', 'LEFT-TO-RIGHT ISOLATE'],
  8295: ['RLI', 'RIGHT-TO-LEFT ISOLATE'],
  8296: ['FSI', 'FIRST STRONG ISOLATE'],
  8297: ['PDI', 'POP DIRECTIONAL ISOLATE'],
  65279: ['BOM', 'ZERO WIDTH NO-BREAK SPACE'],
};

// Control, format (bidi, zero width, tags), lone surrogate, private use and unassigned characters; what Unicode lets a
// font draw as nothing; the blank Braille cell; and every space but the ordinary one.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/gu;

const PICTURE_BEFORE = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]*$/u;
const PICTURE_AFTER = /^\p{Extended_Pictographic}/u;

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** A joiner or a colour selector inside one emoji is part of what is seen, not something hidden. */
function belongsToPicture(code: number, before: string, after: string): boolean {
  if (code === 0xfe0f) return PICTURE_BEFORE.test(before);
  if (code === 0x200d) return PICTURE_BEFORE.test(before) && PICTURE_AFTER.test(after);
  return false;
}

/**
 * Cuts a foreign text into plain pieces and marks for what would not be seen: control, bidi and
 * zero-width characters, unusual spaces, lone surrogates.
 */
export function cutForeignText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let plainFrom = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const at = match.index;
    const char = match[0];
    const code = char.codePointAt(0) ?? 0;
    const end = at + char.length;
    if (belongsToPicture(code, text.slice(Math.max(0, at - 8), at), text.slice(end, end + 2))) continue;
    if (at > plainFrom) pieces.push({ kind: 'text', text: text.slice(plainFrom, at) });
    const named = NAMED[code];
    pieces.push({ kind: 'mark', label: named?.[0] ?? hex(code), name: named ? `${hex(code)} ${named[1]}` : hex(code) });
    plainFrom = end;
  }
  if (plainFrom < text.length) pieces.push({ kind: 'text', text: text.slice(plainFrom) });
  return pieces;
}

/** The beginning of a text, at most `limit` UTF-16 units and never half a character, and how many are left out. */
export function beginningOf(text: string, limit: number): { text: string; left: number } {
  if (text.length <= limit) return { text, left: 0 };
  const last = text.charCodeAt(limit - 1);
  const end = last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit;
  return { text: text.slice(0, end), left: text.length - end };
}

/** The same marks in a plain string, for titles and other places without markup. */
export function foreignToPlain(text: string): string {
  return cutForeignText(text)
    .map((piece) => (piece.kind === 'text' ? piece.text : `⟨${piece.label}⟩`))
    .join('');
}

/** A foreign text as one short line of plain text, with what cannot be seen made visible. */
export function shortPlain(foreign: string, limit = 80): string {
  const { text, left } = beginningOf(foreign, limit);
  return foreignToPlain(text) + (left > 0 ? '…' : '');
}
