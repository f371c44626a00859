/**
 * The vaglio's public face: the guard first, then the judge (vaglio page, sections 1 and 3). The two never mix: no
 * score excuses what the guard stops. Any fault inside is a refusal.
 */
import type { BlockedBy, JudgeKind, Verdict } from '../../shared/domain/verdict.ts';
import type { Clock } from '../engine/clock.ts';
import { walkArgs } from './args-walk.ts';
import type { PasswdLookup } from './expand-user.ts';
import { type GuardBlock, type GuardSpan, guardWalked, unreadableBlock } from './guard.ts';
import { asRecord, type PlainRecord } from './plain-record.ts';
import { ruleScore } from './rule-judge.ts';
import { twoDigits } from './threshold.ts';

/** Rule id of a refusal by the judge. */
export const THRESHOLD_RULE = 'judge:threshold';

/** Longest executor name that is looked at, in UTF-16 units: its tokens are kept in memory. */
const MAX_NAME = 65_536;

/** Verbs that only read or compute (vaglio page, section 4). */
const SAFE_VERBS: ReadonlySet<string> = new Set([
  'read',
  'find',
  'get',
  'list',
  'filter',
  'describe',
  'classify',
  'compute',
  'compare',
  'sort',
  'group',
]);

/** What a layer above the guard's core found. */
export interface LayerFinding {
  /** Set when the layer blocks the call. */
  block: GuardBlock | null;
  /** Rule ids that a person should see before saying yes. */
  marks: readonly string[];
}

/** A layer above the core: asked only for what the core lets through, so it can block more and never less. */
export type GuardLayer = (executor: string, args: unknown, context: unknown, home: string) => LayerFinding;

export interface JudgeOptions {
  /** In [0, 1]; a score below it is denied. */
  threshold: number;
  /** The home folder that a leading `~` stands for. */
  home: string;
  clock: Clock;
  passwd: PasswdLookup;
  /** METNOS_SAFE_VERB_SHORTCUT=always: verbs that only read are approved without the judge, never without the guard. */
  safeVerbShortcut?: boolean;
  /** The structural layer (vaglio page, section 2); absent when it is switched off. */
  layer?: GuardLayer | undefined;
}

/** A verdict with what only the screen and the log's own columns show. */
export interface Evaluation {
  verdict: Verdict;
  /** What decided: a guard pattern, UNREADABLE_RULE or THRESHOLD_RULE; null when approved. */
  rule: string | null;
  span: GuardSpan | null;
  /** Ids of the structural layer's rules that were met without a block, each once. */
  marks: readonly string[];
}

const NO_MARKS: readonly string[] = [];

/** Unix seconds; a clock that fails does not open a door. */
export function seconds(clock: Clock): number {
  try {
    return clock() / 1000;
  } catch {
    return 0;
  }
}

function verdictOf(
  approved: boolean,
  reason: string,
  ts: number,
  judge_kind: JudgeKind,
  score: number,
  blocked_by: BlockedBy | null,
): Verdict {
  return { approved, reason, ts, judge_kind, score, blocked_by };
}

/** The verdict about a block of the guard. */
export function refusal(block: GuardBlock, ts: number): Evaluation {
  const verdict = verdictOf(false, block.reason, ts, 'rule-based-v1', 0, 'guard');
  return { verdict, rule: block.rule, span: block.span ?? null, marks: NO_MARKS };
}

/** The verdict about a score, with the exact reason forms of section 1. */
export function decide(
  scored: { raw: number; score: number; text: string; notes: string },
  threshold: number,
  kind: JudgeKind,
  ts: number,
): Evaluation {
  // Written so that a score or threshold that is no number is denied.
  if (scored.raw >= threshold) {
    const reason = `approved: score ${scored.text} (${scored.notes})`;
    return { verdict: verdictOf(true, reason, ts, kind, scored.score, null), rule: null, span: null, marks: NO_MARKS };
  }
  const reason = `judge: score ${scored.text} < soglia ${twoDigits(threshold)} (${scored.notes})`;
  return {
    verdict: verdictOf(false, reason, ts, kind, scored.score, 'judge'),
    rule: THRESHOLD_RULE,
    span: null,
    marks: NO_MARKS,
  };
}

/** The approval of a verb that only reads, or null. */
export function safeVerb(executor: string, ts: number): Evaluation | null {
  const cut = executor.indexOf('_');
  const verb = cut < 0 ? executor : executor.slice(0, cut);
  if (!SAFE_VERBS.has(verb)) return null;
  const reason = `safe-verb: ${verb} (read-only/pure-compute)`;
  return {
    verdict: verdictOf(true, reason, ts, 'safe-verb-shortcut', 1, null),
    rule: null,
    span: null,
    marks: NO_MARKS,
  };
}

function ruled(
  intent: string,
  executor: string,
  args: PlainRecord,
  context: PlainRecord,
  traversal: boolean,
  ts: number,
  options: JudgeOptions,
): Evaluation {
  const shortcut = options.safeVerbShortcut === true ? safeVerb(executor, ts) : null;
  if (shortcut !== null) return shortcut;
  return decide(ruleScore(intent, executor, args, context, traversal), options.threshold, 'rule-based-v1', ts);
}

/**
 * Guard and rule-based judge. Never throws and never approves because of a fault: types are checked here, whatever
 * the caller's types say.
 */
export function evaluate(
  intent: string,
  executor: string,
  args: unknown,
  context: unknown,
  options: JudgeOptions,
): Evaluation {
  const ts = seconds(options.clock);
  try {
    const walked = walkArgs(args, options.home, options.passwd);
    const block = guardWalked(executor, args, context, walked);
    if (block !== null) return refusal(block, ts);
    const argRecord = asRecord(args);
    const contextRecord = asRecord(context);
    if (typeof intent !== 'string' || typeof executor !== 'string' || argRecord === null || contextRecord === null) {
      return refusal(unreadableBlock('type'), ts);
    }
    if (executor.length > MAX_NAME) return refusal(unreadableBlock('size'), ts);
    const found = options.layer?.(executor, args, context, options.home);
    if (found !== undefined && found.block !== null) return { ...refusal(found.block, ts), marks: found.marks };
    const passed = ruled(intent, executor, argRecord, contextRecord, walked.traversal, ts, options);
    return found === undefined || found.marks.length === 0 ? passed : { ...passed, marks: found.marks };
  } catch {
    return refusal(unreadableBlock('exception'), ts);
  }
}

/** The one public signature (vaglio page, section 1). */
export function judge(
  intent: string,
  executor: string,
  args: unknown,
  context: unknown,
  options: JudgeOptions,
): Verdict {
  return evaluate(intent, executor, args, context, options).verdict;
}
