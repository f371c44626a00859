import { atEnd, type Hit, standsAt, unitAt } from './guard-rules.ts';
import { isPySpace, skipSpace, wordAt, wordBefore } from './python-unicode.ts';

// First one expression that knows whether any rule may hold, then, where one may, an exact pass that decides each
// rule at its anchor. A run of white space belongs to one anchor only, so that neither looks at a character more
// than a fixed number of times (quality page, Speed).

const RM_ROOT = 0;
const RM_HOME = 1;
const MKFS = 2;
const DD = 3;
const FORK_BOMB = 4;
const CHMOD = 5;

const NEWLINE = 0x0a;
const SLASH = 0x2f;

/** `\s+` at `index`: the index after it, or -1. */
function spaces(text: string, index: number): number {
  return isPySpace(unitAt(text, index)) ? skipSpace(text, index + 1) : -1;
}

/** The rule that `rm` at `at` decides. */
function rm(text: string, at: number): Hit | null {
  const dash = spaces(text, at + 2);
  if (dash < 0 || !standsAt(text, dash, '-r') || wordBefore(text, at)) return null;
  const target = spaces(text, unitAt(text, dash + 2) === 0x66 ? dash + 3 : dash + 2);
  if (target < 0) return null;
  const sign = unitAt(text, target);
  if (sign !== SLASH && sign !== 0x7e) return null;
  const next = target + 1;
  const rule = sign === SLASH ? RM_ROOT : RM_HOME;
  if (isPySpace(unitAt(text, next))) return { rule, start: at, end: next + 1 };
  if (atEnd(text, next)) return { rule, start: at, end: next };
  return rule === RM_HOME && unitAt(text, next) === SLASH ? { rule, start: at, end: next + 1 } : null;
}

/** `:(){ :|:& }` with white space between its parts. */
function forkBomb(text: string, at: number): Hit | null {
  let i = skipSpace(text, at + 1);
  if (unitAt(text, i) !== 0x28) return null;
  i = skipSpace(text, i + 1);
  if (unitAt(text, i) !== 0x29) return null;
  i = skipSpace(text, i + 1);
  if (unitAt(text, i) !== 0x7b) return null;
  i = skipSpace(text, i + 1);
  if (!standsAt(text, i, ':|:&')) return null;
  i = skipSpace(text, i + 4);
  return unitAt(text, i) === 0x7d ? { rule: FORK_BOMB, start: at, end: i + 1 } : null;
}

function chmod(text: string, at: number): Hit | null {
  let i = spaces(text, at + 5);
  if (i < 0 || wordBefore(text, at)) return null;
  const options = i;
  if (unitAt(text, i) === 0x2d) i++;
  if (unitAt(text, i) === 0x52) i++;
  if (i > options) i = skipSpace(text, i);
  if (unitAt(text, i) === 0x30) i++;
  if (!standsAt(text, i, '77')) return null;
  const digit = unitAt(text, i + 2);
  if (!(digit >= 0x30 && digit <= 0x39)) return null;
  const slash = spaces(text, i + 3);
  return slash >= 0 && unitAt(text, slash) === SLASH ? { rule: CHMOD, start: at, end: slash + 1 } : null;
}

function lower(best: Hit | null, found: Hit | null): Hit | null {
  return found === null || (best !== null && best.rule <= found.rule) ? best : found;
}

/** `\s` of Python. */
const SPACE = String.raw`[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]`;

/**
 * May any of the six hold? Each branch is a part of its rule that every match has; word boundaries count ASCII only,
 * which lets more through to the exact pass, never less. Loops are lazy: a greedy one keeps a way back for every
 * character.
 */
const MAY_HOLD = new RegExp(
  [
    String.raw`(?<!\w)rm${SPACE}+?-rf?${SPACE}+?[\/~](?:${SPACE}|\/|(?![^]))`,
    String.raw`(?<!\w)mkfs(?!\w)`,
    String.raw`(?<!\w)of=\/dev\/`,
    String.raw`:\|:&`,
    String.raw`77[0-9]${SPACE}+?\/`,
  ].join('|'),
);

/** The first of the six shell rules, in their order, that holds anywhere in `text` (vaglio page, section 2). */
export function findDangerousShell(text: string): Hit | null {
  if (!MAY_HOLD.test(text)) return null;
  let best: Hit | null = null;
  /** Start of a `dd` whose `.*` has met no newline yet. */
  let dd = -1;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case NEWLINE:
        dd = -1;
        break;
      case 0x72: // r
        if (unitAt(text, i + 1) !== 0x6d) break;
        best = lower(best, rm(text, i));
        if (best?.rule === RM_ROOT) return best;
        break;
      case 0x6d: // m
        if (!standsAt(text, i + 1, 'kfs') || wordBefore(text, i) || wordAt(text, i + 4)) break;
        best = lower(best, { rule: MKFS, start: i, end: i + 4 });
        break;
      case 0x64: {
        // d
        if (unitAt(text, i + 1) !== 0x64) break;
        const word = spaces(text, i + 2);
        if (word < 0 || wordBefore(text, i)) break;
        // A newline in this white space is taken by `\s+`: it ends no `.*` but that of an earlier `dd`.
        for (let at = i + 2; at < word && dd >= 0; at++) if (text.charCodeAt(at) === NEWLINE) dd = -1;
        if (dd < 0) dd = i;
        i = word - 1;
        break;
      }
      case 0x6f: // o
        if (dd < 0 || !standsAt(text, i + 1, 'f=/dev/') || wordBefore(text, i)) break;
        best = lower(best, { rule: DD, start: dd, end: i + 8 });
        break;
      case 0x3a: // :
        if (unitAt(text, i + 1) !== 0x28 && !isPySpace(unitAt(text, i + 1))) break;
        best = lower(best, forkBomb(text, i));
        break;
      case 0x63: // c
        if (!standsAt(text, i + 1, 'hmod')) break;
        best = lower(best, chmod(text, i));
        break;
      default:
    }
  }
  return best;
}
