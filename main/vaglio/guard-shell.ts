import { atEnd, type Hit } from './guard-rules.ts';
import { isPySpace, skipSpace, wordAt, wordBefore } from './python-unicode.ts';

// One pass over the text, each rule decided at its anchor. A run of white space belongs to one anchor only,
// so that no character is looked at more than a fixed number of times (quality page, Speed).

const RM_ROOT = 0;
const RM_HOME = 1;
const MKFS = 2;
const DD = 3;
const FORK_BOMB = 4;
const CHMOD = 5;

const NEWLINE = 0x0a;

/** `\s+` at `index`: the index after it, or -1. */
function spaces(text: string, index: number): number {
  const end = skipSpace(text, index);
  return end > index ? end : -1;
}

/** The rule that `rm` at `at` decides. */
function rm(text: string, at: number): Hit | null {
  const dash = spaces(text, at + 2);
  if (dash < 0 || !text.startsWith('-r', dash)) return null;
  const target = spaces(text, text.charCodeAt(dash + 2) === 0x66 ? dash + 3 : dash + 2);
  if (target < 0) return null;
  const sign = text.charAt(target);
  if (sign !== '/' && sign !== '~') return null;
  const next = target + 1;
  const rule = sign === '/' ? RM_ROOT : RM_HOME;
  if (next < text.length && isPySpace(text.charCodeAt(next))) return { rule, start: at, end: next + 1 };
  if (atEnd(text, next)) return { rule, start: at, end: next };
  return rule === RM_HOME && text.charAt(next) === '/' ? { rule, start: at, end: next + 1 } : null;
}

/** `:(){ :|:& }` with white space between its parts. */
function forkBomb(text: string, at: number): Hit | null {
  let i = at + 1;
  for (const part of ['(', ')', '{']) {
    i = skipSpace(text, i);
    if (text.charAt(i) !== part) return null;
    i++;
  }
  i = skipSpace(text, i);
  if (!text.startsWith(':|:&', i)) return null;
  i = skipSpace(text, i + 4);
  return text.charAt(i) === '}' ? { rule: FORK_BOMB, start: at, end: i + 1 } : null;
}

function chmod(text: string, at: number): Hit | null {
  let i = spaces(text, at + 5);
  if (i < 0) return null;
  const options = i;
  if (text.charAt(i) === '-') i++;
  if (text.charAt(i) === 'R') i++;
  if (i > options) i = skipSpace(text, i);
  if (text.charAt(i) === '0') i++;
  if (!text.startsWith('77', i)) return null;
  const digit = text.charCodeAt(i + 2);
  if (!(digit >= 0x30 && digit <= 0x39)) return null;
  const slash = spaces(text, i + 3);
  return slash >= 0 && text.charAt(slash) === '/' ? { rule: CHMOD, start: at, end: slash + 1 } : null;
}

function lower(best: Hit | null, found: Hit | null): Hit | null {
  return found === null || (best !== null && best.rule <= found.rule) ? best : found;
}

/** The first of the six shell rules, in their order, that holds anywhere in `text` (vaglio page, section 2). */
export function findDangerousShell(text: string): Hit | null {
  let best: Hit | null = null;
  /** Start of a `dd` whose `.*` has met no newline yet. */
  let dd = -1;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case NEWLINE:
        dd = -1;
        break;
      case 0x72: // r
        if (text.charCodeAt(i + 1) !== 0x6d || wordBefore(text, i)) break;
        best = lower(best, rm(text, i));
        if (best?.rule === RM_ROOT) return best;
        break;
      case 0x6d: // m
        if (!text.startsWith('kfs', i + 1) || wordBefore(text, i) || wordAt(text, i + 4)) break;
        best = lower(best, { rule: MKFS, start: i, end: i + 4 });
        break;
      case 0x64: {
        // d
        if (text.charCodeAt(i + 1) !== 0x64 || wordBefore(text, i)) break;
        const word = spaces(text, i + 2);
        if (word < 0) break;
        // The white space after `dd` may hold newlines, which do not count against its `.*`.
        if (dd < 0 || text.slice(i + 2, word).includes('\n')) dd = i;
        i = word - 1;
        break;
      }
      case 0x6f: // o
        if (dd < 0 || !text.startsWith('f=/dev/', i + 1) || wordBefore(text, i)) break;
        best = lower(best, { rule: DD, start: dd, end: i + 8 });
        break;
      case 0x3a: // :
        best = lower(best, forkBomb(text, i));
        break;
      case 0x63: // c
        if (!text.startsWith('hmod', i + 1) || wordBefore(text, i)) break;
        best = lower(best, chmod(text, i));
        break;
      default:
    }
  }
  return best;
}
