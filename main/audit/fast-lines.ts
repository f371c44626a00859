import type { VerdictFacts } from '../db/audit-names.ts';
import { MAX_TEXT, parsedIntent, parseLine } from './parse-line.ts';

/**
 * Lines of the verdict log read at the speed of a first pass. Nearly all lines are the same text around a time and an
 * intent: what stands around was read once, by the one reader that there is, and is looked up from then on. A line
 * that does not fit gets no answer here. Pure.
 */
export interface FastLines {
  /**
   * @param text holds the line from `start` to `end`, a character for each byte
   * @param decode the characters from one place of the text to another as they are written, UTF-8
   * @returns null for a line that has to be read by `parseLine`
   */
  read(text: string, start: number, end: number, decode: (from: number, to: number) => string): FastLine | null;
}

export interface FastLine {
  ts: number;
  intent: string;
  facts: VerdictFacts;
}

const TIME = ', "ts": ';
const INTENT = ', "intent": "';
const MOST_PARTS = 20_000;
/** Longer ones are rare, and would fill the memory. */
const MOST_LENGTH = 2000;
const SAMPLES = [
  { ts: 1_234_567_890.125, intent: 'a sample, of words' },
  { ts: 7, intent: '' },
] as const;
const [QUOTE, BACKSLASH, SPACE, LAST_ASCII, COMMA, DOT, ZERO, NINE] = [0x22, 0x5c, 0x20, 0x7e, 0x2c, 0x2e, 0x30, 0x39];

export function createFastLines(): FastLines {
  const parts = new Map<string, number>();
  const frames = new Map<number, Map<number, VerdictFacts | null>>();
  let nextPart = 1;

  /** A number for a text that comes again and again. */
  const partOf = (text: string): number => {
    const known = parts.get(text);
    if (known !== undefined) return known;
    if (parts.size >= MOST_PARTS) {
      parts.clear();
      frames.clear();
    }
    // A copy: what was cut out would keep all of the text it was cut from.
    parts.set(Buffer.from(text, 'latin1').toString('latin1'), nextPart);
    return nextPart++;
  };

  return {
    read(text, start, end, decode) {
      if (end - start > MOST_LENGTH) return null;
      // In the line alone: what is not in it would be looked for in all that follows.
      const timeAt = text.substring(start, end).indexOf(TIME);
      if (timeAt === -1) return null;
      const timeStart = start + timeAt + TIME.length;
      const timeEnd = endOfNumber(text, timeStart);
      if (timeEnd === -1) return null;
      const intentAt = text.substring(timeEnd, end).indexOf(INTENT);
      if (intentAt === -1) return null;
      const intentStart = timeEnd + intentAt + INTENT.length;
      let isAscii = true;
      let intentEnd = intentStart;
      for (; ; intentEnd++) {
        const code = text.charCodeAt(intentEnd);
        if (code === QUOTE) break;
        // JSON allows all other characters in a text as they are.
        if (code < SPACE || code === BACKSLASH || intentEnd >= end) return null;
        if (code > LAST_ASCII) isAscii = false;
      }

      // The markers are in the parts, so that two lines of the same parts are one text around another time and intent.
      const before = partOf(text.substring(start, timeStart));
      const between = partOf(text.substring(timeEnd, intentStart));
      const behind = partOf(text.substring(intentEnd, end));
      let ofBefore = frames.get(before);
      if (ofBefore === undefined) {
        ofBefore = new Map();
        frames.set(before, ofBefore);
      }
      const key = between * 2 ** 26 + behind;
      let facts = ofBefore.get(key);
      if (facts === undefined) {
        facts = factsOf(decode(start, timeStart), decode(timeEnd, intentStart), decode(intentEnd, end));
        ofBefore.set(key, facts);
      }
      if (facts === null) return null;
      const intent = isAscii ? text.substring(intentStart, intentEnd) : decode(intentStart, intentEnd);
      return {
        ts: Number(text.substring(timeStart, timeEnd)),
        intent: intent.length > MAX_TEXT ? parsedIntent(intent) : intent,
        facts,
      };
    },
  };
}

/** @returns where a number that begins at `start` and that a comma follows ends; -1 where there is none, or a strange one */
function endOfNumber(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (!(first > ZERO && first <= NINE)) return -1;
  let dot = -1;
  for (let at = start + 1; at < start + 32; at++) {
    const code = text.charCodeAt(at);
    if (code === COMMA) return dot === at - 1 ? -1 : at;
    if (code === DOT && dot === -1) dot = at;
    else if (!(code >= ZERO && code <= NINE)) return -1;
  }
  return -1;
}

/**
 * What the text around time and intent says, whatever they are; null when they are not what the line's own time
 * and intent are read from (they stand in an inner object, or come twice).
 */
function factsOf(before: string, between: string, behind: string): VerdictFacts | null {
  let first: string | null = null;
  let facts: VerdictFacts | null = null;
  for (const sample of SAMPLES) {
    const parsed = parseLine(`${before}${sample.ts}${between}${sample.intent}${behind}`);
    if (parsed.kind !== 'verdict') return null;
    const { ts, intent, ...rest } = parsed.verdict;
    if (ts !== sample.ts || intent !== sample.intent) return null;
    const text = JSON.stringify(rest);
    if (first !== null && first !== text) return null;
    first = text;
    facts = rest;
  }
  return facts;
}
