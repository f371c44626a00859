/**
 * The line (pipeline page): one proposed step from request to answer, through five stages in order. It writes the verdict
 * log before it answers and hands every answer to be kept. May not import another feature: levels, grants, the judge and
 * the desk at which a person decides come as arguments. Every fault denies.
 */
import type { DecideAnswer, DecideRequest, DecisionKind, TrailStep } from '../../shared/domain/decision.ts';
import { readDecideRequest } from '../../shared/domain/read-request.ts';
import type { NewDecision } from '../db/decisions.ts';
import type { Ask, Desk } from '../engine/ask.ts';
import type { Clock } from '../engine/clock.ts';
import type { Evaluation } from '../vaglio/judge.ts';
import type { LogEntry } from '../vaglio/log-line.ts';
import { answerOf, decisionOf, type Finish, stepOfTrail } from './answer.ts';
import { askOf } from './approval.ts';
import { createFlights, type Flight, type Flights } from './in-flight.ts';
import { awaitPerson, type PersonDeps, type Waiting } from './person.ts';
import type { DecideOptions, Line, Supposed } from './port.ts';
import { createRecheck } from './recheck.ts';
import { type Run, runAllStages, runStages, type StageDeps } from './run-stages.ts';
import { denied, failed, type Step } from './stage.ts';
import type { VaglioCall } from './vaglio.ts';
import { endEntry, evaluationEntry } from './verdict-lines.ts';

export interface LineDeps extends Omit<StageDeps, 'desk'> {
  clock: Clock;
  desk: Desk;
  /** Guard and rule-based judge with a threshold of their own, absent: the one in force; for a try. */
  evaluateTry(call: VaglioCall, threshold: number | undefined): Evaluation;
  /** The guard alone: why it blocks, or null. */
  guard(call: VaglioCall): { rule: string; reason: string } | null;
  /** Puts a line into the verdict log. Never throws. */
  log(entry: LogEntry): void;
  /** Keeps an answer. Never throws. */
  keep(decision: NewDecision): void;
  /** Requests that are not answered yet; shared with the freeze. */
  flights?: Flights;
}

interface Logged {
  ts: number | null;
}

export function createLine(deps: LineDeps): Line {
  const { clock, desk } = deps;
  const flights = deps.flights ?? createFlights(clock);
  const person: PersonDeps = { desk, clock, recheck: createRecheck(deps) };

  const runOf = (request: DecideRequest, logged: Logged): Run => ({
    step: newStep(request),
    trail: [],
    finish: null,
    signal: () => new AbortController().signal,
    evaluated: (_, evaluation) => {
      logged.ts = evaluation.verdict.ts;
      deps.log(evaluationEntry(request, evaluation));
    },
    ended: (stage, rule, why) => {
      // Guard and judge have their own line.
      if (logged.ts !== null) return;
      logged.ts = clock() / 1000;
      deps.log(endEntry(request, stage, rule, why, logged.ts));
    },
  });

  const conclude = (run: Run, finish: Finish, logged: Logged, token: string | null = null): DecideAnswer => {
    const answer = answerOf(run.step, run.trail, finish);
    deps.keep(decisionOf(run.step, answer, clock(), logged.ts, token));
    return answer;
  };

  const askPerson = async (run: Run, logged: Logged, flight: Flight, options: DecideOptions): Promise<DecideAnswer> => {
    const asked = askOf(run.step);
    const start = performance.now();
    const onCard = (card: Waiting): void => {
      flight.token = card.token;
      options.onPending?.({ token: card.token, expires_at: card.expires_at });
    };
    let finish: Finish;
    try {
      const card = await desk.open(asked);
      onCard(card);
      // While it was written, a level may have been lowered, everything frozen.
      const changed = person.recheck(asked);
      if (changed !== null) desk.refuse(card.token, 'policy');
      const until = clock() + (run.step.request.wait_s ?? 0) * 1000;
      finish =
        changed !== null
          ? { ...finished('denied', changed.rule, `denied: ${changed.reason}`), by: 'rule' }
          : await awaitPerson(asked, card, { until, signal: flight.signal, withdraws: true, onCard }, person);
    } catch (error) {
      finish = faultAt('approval', error);
    }
    replaceLast(run.trail, finish, performance.now() - start);
    return conclude(run, finish, logged, flight.token);
  };

  const decide = (request: unknown, options: DecideOptions): DecideAnswer | Promise<DecideAnswer> => {
    const parsed = readDecideRequest(request);
    if (!parsed.success) return unreadable(request, parsed.error.issues);
    const logged: Logged = { ts: null };
    const run = runOf(parsed.data, logged);
    const flight = flights.start(run.step, options.signal);
    run.signal = () => flight.signal;
    let answer: DecideAnswer | Promise<DecideAnswer> | null = null;
    try {
      const later = runStages(run, deps);
      const settle = () => settleRun(run, logged, flight, options);
      answer = later === null ? settle() : later.then(settle);
      return answer instanceof Promise ? answer.finally(() => flight.end()) : answer;
    } finally {
      if (!(answer instanceof Promise)) flight.end();
    }
  };

  /** What comes of the stages' answers. */
  const settleRun = (
    run: Run,
    logged: Logged,
    flight: Flight,
    options: DecideOptions,
  ): DecideAnswer | Promise<DecideAnswer> => {
    if (run.finish !== null) return conclude(run, run.finish, logged);
    if (flight.isCancelled) {
      return conclude(run, { ...finished('withdrawn', 'approval:withdrawn', 'the caller left'), by: 'caller' }, logged);
    }
    if (run.step.asks) return askPerson(run, logged, flight, options);
    return conclude(run, passedAll(run.step), logged);
  };

  const unreadable = (request: unknown, issues: readonly { path: PropertyKey[]; message: string }[]): DecideAnswer => {
    const where = issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.map(String).join('.') || 'request'}: ${message}`);
    const reason = `this is no request: ${where.join('; ')}`;
    const finish: Finish = { ...finished('denied', 'validation:request', reason), stage: 'validation' };
    const trail = [stepOfTrail('validation', denied(finish.rule, reason), 0)];
    const answer = answerOf(null, trail, finish);
    const known = textsOf(request);
    const ts = clock() / 1000;
    deps.log(endEntry(known, 'validation', finish.rule, 'this is no request', ts));
    const { channel, sender_id, executor } = known;
    deps.keep({ ...decisionOf(null, answer, clock(), ts, null), channel, sender_id, executor });
    return answer;
  };

  const tryOut = async (request: unknown, supposed: Supposed): Promise<DecideAnswer> => {
    const parsed = readDecideRequest(request);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const reason = `this is no request: ${issue?.path.map(String).join('.') || 'request'}: ${issue?.message ?? ''}`;
      return answerOf(null, [], { ...finished('denied', 'validation:request', reason), stage: 'validation' });
    }
    const run: Run = { ...runOf(parsed.data, { ts: null }), evaluated: () => undefined, ended: () => undefined };
    await runAllStages(run, {
      ...deps,
      // Nothing is counted, neither in the rate limits nor with the grants.
      decide: deps.tryOut,
      levelOf: (channel, senderId) => {
        const now = deps.levelOf(channel, senderId);
        return supposed.level === undefined ? now : { ...now, level: supposed.level, frozen: false, problem: null };
      },
      evaluate: (call) => deps.evaluateTry(call, supposed.threshold),
      desk: { silencedBy: () => null },
    });
    if (run.finish !== null) return answerOf(run.step, run.trail, run.finish);
    const asks = finished('approval_required', 'approval:asked', 'a person has to decide');
    return answerOf(run.step, run.trail, run.step.asks ? asks : passedAll(run.step));
  };

  const awaitToken = async (token: string, waitS: number, signal: AbortSignal): Promise<DecideAnswer> => {
    const asked = desk.askOf(token);
    const start = performance.now();
    const run: Run = { ...runOf(requestOf(asked), { ts: null }), trail: [] };
    if (asked !== null) run.step = stepOf(asked, run.step, deps);
    let current = token;
    let finish: Finish;
    if (asked === null) {
      finish = settled(desk.stateOf(token).status);
    } else {
      const first = { token, expires_at: '', expires_ms: Number.MAX_SAFE_INTEGER, ...desk.termsOf(token) };
      const onCard = (card: Waiting): void => {
        current = card.token;
      };
      const until = clock() + waitS * 1000;
      finish = await awaitPerson(asked, first, { until, signal, withdraws: false, onCard }, person);
    }
    run.trail.push(trailOf(finish, performance.now() - start));
    if (finish.decision === 'approval_required') return answerOf(run.step, run.trail, finish);
    return conclude(run, finish, { ts: null }, current);
  };

  return {
    decide: (request, options = {}) => {
      try {
        const answer = decide(request, options);
        return answer instanceof Promise ? answer.catch(lastResort) : answer;
      } catch (error) {
        return lastResort(error);
      }
    },
    await: (token, { wait_s = 0, signal = new AbortController().signal } = {}) =>
      awaitToken(token, wait_s, signal).catch(lastResort),
    cancel: (id) => {
      if (flights.cancel(id)) return true;
      try {
        const asked = desk.askOf(id);
        return asked !== null && desk.withdraw(id, asked.sender_id);
      } catch {
        return false;
      }
    },
    tryOut: (request, supposed = {}) => tryOut(request, supposed).catch(lastResort),
    inFlight: () => flights.list(),
  };
}

function newStep(request: DecideRequest): Step {
  return {
    request,
    entry: null,
    needs: [],
    verb: 'use',
    level: null,
    capability: null,
    needsLevel: null,
    grantId: null,
    asks: false,
    verdict: null,
    marks: [],
  };
}

/** The step behind a card, for an answer about it. */
function stepOf(asked: Ask, step: Step, { levelOf }: Pick<LineDeps, 'levelOf'>): Step {
  const { needs, capability, channel, sender_id } = asked;
  return { ...step, needs, capability, asks: true, level: levelOf(channel, sender_id).level };
}

function requestOf(asked: Ask | null): DecideRequest {
  if (asked === null) return { channel: '', sender_id: '', intent: '', executor: '', args: {} };
  const { channel, sender_id, intent, executor, args, context, turn_id } = asked;
  return { channel, sender_id, intent, executor, args, context, ...(turn_id === null ? {} : { turn_id }) };
}

function passedAll(step: Step): Finish {
  const by = step.grantId === null ? 'table' : 'grant';
  return { ...finished('allowed', 'line:passed', 'all stages passed'), stage: 'vaglio', by };
}

function finished(decision: DecisionKind, rule: string, reason: string): Finish {
  return { decision, stage: 'approval', rule, reason, by: 'rule', error: null, approval: null };
}

/** A card whose step is not kept any more was decided for good, or never was ours. */
function settled(status: string): Finish {
  switch (status) {
    case 'rejected':
      return { ...finished('rejected', 'approval:person', 'rejected by a person'), by: 'person' };
    case 'expired':
      return { ...finished('expired', 'approval:expired', 'nobody decided in time'), by: 'timeout' };
    case 'withdrawn':
      return {
        ...finished('withdrawn', 'approval:withdrawn', 'the caller left before a person decided'),
        by: 'caller',
      };
    case 'approved':
      return finished('denied', 'approval:used', 'denied: this approval was used already');
    default:
      return finished('denied', 'approval:unknown', 'denied: there is no such request for approval');
  }
}

function faultAt(stage: 'approval', error: unknown): Finish {
  const { rule, reason, end } = failed(stage, error);
  return { decision: 'denied', stage, rule, reason, by: 'error', error: end?.error ?? null, approval: null };
}

/** For a fault outside every stage. */
function lastResort(error: unknown): DecideAnswer {
  const finish = faultAt('approval', error);
  return answerOf(null, [trailOf(finish, 0)], { ...finish, rule: 'line:error' });
}

function trailOf({ rule, reason, decision }: Finish, ms: number): TrailStep {
  const outcome = decision === 'approval_required' ? 'asked' : decision === 'approved' ? 'passed' : 'ended';
  return { stage: 'approval', outcome, rule, reason, ms, matched: null, reached: true };
}

/** The asking and what came of it are one stage. */
function replaceLast(trail: TrailStep[], finish: Finish, ms: number): void {
  trail.pop();
  trail.push(trailOf(finish, ms));
}

const LONGEST = 500;

/** What can be said of a request that is none. */
function textsOf(request: unknown): Pick<DecideRequest, 'intent' | 'executor' | 'channel' | 'sender_id'> {
  const some = typeof request === 'object' && request !== null ? (request as Record<string, unknown>) : {};
  const text = (key: string): string => {
    const value = some[key];
    return typeof value === 'string' ? value.slice(0, LONGEST) : '';
  };
  return { intent: text('intent'), executor: text('executor'), channel: text('channel'), sender_id: text('sender_id') };
}
