import { firstContained } from './first-token.ts';
import { ownValue, type PlainRecord } from './plain-record.ts';
import { hasLength, isPySpace, pyLower } from './python-unicode.ts';

/** A score with its grounds (vaglio page, section 3). */
export interface Scored {
  /** Compared with the threshold: the sum as the original's floating point has it (0.7 + 0.1 is a little below 0.8). */
  raw: number;
  /** For people and programs: to the hundredth. */
  score: number;
  text: string;
  notes: string;
}

interface Sum {
  raw: number;
  score: number;
  text: string;
}

const MENTION = 1;
const TRAVERSAL = 2;
const ODD_KEY = 4;
const NOT_CRITICAL = 8;

/** All sums of signals, added in the original's order. */
const SUMS: readonly Sum[] = Array.from({ length: 16 }, (_, signals) => {
  let sum = 0.7;
  if (signals & MENTION) sum += 0.1;
  if (signals & TRAVERSAL) sum -= 0.2;
  if (signals & ODD_KEY) sum -= 0.1;
  if (signals & NOT_CRITICAL) sum += 0.05;
  const raw = Math.min(1, Math.max(0, sum));
  return { raw, score: Math.round(raw * 100) / 100, text: raw.toFixed(2) };
});

/** First token of the executor's name, as it is written, that the lower-cased intent contains. */
function mentionedToken(intent: string, executor: string): string | null {
  const tokens: string[] = [];
  let start = 0;
  for (let i = 0; i <= executor.length; i++) {
    if (i < executor.length) {
      const unit = executor.charCodeAt(i);
      if (unit !== 0x5f && !isPySpace(unit)) continue;
    }
    if (i - start >= 3) {
      const token = executor.slice(start, i);
      if (hasLength(token, 3)) tokens.push(token);
    }
    start = i + 1;
  }
  return tokens.length === 0 ? null : firstContained(pyLower(intent), tokens);
}

/** `[a-zA-Z_][a-zA-Z0-9_]*`; the original's `$` lets one final newline pass. */
function isIdentifier(key: string): boolean {
  const end = key.endsWith('\n') ? key.length - 1 : key.length;
  if (end === 0) return false;
  for (let i = 0; i < end; i++) {
    const unit = key.charCodeAt(i);
    const letter = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x5f;
    if (!letter && !(i > 0 && unit >= 0x30 && unit <= 0x39)) return false;
  }
  return true;
}

function oddKey(args: PlainRecord): string | null {
  if (args instanceof Map) {
    for (const key of args.keys()) if (!isIdentifier(key)) return key;
    return null;
  }
  for (const key in args) if (!isIdentifier(key) && Object.hasOwn(args, key)) return key;
  return null;
}

/**
 * The rule-based judge: four signals, each at most once.
 * @param traversal does a string value in args hold both `..` and `/`?
 */
export function ruleScore(
  intent: string,
  executor: string,
  args: PlainRecord,
  context: PlainRecord,
  traversal: boolean,
): Scored {
  let signals = 0;
  let notes = '';
  const token = mentionedToken(intent, executor);
  if (token !== null) {
    signals |= MENTION;
    notes = `intent menziona '${token}'`;
  }
  if (traversal) {
    signals |= TRAVERSAL;
    notes += `${notes === '' ? '' : '; '}possibile path traversal ('..' in path)`;
  }
  const key = oddKey(args);
  if (key !== null) {
    signals |= ODD_KEY;
    notes += `${notes === '' ? '' : '; '}chiave args anomala: '${key}'`;
  }
  if (ownValue(context, 'critical') === false) signals |= NOT_CRITICAL;
  const { raw, score, text } = SUMS[signals] ?? { raw: 0, score: 0, text: '0.00' };
  return { raw, score, text, notes: notes === '' ? 'score base' : notes };
}
