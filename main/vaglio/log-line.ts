import type { Stage } from '../../shared/domain/decision.ts';
import type { Verdict } from '../../shared/domain/verdict.ts';
import { compareCodePoints } from './python-unicode.ts';
import { pyFloat } from './python-values.ts';

/** One call as the verdict log keeps it (vaglio page, section 5): keys of args and context, never a value. */
export interface LogEntry {
  /** `blocked_by` also names the stage of the line that ended before guard and judge were asked. */
  verdict: Omit<Verdict, 'blocked_by'> & { blocked_by: Verdict['blocked_by'] | Stage };
  intent: string;
  executor: string;
  argsKeys: readonly string[];
  contextKeys: readonly string[];
  /** Columns of ours, after the original's. */
  extra?: { turn_id?: string; step?: number; rule?: string; marks?: readonly string[] };
}

/** What JSON writes otherwise than as it is, or may. */
const SPECIAL = /[^ !#-[\]-~]/;

function text(value: string): string {
  return SPECIAL.test(value) ? JSON.stringify(value) : `"${value}"`;
}

/** Insertion sort: the few keys of a call are in order sooner than a general sort has begun. */
function sortedFew(keys: readonly string[]): string[] {
  const sorted = keys.slice();
  for (let i = 1; i < sorted.length; i++) {
    const key = sorted[i] ?? '';
    let at = i;
    for (let before = sorted[at - 1]; before !== undefined && before > key; before = sorted[at - 1])
      sorted[at--] = before;
    sorted[at] = key;
  }
  return sorted;
}

function list(keys: readonly string[]): string {
  if (keys.length === 0) return '[]';
  // Among plain characters the order of UTF-16 units is the order of code points.
  if (keys.length > 8 || keys.some((key) => SPECIAL.test(key))) {
    return `[${keys.toSorted(compareCodePoints).map(text).join(', ')}]`;
  }
  return `["${sortedFew(keys).join('", "')}"]`;
}

function number(value: number): string {
  return Number.isFinite(value) ? pyFloat(value) : 'null';
}

/** The line as the original writes it (separators, floats with their point), without its newline. */
export function logLine(entry: LogEntry): string {
  const { verdict, extra } = entry;
  const line =
    `{"approved": ${verdict.approved}, "reason": ${text(verdict.reason)}, "ts": ${number(verdict.ts)}, ` +
    `"judge_kind": "${verdict.judge_kind}", "score": ${number(verdict.score)}, ` +
    `"blocked_by": ${verdict.blocked_by === null ? 'null' : `"${verdict.blocked_by}"`}, ` +
    `"intent": ${text(entry.intent)}, "executor": ${text(entry.executor)}, ` +
    `"args_keys": ${list(entry.argsKeys)}, "context_keys": ${list(entry.contextKeys)}`;
  if (extra === undefined) return `${line}}`;
  const turn = extra.turn_id === undefined ? '' : `, "turn_id": ${text(extra.turn_id)}`;
  const step = extra.step === undefined ? '' : `, "step": ${JSON.stringify(extra.step)}`;
  const rule = extra.rule === undefined ? '' : `, "rule": ${text(extra.rule)}`;
  const marks = extra.marks === undefined ? '' : `, "marks": ${list(extra.marks)}`;
  return `${line}${turn}${step}${rule}${marks}}`;
}
