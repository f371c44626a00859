import { canonical, fileUrlPath, readings } from './paths.ts';
import { isControl, isDisk, isOperatorKey, secretAt } from './places.ts';
import { pathControl, pathDevice, pathSecret } from './rules/path.ts';
import { withoutSymbols } from './symbols.ts';
import type { Finding, Rule, Span } from './types.ts';

const spelled = (words: string): ReadonlySet<string> =>
  new Set(words.split(' ').flatMap((word) => [word, word.replace('_', '')]));

/** Keys whose value is stored, shown or searched for, and never opened. With and without their stroke. */
const TEXT_KEYS = spelled(
  'content contents text body message msg new_string old_string new_str old_str file_text insert_text new_text ' +
    'old_text description title prompt query question answer comment note notes summary subject diff patch code ' +
    'source_code regex data html markdown value input output stdin reason intent explanation thought',
);
/** Keys whose value is run by a shell, whatever the tool is called. */
const COMMAND_KEYS = spelled('command cmd shell bash script command_line shell_command exec sh');
/** Longer than any of them. */
const LONGEST_KEY = 16;

export function isTextKey(key: string): boolean {
  return key.length <= LONGEST_KEY && TEXT_KEYS.has(key.toLowerCase());
}

export function isCommandKey(key: string): boolean {
  return key.length <= LONGEST_KEY && COMMAND_KEYS.has(key.toLowerCase());
}

/** Tools that only look; by the verb at the start of their name. */
const LOOKS =
  /^(?:read|get|list|find|view|search|grep|glob|ls|cat|show|stat|head|tail|open|describe|query|fetch|count|filter|compare|mcp_read)/i;

const MOST_VALUES = 10_000;
const MOST_DEPTH = 64;

/** A string value in the arguments, with the key that it stands under. */
export interface TextValue {
  readonly key: string;
  readonly text: string;
  /** Does any key on the way say that the value is a mere text? */
  readonly isText: boolean;
}

/** All string values, however deep; `complete` is false when there were too many or they lay too deep. */
export function textValues(args: unknown): { values: TextValue[]; complete: boolean } {
  const values: TextValue[] = [];
  let complete = true;
  const stack: { v: unknown; key: string; isText: boolean; depth: number }[] = [
    { v: args, key: '', isText: false, depth: 0 },
  ];
  let seen = 0;
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    if (++seen > MOST_VALUES || item.depth > MOST_DEPTH) {
      complete = false;
      if (seen > MOST_VALUES) break;
      continue;
    }
    const { v, key, isText, depth } = item;
    if (typeof v === 'string') values.push({ key, text: v, isText });
    else if (Array.isArray(v))
      for (let i = v.length - 1; i >= 0; i--) stack.push({ v: v[i], key, isText, depth: depth + 1 });
    else if (v instanceof Map) {
      for (const [k, inner] of v)
        stack.push({ v: inner, key: String(k), isText: isText || isTextKey(String(k)), depth: depth + 1 });
    } else if (v !== null && typeof v === 'object') {
      for (const [k, inner] of Object.entries(v))
        stack.push({ v: inner, key: k, isText: isText || isTextKey(k), depth: depth + 1 });
    }
  }
  return { values, complete };
}

const LONGEST_PATH = 4096;
const PATH_LIKE = /^(?:[/~.\\]|[a-z]:[\\/]|(?:view-source:|url:)?file:|%|\$HOME|\$\{HOME\}|[\w.@ -]+[/\\])/i;

/** Nothing in it can be decoded, expanded or written otherwise. */
const PLAIN_PATH = /^[~/][\w./-]*$/;

/** The ways a value may be read as a path: as it is, decoded, with the strokes of Windows. */
function spellings(raw: string, home: string): string[] {
  if (raw.length <= LONGEST_PATH && PLAIN_PATH.test(raw)) return [raw];
  const v = raw.trim().replace(/^@(?=[/~.])/, '');
  if (v.length === 0 || v.length > LONGEST_PATH || !PATH_LIKE.test(v) || v.includes('\n')) return [];
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(v) && fileUrlPath(v) === null) return [];
  let base = v
    .replace(/^\$\{?HOME\}?(?=\/|$)/, home)
    .replace(/^(?:%USERPROFILE%|%HOME%|%HOMEPATH%|\$env:USERPROFILE)(?=[\\/]|$)/i, home);
  const url = fileUrlPath(base);
  if (url !== null) base = url;
  const out = [base];
  if (/%[0-9a-f]{2}/i.test(base)) {
    const decoded = fileUrlPath(`file:${base}`);
    if (decoded !== null) out.push(decoded);
  }
  for (const one of [...out]) {
    if (one.includes('\\')) out.push(one.replace(/\\/g, '/').replace(/^[a-z]:(?=\/)/i, ''));
    const plain = one.normalize('NFKC');
    if (plain !== one) out.push(plain);
  }
  return out;
}

/**
 * Judges one string value as a path (vaglio page, section 2): other spellings of the listed places, disks,
 * and the control files for a tool that does more than look.
 */
export function judgePath(
  value: TextValue,
  executor: string,
  home: string,
  cwd: string | null,
  control: readonly string[],
): Finding[] {
  if (value.isText) return [];
  const found: Finding[] = [];
  const span: Span = { start: 0, end: value.text.length };
  const add = (rule: Rule): void => {
    if (!found.some((f) => f.rule === rule)) found.push({ rule, span });
  };
  for (const spelling of spellings(withoutSymbols(value.text), home)) {
    for (const path of readings(canonical(spelling, { home, cwd, mounts: null }))) {
      if (secretAt(path, home) === 'yes') add(pathSecret);
      else if (isDisk(path)) add(pathDevice);
      else if (isOperatorKey(path, home, control)) add(pathControl);
      else if (!LOOKS.test(executor) && isControl(path, home, control)) add(pathControl);
    }
  }
  return found;
}
