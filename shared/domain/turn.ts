import { z } from 'zod';
import { stageSchema } from './decision.ts';

/**
 * A turn: one request of a person and the steps that it led to (pipeline page, "Turns"). What a log does not say
 * is null, never guessed.
 */
const turnSourceSchema = z.enum([
  /** A line of the turn log. */
  'log',
  /** Kept answers of our own line that name the turn; the log has no line of it (yet). */
  'line',
  /** A transcript that Claude Code itself keeps; read only where a person switched that on. */
  'claude-code',
]);

export const turnRowSchema = z.object({
  /** Names it within this run of the engine; a turn that grows keeps its key. */
  key: z.string(),
  source: turnSourceSchema,
  turn_id: z.string().nullable(),
  /** Unix time, ms: what it is ordered by; the start of its day where the log gives no time. */
  at_ms: z.number(),
  start_ms: z.number().nullable(),
  end_ms: z.number().nullable(),
  /** Last sign of life, Unix time, ms. */
  last_ms: z.number(),
  /** What the person asked for; empty when nobody says. The list may have it cut. */
  intent: z.string(),
  channel: z.string().nullable(),
  /** `actor` of the log, `sender_id` of our line. */
  sender: z.string().nullable(),
  /** `answer`, `ask`, `error`, `loop_break`, or what else the log says; null when nobody has said how it ended. */
  final_kind: z.string().nullable(),
  steps: z.number().int(),
  /** Steps that a stage stopped. */
  refused: z.number().int(),
  /** Steps that ran and failed. */
  failed: z.number().int(),
});
export type TurnRow = z.infer<typeof turnRowSchema>;

/** What is known of one stage of one step. */
export const turnStageSchema = z.object({
  stage: stageSchema,
  /**
   * As a trail's outcome; `asked` waits for a person, `not-reached` lies behind the end of the line, `unknown`: the
   * log does not say.
   */
  state: z.enum(['passed', 'ended', 'asked', 'skipped', 'not-reached', 'unknown']),
  /** Stable id of the rule, where the source has one. */
  rule: z.string().nullable(),
  /** As the source has it. */
  reason: z.string().nullable(),
  ms: z.number().nullable(),
});
export type TurnStage = z.infer<typeof turnStageSchema>;

/** How a step went: `ran`, `failed` (it ran), `refused` (it did not), `waiting` for a person, or nobody says. */
export const stepOutcomeSchema = z.enum(['ran', 'failed', 'refused', 'waiting', 'unknown']);
export type StepOutcome = z.infer<typeof stepOutcomeSchema>;

const count = z.number().nullable();

export const turnStepSchema = z.object({
  /** Place in the turn, from 0. */
  index: z.number().int(),
  /** As the log counts. */
  step_num: z.number().nullable(),
  /** Empty when the log names none. */
  executor: z.string(),
  outcome: stepOutcomeSchema,
  /** The five stages, in order. */
  stages: z.array(turnStageSchema),
  /** `vaglio_approved` as it stands in the log. */
  vaglio_approved: z.boolean().nullable(),
  args_keys: z.array(z.string()),
  /** The source has the values: ask `turns.values` for them. */
  has_values: z.boolean(),
  /** What the policy was asked about; only our own line keeps it. */
  target: z.string().nullable(),
  error: z.string().nullable(),
  llm_in_tokens: count,
  llm_out_tokens: count,
  /** All in ms. */
  llm_latency_ms: count,
  intent_ms: count,
  vaglio_ms: count,
  exec_ms: count,
  /** When our line decided it, Unix time, ms. */
  decided_ms: count,
  /** Its line in the verdict log; `sure` when the record names it, otherwise it is told by time, executor and order. */
  verdict: z.object({ seq: z.number().int(), sure: z.boolean() }).nullable(),
});
export type TurnStep = z.infer<typeof turnStepSchema>;

export const turnSchema = z.object({
  row: turnRowSchema,
  steps: z.array(turnStepSchema),
  /** Steps of the log behind the first 1,000, which are not in `steps`. */
  left_out: z.number().int(),
  final_message: z.string().nullable(),
  conversation_id: z.string().nullable(),
  owner_user_id: z.string().nullable(),
  mode: z.string().nullable(),
  /** Keys of the line that this version does not know. */
  other_keys: z.array(z.string()),
  /** Where its line stands; null for a turn that only our line knows. */
  place: z.object({ file: z.string(), line: z.number().int(), offset: z.number().int() }).nullable(),
});
export type Turn = z.infer<typeof turnSchema>;
