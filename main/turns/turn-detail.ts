import type { DecisionRow } from '../../shared/domain/decision.ts';
import type { Turn, TurnStep } from '../../shared/domain/turn.ts';
import { nameOf, stepsOf } from './parse-turn.ts';
import { otherKeys, stepOfDecision, stepOfLog, textOf, withDecision } from './step-facts.ts';
import type { TurnEntry } from './turn-index.ts';

/** A turn as a whole, from its line in the log and what our own line kept. Pure. */

const MOST_STEPS = 1000;
const MAX_MESSAGE = 100_000;
const KNOWN_KEYS = new Set([
  'turn_id',
  'conversation_id',
  'ts_start',
  'ts_end',
  'user_query',
  'channel',
  'actor',
  'owner_user_id',
  'mode',
  'final_kind',
  'final_message',
  'steps',
]);

/** Where else a step of a turn stands. */
export interface StepPlace {
  /** Place among the log's own steps; null when the log does not have it. */
  logged: number | null;
  /** `ts` of its line in the verdict log, Unix seconds, where the record names it. */
  verdict_ts: number | null;
}

/**
 * @param line null for a turn that the log does not have
 * @param decisions that name it, in their order
 */
export function turnOf(
  entry: TurnEntry,
  line: Record<string, unknown> | null,
  decisions: readonly DecisionRow[],
): { turn: Turn; places: StepPlace[] } {
  const raw = line === null ? [] : stepsOf(line);
  const logged = raw.slice(0, MOST_STEPS).map(stepOfLog);
  const steps = joined(logged, decisions);
  const text = (key: string): string | null => (line === null ? null : nameOf(line[key]));
  const intent = line === null ? '' : textOf(line.user_query, MAX_MESSAGE);
  const turn: Turn = {
    row: { ...entry.row, intent: intent === '' ? entry.row.intent : intent },
    steps: steps.map(({ step }) => step),
    left_out: Math.max(0, raw.length - MOST_STEPS),
    final_message: (line === null ? '' : textOf(line.final_message, MAX_MESSAGE)) || null,
    conversation_id: text('conversation_id'),
    owner_user_id: text('owner_user_id'),
    mode: text('mode'),
    other_keys: line === null ? [] : Object.keys(line).filter((key) => !KNOWN_KEYS.has(key)),
    place: entry.place === null ? null : { file: entry.place.file, line: entry.place.line, offset: entry.place.offset },
  };
  return { turn, places: steps.map(({ place }) => place) };
}

/**
 * Steps of the log and answers of our line, each pair once. A step number that comes twice in one of them is told
 * apart by its order; an answer that the log has no step for stands by itself.
 */
function joined(
  logged: readonly TurnStep[],
  decisions: readonly DecisionRow[],
): { step: TurnStep; place: StepPlace }[] {
  const waiting = [...decisions];
  const steps = logged.map((step): { step: TurnStep; place: StepPlace } => {
    const at = waiting.findIndex((row) => row.step === step.step_num && row.step !== null && isOf(row, step));
    const [row] = at === -1 ? [] : waiting.splice(at, 1);
    const place = { logged: step.index, verdict_ts: row?.verdict_ts ?? null };
    return { step: row === undefined ? step : withDecision(step, row), place };
  });
  for (const row of waiting) {
    // The last answer to a step that was proposed several times comes last; the log told of one of them.
    const place = steps.findIndex(({ step }) => (step.step_num ?? 0) > (row.step ?? Number.POSITIVE_INFINITY));
    const one = { step: stepOfDecision(row, 0), place: { logged: null, verdict_ts: row.verdict_ts } };
    steps.splice(place === -1 ? steps.length : place, 0, one);
  }
  return steps.slice(0, MOST_STEPS).map((each, index) => ({ ...each, step: { ...each.step, index } }));
}

function isOf(row: DecisionRow, step: TurnStep): boolean {
  return step.executor === '' || row.executor === step.executor;
}

const MAX_JSON = 200_000;

interface Json {
  text: string | null;
  left: number;
}

function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return { text: null, left: 0 };
  const text = (JSON.stringify(value, null, 2) ?? '').toWellFormed();
  return { text: text.slice(0, MAX_JSON).toWellFormed(), left: Math.max(0, text.length - MAX_JSON) };
}

export interface StepValues {
  raw_args: Json;
  resolved_args: Json;
  result: Json;
  other: Json;
  problem: string | null;
}

/** The values of one step. @param step of the log; null when the log has none of it */
export function valuesOf(step: Record<string, unknown> | null, problem: string | null): StepValues {
  const other = step === null ? {} : otherKeys(step);
  return {
    raw_args: jsonOf(step?.raw_args),
    resolved_args: jsonOf(step?.resolved_args),
    result: jsonOf(step?.result),
    other: jsonOf(Object.keys(other).length === 0 ? null : other),
    problem,
  };
}
