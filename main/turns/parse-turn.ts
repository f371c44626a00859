import { isBelievable } from '../audit/log-time.ts';
import { parseJson } from '../audit/parse-line.ts';
import type { LineFormat } from '../audit/split-line.ts';
import { numberOf, outcomeOf, type RawStep, recordOf, textOf } from './step-facts.ts';

/** What the list needs of a turn; the rest is read from its file when somebody looks at it. Pure. */
export interface TurnHead {
  kind: 'turn';
  turn_id: string | null;
  /** Unix time, ms. */
  start_ms: number | null;
  end_ms: number | null;
  intent: string;
  channel: string | null;
  sender: string | null;
  final_kind: string | null;
  steps: number;
  refused: number;
  failed: number;
  /** Names of the executors, each once. */
  tools: string[];
}

/** Longer texts are cut in the list; the line itself stays whole in its file. */
const MAX_INTENT = 1000;
const MAX_NAME = 256;
const MAX_TOOLS = 100;

/** Lines of the turn log, as the original writes them and as we do. */
export const TURN_LINES: LineFormat<TurnHead> = {
  starts: ['{"ts_start"', '{"turn_id"'],
  parse(text) {
    const line = parseTurnLine(text);
    if (line === 'invalid-json' || line === 'not-object') return { kind: 'unreadable', why: line };
    return headOf(line);
  },
};

/** @returns the line's object, or why it is none. Never throws. */
export function parseTurnLine(text: string): Record<string, unknown> | 'invalid-json' | 'not-object' {
  const value = parseJson(text);
  if (value === undefined) return 'invalid-json';
  return recordOf(value) ?? 'not-object';
}

/** The steps of a line; what is no object counts as a step of which nothing is known. */
export function stepsOf(line: Record<string, unknown>): RawStep[] {
  return Array.isArray(line.steps) ? line.steps.map((step) => recordOf(step) ?? {}) : [];
}

export function headOf(line: Record<string, unknown>): TurnHead {
  const tools = new Set<string>();
  let steps = 0;
  let refused = 0;
  let failed = 0;
  for (const step of stepsOf(line)) {
    steps++;
    const outcome = outcomeOf(step);
    if (outcome === 'refused') refused++;
    else if (outcome === 'failed') failed++;
    const tool = textOf(step.chosen_tool, MAX_NAME);
    if (tool !== '' && tools.size < MAX_TOOLS) tools.add(tool);
  }
  return {
    kind: 'turn',
    turn_id: nameOf(line.turn_id),
    start_ms: timeOf(line.ts_start),
    end_ms: timeOf(line.ts_end),
    intent: textOf(line.user_query, MAX_INTENT),
    channel: nameOf(line.channel),
    sender: nameOf(line.actor),
    final_kind: nameOf(line.final_kind),
    steps,
    refused,
    failed,
    tools: [...tools],
  };
}

/** A text, or a number as some programs write an id; null for all else and for an empty text. */
export function nameOf(value: unknown): string | null {
  return textOf(typeof value === 'number' ? String(value) : value, MAX_NAME) || null;
}

/** Unix seconds or an ISO date, as ms; null for what cannot be a time. */
function timeOf(value: unknown): number | null {
  const iso = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value);
  const seconds = iso ? numberOf(Date.parse(value) / 1000) : numberOf(value);
  return isBelievable(seconds) ? Math.round(seconds * 1000) : null;
}
