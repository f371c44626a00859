import { z } from 'zod';
import { autonomyLevelSchema } from '../domain/capability.ts';
import {
  decideAnswerSchema,
  decideRequestSchema,
  decisionKindSchema,
  decisionRowSchema,
  inFlightSchema,
  stageSchema,
} from '../domain/decision.ts';
import { method } from './contract.ts';

/** Instead of what is in force; absent: what is in force. */
const supposedSchema = z.object({
  level: autonomyLevelSchema.optional(),
  /** Of the rule-based judge, in [0, 1]. */
  threshold: z.number().min(0).max(1).optional(),
});

export const lineContract = {
  /** Every stage's answer; nothing is logged, kept, asked or run. */
  try: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ request: decideRequestSchema, supposed: supposedSchema.optional() }),
    output: decideAnswerSchema,
  }),
  /** Calls as JSON lines, each a request; how they fare now, and how they would under another level or threshold. */
  tryMany: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ text: z.string().max(4_000_000), supposed: supposedSchema }),
    output: z.object({
      rows: z.array(
        z.object({
          /** Counted from 1; blank lines count and are left out. */
          line: z.number().int(),
          executor: z.string().nullable(),
          decision: decisionKindSchema.nullable(),
          /** Under what was supposed. */
          supposed: decisionKindSchema.nullable(),
          stage: stageSchema.nullable(),
          rule: z.string().nullable(),
          reason: z.string(),
          /** Why the line is no request; null when it is one. */
          problem: z.string().nullable(),
        }),
      ),
      total: z.number().int(),
      /** Lines whose decision differs. */
      changed: z.number().int(),
      /** Lines behind the first 2,000, which were not looked at. */
      left_out: z.number().int(),
    }),
  }),
  /** Kept answers, newest first; `before` is the id of the last row of the page before. */
  decisions: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      limit: z.number().int().min(1).max(500),
      before: z.number().int().optional(),
      channel: z.string().optional(),
      sender_id: z.string().optional(),
      capability: z.string().optional(),
      decision: decisionKindSchema.optional(),
      turn_id: z.string().optional(),
      /** `ts` of a verdict line: the decision that it belongs to. */
      verdict_ts: z.number().optional(),
      approval_token: z.string().optional(),
      /** Unix time, ms, inclusive. */
      from_ms: z.number().optional(),
    }),
    output: z.object({
      rows: z.array(decisionRowSchema),
      more: z.boolean(),
      /** Why rows may be missing; null when all is kept. */
      problem: z.string().nullable(),
    }),
  }),
  inFlight: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ requests: z.array(inFlightSchema) }),
  }),
};
