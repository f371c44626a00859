import { type Hit, slashOrEnd, standsAt, unitAt } from './guard-rules.ts';

// First one expression that knows whether any rule holds, then, for the few texts where one does, a pass that finds
// which and where. Neither looks at a character more than a fixed number of times, so that time grows with the
// length alone (quality page, Speed).

const SSH = 0;
const ETC_SECRETS = 1;
const ETC_SSH = 2;
const ROOT = 3;
const BOOT = 4;
const SYS = 5;
const PROC = 6;
const DEV = 7;
const AWS = 8;
const CONFIG = 9;
const GNUPG = 10;

const ETC_FILES = ['passwd', 'shadow', 'sudoers'];
const DISKS = ['sd', 'nvme', 'mmcblk', 'loop'];
const AWS_FILE = ['ws/credentials'];
const CONFIG_FILE = ['credentials.env'];

const SLASH = 0x2f;

/** End of the first word that stands at `index`, or -1. */
function oneOf(text: string, index: number, words: readonly string[]): number {
  for (const word of words) if (standsAt(text, index, word)) return index + word.length;
  return -1;
}

function hit(rule: number, start: number, end: number): Hit | null {
  return end < 0 ? null : { rule, start, end };
}

function procEnd(text: string): number {
  if (unitAt(text, 5) !== SLASH) return slashOrEnd(text, 5);
  const digit = unitAt(text, 6);
  return digit >= 0x30 && digit <= 0x39 ? 7 : -1;
}

/** Rules 1 to 7, which look at the start of the text only; at most one of them can hold. */
function anchored(text: string): Hit | null {
  if (unitAt(text, 0) !== SLASH) return null;
  if (text.startsWith('/etc/')) {
    return (
      hit(ETC_SECRETS, 0, oneOf(text, 5, ETC_FILES)) ??
      (text.startsWith('ssh', 5) ? hit(ETC_SSH, 0, slashOrEnd(text, 8)) : null)
    );
  }
  if (text.startsWith('/root')) return hit(ROOT, 0, slashOrEnd(text, 5));
  if (text.startsWith('/boot')) return hit(BOOT, 0, slashOrEnd(text, 5));
  if (text.startsWith('/sys')) return hit(SYS, 0, slashOrEnd(text, 4));
  if (text.startsWith('/proc')) return hit(PROC, 0, procEnd(text));
  if (text.startsWith('/dev/')) return hit(DEV, 0, oneOf(text, 5, DISKS));
  return null;
}

/** `.config/[^/]+/credentials.env`: the next slash decides, so that each stretch between slashes is read once. */
function configEnd(text: string, dot: number): number {
  const name = dot + '.config/'.length;
  const slash = text.indexOf('/', name);
  return slash > name ? oneOf(text, slash + 1, CONFIG_FILE) : -1;
}

/** The rule that a dot at `dot` decides, if it holds there. */
function atDot(text: string, dot: number): Hit | null {
  switch (unitAt(text, dot + 1)) {
    case 0x73: // s
      if (!standsAt(text, dot + 2, 'sh')) return null;
      if (dot > 0 && text.charCodeAt(dot - 1) !== SLASH) return null;
      return hit(SSH, Math.max(dot - 1, 0), slashOrEnd(text, dot + 4));
    case 0x61: // a
      return hit(AWS, dot, oneOf(text, dot + 2, AWS_FILE));
    case 0x63: // c
      return standsAt(text, dot + 2, 'onfig/') ? hit(CONFIG, dot, configEnd(text, dot)) : null;
    case 0x67: // g
      // The end first: in megabytes of this name it says no at once, all but the last time.
      return slashOrEnd(text, dot + 6) >= 0 && standsAt(text, dot + 2, 'nupg')
        ? hit(GNUPG, dot, slashOrEnd(text, dot + 6))
        : null;
    default:
      return null;
  }
}

/** `(/|$)` of Python. */
const SLASH_OR_END = String.raw`(?:\/|\n?(?![^]))`;

/**
 * Does any of the eleven hold? Exact: nothing in them depends on what counts as a letter or as white space.
 * Its one loop is lazy: a greedy one keeps a way back for every character.
 */
const ANY_RULE = new RegExp(
  [
    String.raw`(?:^|\/)\.ssh${SLASH_OR_END}`,
    String.raw`^\/etc\/(?:passwd|shadow|sudoers|ssh${SLASH_OR_END})`,
    String.raw`^\/(?:root|boot|sys)${SLASH_OR_END}`,
    String.raw`^\/proc(?:\/[0-9]|\n?(?![^]))`,
    String.raw`^\/dev\/(?:sd|nvme|mmcblk|loop)`,
    String.raw`\.(?:aws\/credentials|config\/[^/]+?\/credentials\.env|gnupg${SLASH_OR_END})`,
  ].join('|'),
);

/**
 * The first of the eleven path rules, in their order, that holds anywhere in `text` (vaglio page, section 2).
 * @param text with a leading `~` already expanded
 */
export function findForbiddenPath(text: string): Hit | null {
  if (!ANY_RULE.test(text)) return null;
  let best = anchored(text);
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    const found = atDot(text, dot);
    if (found === null || (best !== null && best.rule <= found.rule)) continue;
    if (found.rule === SSH) return found;
    best = found;
  }
  return best;
}
