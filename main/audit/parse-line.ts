/**
 * What one object of the verdict log says (vaglio page, section 5; files page). Other programs and other
 * versions write the same file: keys may be missing, of another type, or of another kind of line. Pure.
 */

/** Why a stretch of the file is no row: stable codes that the panel translates. */
export type Fault = 'invalid-json' | 'not-object' | 'nul-bytes' | 'too-long';

export interface ParsedVerdict {
  /** Unix seconds; null when the line has none that is finite. */
  ts: number | null;
  approved: boolean;
  reason: string;
  judge_kind: string;
  score: number | null;
  blocked_by: string | null;
  intent: string;
  executor: string;
  args_keys: string[];
  context_keys: string[];
  rule: string | null;
}

export type ParsedLine =
  | { kind: 'verdict'; verdict: ParsedVerdict }
  /** `name` is the line's `kind`, or `unknown`. */
  | { kind: 'event'; name: string; ts: number | null }
  | { kind: 'unreadable'; why: Fault };

/** Longer texts are cut in the index, with a mark; the line itself stays whole in its file. */
export const MAX_TEXT = 4096;
const MAX_NAME = 256;
const MAX_KEYS = 100;

const GUARD_PATTERN =
  /^guard: (?:forbidden path violato: pattern '(.*)' in args|comando shell quasi-irrecuperabile: '(.*)')$/s;
const GUARD_STRUCTURE = /^guard: struttura shell: (.+)$/s;

/** @param text one JSON text without its line end. Never throws. */
export function parseLine(text: string): ParsedLine {
  const value = parseJson(text);
  if (value === undefined) return { kind: 'unreadable', why: 'invalid-json' };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'unreadable', why: 'not-object' };
  }
  const line = value as Record<string, unknown>;
  if (!Object.hasOwn(line, 'approved')) {
    return { kind: 'event', name: nameOf(line.kind) || 'unknown', ts: finite(line.ts) ?? isoSeconds(line.ts_iso) };
  }
  const approved = line.approved === true;
  const reason = textOf(line.reason, MAX_TEXT);
  return {
    kind: 'verdict',
    verdict: {
      ts: finite(line.ts),
      approved,
      reason,
      judge_kind: nameOf(line.judge_kind),
      score: finite(line.score),
      blocked_by: typeof line.blocked_by === 'string' ? nameOf(line.blocked_by) : null,
      intent: textOf(line.intent, MAX_TEXT),
      executor: nameOf(line.executor),
      args_keys: keysOf(line.args_keys),
      context_keys: keysOf(line.context_keys),
      rule: approved ? null : (ruleOf(reason) ?? (nameOf(line.rule) || null)),
    },
  };
}

/**
 * The stable id of what decided, from a reason: the guard's pattern with single backslashes,
 * `structure:<id>`, or `judge:threshold`; null when the reason has none of the known forms.
 */
export function ruleOf(reason: string): string | null {
  if (reason.startsWith('judge: ')) return 'judge:threshold';
  if (!reason.startsWith('guard: ')) return null;
  const match = GUARD_PATTERN.exec(reason);
  const pattern = match?.[1] ?? match?.[2];
  if (pattern !== undefined) return cut(singleBackslashes(pattern), MAX_NAME);
  const structure = GUARD_STRUCTURE.exec(reason)?.[1];
  return structure === undefined ? null : cut(`structure:${structure}`, MAX_NAME);
}

/** The original logs its patterns with every backslash doubled: then each run of them has an even length. */
function singleBackslashes(pattern: string): string {
  const runs = pattern.match(/\\+/g);
  if (runs === null || runs.some((run) => run.length % 2 === 1)) return pattern;
  return pattern.replaceAll('\\\\', '\\');
}

/** @returns undefined for what is no JSON; Python's NaN and Infinity, which its writer lets through, count as null. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (!/NaN|Infinity/.test(text)) return undefined;
  }
  try {
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs, (token) => (token.startsWith('"') ? token : 'null')),
    );
  } catch {
    return undefined;
  }
}

/** An intent as a row has it. */
export function parsedIntent(text: string): string {
  return textOf(text, MAX_TEXT);
}

function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function isoSeconds(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return null;
  return finite(Date.parse(value) / 1000);
}

function nameOf(value: unknown): string {
  return textOf(value, MAX_NAME);
}

/** Well-formed, so that what SQLite gives back is what was put in. */
function textOf(value: unknown, max: number): string {
  return typeof value === 'string' ? cut(value, max).toWellFormed() : '';
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}

function keysOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((key) => typeof key === 'string')
    .slice(0, MAX_KEYS)
    .map((key) => nameOf(key));
}
