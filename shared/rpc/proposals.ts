import { z } from 'zod';
import {
  finalDecisionSchema,
  flowSchema,
  llmConfigSchema,
  proposalAnswerSchema,
  proposalRowSchema,
  telosProblemSchema,
  telosSchema,
  vaglioResultSchema,
} from '../domain/constitution.ts';
import { method } from './contract.ts';

/** One action to evaluate; the engine reads `action` itself and names the field that is wrong. */
export const evaluateInputSchema = z.object({
  action: z.record(z.string(), z.unknown()),
  flow: flowSchema,
  /** Clamped to [0.5, 2]; 1 when absent. */
  urgency: z.number().optional(),
});

export const telosFileSchema = z.object({
  path: z.string(),
  /** null: there is no file, or it cannot be read. */
  text: z.string().nullable(),
  /** Names this state of the file; given back when saving. */
  version: z.string(),
  teloi: z.array(telosSchema),
  problems: z.array(telosProblemSchema),
  /** Why it cannot be read; null when it was, or when there is none. */
  unreadable: z.string().nullable(),
});
export type TelosFile = z.infer<typeof telosFileSchema>;

/** How a threshold sorts proposals that were judged, and how that fits what people answered. */
export const thresholdOutcomeSchema = z.object({
  theta: z.number(),
  publish: z.number().int(),
  defer: z.number().int(),
  reject: z.number().int(),
  /** Answered ones: published and wanted, published and not, held back though wanted, held back and not wanted. */
  hits: z.number().int(),
  disturbances: z.number().int(),
  missed: z.number().int(),
  spared: z.number().int(),
});
export type ThresholdOutcome = z.infer<typeof thresholdOutcomeSchema>;

export const calibrationSchema = z.object({
  judged: z.number().int(),
  answered: z.number().int(),
  /** Bins of width 0.1 over the alignment; the first also holds what is below 0, the last what is above 1. */
  bins: z.array(
    z.object({ from: z.number(), wanted: z.number().int(), unwanted: z.number().int(), open: z.number().int() }),
  ),
  in_force: thresholdOutcomeSchema,
  supposed: thresholdOutcomeSchema,
});
export type Calibration = z.infer<typeof calibrationSchema>;

export const proposalsContract = {
  /** The constitution's answer for one action; it is kept in the journal. @throws `bad-input` naming the field */
  evaluate: method({ kind: 'mutation', scope: 'operator', input: evaluateInputSchema, output: vaglioResultSchema }),
  /** Newest first; `before` is the id of the last row of the page before. */
  list: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      flow: flowSchema.optional(),
      decision: finalDecisionSchema.optional(),
      /** True: answered by a person; false: not yet. */
      answered: z.boolean().optional(),
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(200),
    }),
    output: z.object({ rows: z.array(proposalRowSchema), more: z.boolean(), problem: z.string().nullable() }),
  }),
  /** The day's digest: proposals that were deferred on it and that nobody answered yet, best fit first. */
  digest: method({
    kind: 'query',
    scope: 'operator',
    /** `YYYY-MM-DD` of the local day; absent: today. */
    input: z.object({
      day: z
        .string()
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .optional(),
    }),
    output: z.object({ day: z.string(), rows: z.array(proposalRowSchema), problem: z.string().nullable() }),
  }),
  /** What the person says to a proactive proposal. `never` also puts the like of it on law 2's list. */
  answer: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ id: z.number().int(), answer: proposalAnswerSchema }),
    output: proposalRowSchema,
  }),
  /** What is not to be proposed again. */
  unwanted: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      entries: z.array(
        z.object({ fingerprint: z.string(), kind: z.string(), targets: z.array(z.string()), since: z.number() }),
      ),
      problem: z.string().nullable(),
    }),
  }),
  /** Lets it be proposed again; `changed` is false when it was not on the list. */
  allowAgain: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ fingerprint: z.string().max(200) }),
    output: z.object({ changed: z.boolean() }),
  }),
  /** What is in force: threshold, budget, model. */
  standing: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      theta: z.number(),
      bother: z.object({ base: z.number(), daily_quota: z.number() }),
      published_today: z.number().int(),
      /** What the next proposal pays. */
      bother_cost: z.number(),
      /** null: no judge is configured, so nothing is published. */
      judge: llmConfigSchema.nullable(),
      /** Why the judge cannot be asked; null when it can, as far as is known. */
      judge_problem: z.string().nullable(),
      audit_signature: z.string(),
      problem: z.string().nullable(),
    }),
  }),
  calibration: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ theta: z.number().min(0).max(2) }),
    output: calibrationSchema.extend({ problem: z.string().nullable() }),
  }),
  telos: method({ kind: 'query', scope: 'operator', input: z.object({}), output: telosFileSchema }),
  /** What a text would mean, without saving it. */
  checkTelos: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ text: z.string().max(300_000) }),
    output: z.object({ teloi: z.array(telosSchema), problems: z.array(telosProblemSchema) }),
  }),
  /** @throws `bad-input` for a text with problems, `conflict` when the file changed since `version` */
  saveTelos: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ text: z.string().max(300_000), version: z.string() }),
    output: telosFileSchema,
  }),
  /** A tick at once, and whenever the journal or TELOS.md changed. */
  changed: method({
    kind: 'subscription',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ version: z.number().int() }),
  }),
};
