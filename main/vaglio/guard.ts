/**
 * The guard: the binary phase (vaglio page, section 2). Deterministic, no model, time linear in its input.
 * Clock, home and the user database are arguments: no file, no environment, no state.
 * It fails closed: what cannot be read is blocked.
 */
import { type Finding, keyPath, type WalkResult, walkArgs } from './args-walk.ts';
import { expandUser, type PasswdLookup, type Unreadable, unreadableUser } from './expand-user.ts';
import { findForbiddenPath } from './guard-paths.ts';
import { DANGEROUS_SHELL, FORBIDDEN_PATHS } from './guard-rules.ts';
import { findDangerousShell } from './guard-shell.ts';
import { asRecord, ownValue, type PlainRecord } from './plain-record.ts';
import { pyStr, pyTruthy } from './python-values.ts';

/** Rule id of a block that no pattern made: args that cannot be read. */
export const UNREADABLE_RULE = 'guard:unreadable';

/**
 * Where the rule matched. `path` leads to the value in args (`paths[0]`); `start` and `end` (exclusive) are UTF-16
 * offsets in the text that was searched: `~` expanded, a list joined. Holds a value: for the screen, never for a log.
 */
export interface GuardSpan {
  path: string;
  start: number;
  end: number;
  text: string;
}

export type GuardResult = { blocked: false } | GuardBlock;
export interface GuardBlock {
  blocked: true;
  /** The pattern as it is written in the page, or UNREADABLE_RULE. */
  rule: string;
  reason: string;
  span?: GuardSpan;
}

/** Nobody but the caller has a home. */
export const noUsers: PasswdLookup = () => null;

export function unreadableBlock(why: Unreadable): GuardBlock {
  return { blocked: true, rule: UNREADABLE_RULE, reason: `guard: args illeggibili: ${why}` };
}

function pathBlock(finding: Finding): GuardBlock {
  if (finding.match === null) return unreadableBlock(finding.unreadable ?? 'exception');
  const { hit, value } = finding.match;
  const rule = FORBIDDEN_PATHS[hit.rule] ?? UNREADABLE_RULE;
  return {
    blocked: true,
    rule,
    reason: `guard: forbidden path violato: pattern '${rule}' in args`,
    span: { path: keyPath(finding.keys), start: hit.start, end: hit.end, text: value.slice(hit.start, hit.end) },
  };
}

function shellBlock(args: PlainRecord): GuardBlock | null {
  const command = ownValue(args, 'command');
  const path = pyTruthy(command) ? 'command' : 'cmd';
  const value = path === 'command' ? command : ownValue(args, 'cmd');
  const text = Array.isArray(value) ? Array.from(value, pyStr).join(' ') : value;
  if (typeof text !== 'string') return null;
  const hit = findDangerousShell(text);
  if (hit === null) return null;
  const rule = DANGEROUS_SHELL[hit.rule] ?? UNREADABLE_RULE;
  return {
    blocked: true,
    rule,
    reason: `guard: comando shell quasi-irrecuperabile: '${rule}'`,
    span: { path, start: hit.start, end: hit.end, text: text.slice(hit.start, hit.end) },
  };
}

/**
 * Both checks, on args that have been walked.
 * @returns the block, or null when nothing is violated
 */
export function guardWalked(executor: string, args: unknown, context: unknown, walked: WalkResult): GuardBlock | null {
  if (walked.finding !== null) return pathBlock(walked.finding);
  const argRecord = asRecord(args);
  const contextRecord = asRecord(context);
  if (argRecord === null || contextRecord === null) return unreadableBlock('type');
  const isShell = executor === 'shell_exec' || ownValue(contextRecord, 'capability') === 'code:exec';
  return isShell ? shellBlock(argRecord) : null;
}

/**
 * Forbidden paths, then dangerous shell; the first violation decides. Never throws.
 * @param args what the executor would get; null counts as `{}`
 * @param home the caller's home folder, for a leading `~`
 * @param passwd the machine's users, for a leading `~user`
 */
export function guard(
  executor: string,
  args: unknown,
  context: unknown,
  home: string,
  passwd: PasswdLookup = noUsers,
): GuardResult {
  try {
    return guardWalked(executor, args, context, walkArgs(args, home, passwd)) ?? { blocked: false };
  } catch {
    return unreadableBlock('exception');
  }
}

/**
 * The forbidden path rule that one text violates, as a grant's target is checked (policy page, section 3).
 * @returns the pattern, UNREADABLE_RULE for a text that cannot be expanded, or null
 */
export function forbiddenPathMatch(value: string, home: string, passwd: PasswdLookup = noUsers): string | null {
  if (unreadableUser(value) !== null) return UNREADABLE_RULE;
  const hit = findForbiddenPath(expandUser(value, home, passwd));
  return hit === null ? null : (FORBIDDEN_PATHS[hit.rule] ?? UNREADABLE_RULE);
}
