import type { DecideRequest, Stage } from '../../shared/domain/decision.ts';
import type { Evaluation } from '../vaglio/judge.ts';
import type { LogEntry } from '../vaglio/log-line.ts';

type Logged = Pick<DecideRequest, 'intent' | 'executor'> & Partial<DecideRequest>;

/** The line of guard and judge in the verdict log (vaglio page, section 5): keys of args and context, never a value. */
export function evaluationEntry(request: Logged, { verdict, rule, marks }: Evaluation): LogEntry {
  const entry = shared(request, rule);
  return { verdict, ...entry, extra: marks.length === 0 ? entry.extra : { ...entry.extra, marks } };
}

/**
 * The line of a step that another stage ended before guard and judge were asked: a decision that was given is in the log.
 * @param logged the reason, without any value of args @param ts Unix time, seconds
 */
export function endEntry(request: Logged, stage: Stage, rule: string, logged: string, ts: number): LogEntry {
  const reason = `${stage}: ${logged}`;
  const verdict = { approved: false, reason, ts, judge_kind: 'rule-based-v1', score: 0, blocked_by: stage } as const;
  return { verdict, ...shared(request, rule) };
}

function shared(request: Logged, rule: string | null): Omit<Required<LogEntry>, 'verdict'> {
  const { intent, executor, args, context, turn_id } = request;
  const extra: NonNullable<LogEntry['extra']> = {};
  if (turn_id !== undefined) extra.turn_id = turn_id;
  if (typeof context?.step === 'number' && Number.isFinite(context.step)) extra.step = context.step;
  if (rule !== null) extra.rule = rule;
  return {
    intent,
    executor,
    argsKeys: args === undefined ? [] : Object.keys(args),
    contextKeys: context === undefined ? [] : Object.keys(context),
    extra,
  };
}
