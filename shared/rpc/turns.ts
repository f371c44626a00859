import { z } from 'zod';
import { turnRowSchema, turnSchema } from '../domain/turn.ts';
import { method } from './contract.ts';

export const turnFilterSchema = z.object({
  channel: z.string().optional(),
  sender: z.string().optional(),
  /** A `final_kind` as the log says it, or `none` for turns of which nobody has said how they ended. */
  outcome: z.string().optional(),
  /** With a step that a stage stopped. */
  refused: z.boolean().optional(),
  /** With a step of this executor. */
  executor: z.string().optional(),
  /** Unix time, ms, from inclusive, to exclusive. */
  from_ms: z.number().optional(),
  to_ms: z.number().optional(),
  /** Words of the intent; the rule is `matchesText` in shared/lib/text-match.ts. */
  text: z.string().optional(),
});
export type TurnFilter = z.infer<typeof turnFilterSchema>;

/** How far the reader has come with the turn log and with what our own line keeps. */
export const turnsStateSchema = z.object({
  phase: z.enum(['starting', 'reading', 'following', 'failed']),
  files: z.number().int(),
  turns: z.number().int(),
  /** Stretches that are no JSON object, with where they are (newest 20). */
  unreadable: z.number().int(),
  unreadable_at: z.array(
    z.object({ file: z.string(), line: z.number().int(), offset: z.number().int(), why: z.string() }),
  ),
  /** Turns that are in the files but not listed, because there are too many. */
  left_out: z.number().int(),
  /** Why the folder cannot be followed; null when all is well. */
  problem: z.enum(['missing', 'unreadable', 'failed']).nullable(),
  detail: z.string().nullable(),
  /** Why turns of our own line may be missing; null when all is well. */
  line_problem: z.string().nullable(),
  /** How far the transcripts of Claude Code are read; null while that is switched off. */
  transcripts: z
    .object({
      files: z.number().int(),
      /** Older files that were not read, because there are too many. */
      files_left_out: z.number().int(),
      turns: z.number().int(),
      /** Lines that are damaged, of a kind that this version does not know, or of no request. */
      skipped: z.number().int(),
      /** Why turns may be missing; null when all is well. */
      problem: z.string().nullable(),
    })
    .nullable(),
});
export type TurnsState = z.infer<typeof turnsStateSchema>;

/** What can be filtered by, each with how many turns it has; most first. */
const choicesSchema = z.array(z.object({ name: z.string(), count: z.number().int() }));

const jsonSchema = z.object({
  /** Indented JSON; null when the source has none. */
  text: z.string().nullable(),
  /** Characters that were cut off. */
  left: z.number().int(),
});

export const turnsContract = {
  /** Newest first; `before` is the key of the last row of the page before. `not-found` when that turn is gone. */
  page: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      filter: turnFilterSchema.optional(),
      before: z.string().optional(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ rows: z.array(turnRowSchema), more: z.boolean(), state: turnsStateSchema }),
  }),
  choices: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      channels: choicesSchema,
      senders: choicesSchema,
      outcomes: choicesSchema,
      executors: choicesSchema,
    }),
  }),
  /** One turn with its steps: names of arguments, never their values. `not-found` when it is gone. */
  get: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ key: z.string().max(2000) }),
    output: turnSchema,
  }),
  /** What a step was called with and what came back, as far as the source has it; read from the file when asked. */
  values: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ key: z.string().max(2000), index: z.number().int().min(0) }),
    output: z.object({
      /** As the model wrote them, and as they were run. */
      raw_args: jsonSchema,
      resolved_args: jsonSchema,
      result: jsonSchema,
      /** The step's other keys. */
      other: jsonSchema,
      problem: z.string().nullable(),
    }),
  }),
  /** The turn's own line, exactly as it stands in the file. */
  raw: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ key: z.string().max(2000) }),
    output: z.object({ text: z.string().nullable(), left: z.number().int(), problem: z.string().nullable() }),
  }),
  /** The step that a line of the verdict log belongs to; null when there is none. */
  ofVerdict: method({
    kind: 'query',
    scope: 'operator',
    /** Of the verdict's row. */
    input: z.object({ seq: z.number().int(), ts: z.number(), executor: z.string(), intent: z.string() }),
    output: z.object({
      found: z
        .object({
          key: z.string(),
          index: z.number().int(),
          intent: z.string(),
          /** The record names it; otherwise it is told by time, executor and order. */
          sure: z.boolean(),
        })
        .nullable(),
    }),
  }),
  /**
   * Turns that are new or have grown. The first event comes at once, without rows, and says how the reader stands.
   * With `reset` rows were passed over or are gone: load the pages again.
   */
  live: method({
    kind: 'subscription',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ rows: z.array(turnRowSchema), reset: z.boolean(), state: turnsStateSchema }),
  }),
};
