import { type Fault, type ParsedLine, parseLine } from './parse-line.ts';

interface Unreadable {
  kind: 'unreadable';
  why: Fault;
}

/** One stretch of a line; offsets are bytes from the start of the file. */
export interface Piece<T = ParsedLine> {
  offset: number;
  /** Bytes, without white space around. */
  length: number;
  parsed: T | Unreadable;
}

/** What the lines of one kind of log look like. */
export interface LineFormat<T extends { kind: string }> {
  /** Reads one object; `unreadable` for what is none. Never throws. */
  parse(text: string): T | Unreadable;
  /** How a writer's line begins; a torn line is left for the next place that looks like one. */
  starts: readonly string[];
}

/**
 * A damaged line is looked at again from each place where a writer's line may begin; more than this many
 * pieces are not looked for, so that the time stays linear whatever the line holds.
 */
const MAX_PIECES = 16;
/** As the original writes, and as we do. */
const VERDICT_LINES: LineFormat<ParsedLine> = {
  parse: parseLine,
  starts: ['{"approved"', '{"ts_iso"', '{"kind"'],
};

const NUL = 0x00;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/**
 * The rows of one line. Nearly always one; two writers or a crash can leave objects glued to one another, to
 * half a line or to a run of NUL bytes: every whole object counts as a row of its own, every stretch between
 * as one fault. Bytes that are no UTF-8 become U+FFFD: a row that can be read is shown. A blank line has none.
 *
 * @param bytes the line without its newline
 * @param offset where it begins in the file
 */
export function splitLine(bytes: Buffer, offset: number): Piece[] {
  return splitLineOf(VERDICT_LINES, bytes, offset);
}

/** As {@link splitLine}, for another kind of log. */
export function splitLineOf<T extends { kind: string }>(
  format: LineFormat<T>,
  bytes: Buffer,
  offset: number,
): Piece<T>[] {
  const [start, end] = trim(bytes, 0, bytes.length);
  if (start === end) return [];
  if (bytes[start] !== NUL && bytes[end - 1] !== NUL) {
    const whole = format.parse(bytes.toString('utf8', start, end));
    if (!isUnreadable(whole) || whole.why === 'not-object') {
      return [{ offset: offset + start, length: end - start, parsed: whole }];
    }
  }
  return recover(format, bytes, start, end, offset);
}

function recover<T extends { kind: string }>(
  format: LineFormat<T>,
  bytes: Buffer,
  start: number,
  end: number,
  offset: number,
): Piece<T>[] {
  const pieces: Piece<T>[] = [];
  const add = (from: number, to: number, parsed: T | Unreadable): void => {
    pieces.push({ offset: offset + from, length: to - from, parsed });
  };
  /** Damage that hangs together is one fault. */
  const fault = (from: number, to: number, why: Fault): void => {
    const last = pieces.at(-1);
    if (last === undefined || !isUnreadable(last.parsed)) {
      add(from, to, { kind: 'unreadable', why });
      return;
    }
    last.length = offset + to - last.offset;
    if (last.parsed.why !== why) last.parsed = { kind: 'unreadable', why: 'invalid-json' };
  };
  let at = start;
  for (let tries = 0; at < end && tries < MAX_PIECES; tries++) {
    if (bytes[at] === NUL) {
      const after = skip(bytes, at, end, NUL);
      fault(at, after, 'nul-bytes');
      at = trim(bytes, after, end)[0];
      continue;
    }
    const close = bytes[at] === OPEN ? closingBrace(bytes, at, end) : -1;
    const parsed = close === -1 ? null : format.parse(bytes.toString('utf8', at, close));
    if (parsed !== null && !isUnreadable(parsed)) {
      add(at, close, parsed);
      at = trim(bytes, close, end)[0];
      continue;
    }
    const next = nextStart(format.starts, bytes, at + 1, end);
    fault(at, next, 'invalid-json');
    at = next;
  }
  if (at < end) fault(at, end, 'invalid-json');
  return pieces;
}

function isUnreadable(parsed: { kind: string }): parsed is Unreadable {
  return parsed.kind === 'unreadable';
}

function nextStart(starts: readonly string[], bytes: Buffer, from: number, end: number): number {
  let next = end;
  for (const text of starts) {
    const found = bytes.indexOf(text, from);
    if (found !== -1 && found < next) next = found;
  }
  const nul = bytes.indexOf(NUL, from);
  return nul !== -1 && nul < next ? nul : next;
}

/** @returns the index behind the brace that closes the one at `open`, or -1. */
function closingBrace(bytes: Buffer, open: number, end: number): number {
  let depth = 0;
  let inString = false;
  for (let i = open; i < end; i++) {
    const byte = bytes[i];
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) inString = true;
    else if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) return i + 1;
  }
  return -1;
}

/** Without white space at both ends and without a byte order mark at the start. */
function trim(bytes: Buffer, from: number, to: number): [number, number] {
  let start = from;
  let end = to;
  for (;;) {
    while (start < end && isSpace(bytes[start])) start++;
    if (end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3;
    else break;
  }
  while (end > start && isSpace(bytes[end - 1])) end--;
  return [start, end];
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

function skip(bytes: Buffer, from: number, end: number, value: number): number {
  let at = from;
  while (at < end && bytes[at] === value) at++;
  return at;
}
