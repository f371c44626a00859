import { z } from 'zod';
import { autonomyLevelSchema } from './capability.ts';
import { verdictSchema } from './verdict.ts';

/** The five stages of the line, in order (pipeline page). */
export const STAGES = ['validation', 'scope', 'policy', 'vaglio', 'approval'] as const;
export const stageSchema = z.enum(STAGES);
export type Stage = z.infer<typeof stageSchema>;

/** How the line ends. Only `allowed` and `approved` mean: it may run. */
export const DECISIONS = [
  'allowed',
  'approved',
  'denied',
  'rejected',
  'expired',
  'withdrawn',
  'approval_required',
] as const;
export const decisionKindSchema = z.enum(DECISIONS);
export type DecisionKind = z.infer<typeof decisionKindSchema>;

/** Who or what decided: the policy table, a grant, a rule of a stage, a person, the end of the time, the caller who left, a fault. */
export const deciderSchema = z.enum(['table', 'grant', 'rule', 'person', 'timeout', 'caller', 'error']);
export type Decider = z.infer<typeof deciderSchema>;

/** A capability that an executor declares, with the paths, hosts or names that it keeps to. */
export const declaredCapabilitySchema = z.object({
  name: z.string().max(200),
  hints: z.array(z.string().max(4096)).max(1000).optional(),
});
export type DeclaredCapability = z.infer<typeof declaredCapabilitySchema>;

/** Any JSON object, handed on as it is: a copy could leave out a key (`__proto__`) that the executor would get. */
const jsonObjectSchema = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
);

/** One proposed step (pipeline page, "Request"). */
export const decideRequestSchema = z.object({
  channel: z.string().min(1).max(200),
  sender_id: z.string().min(1).max(200),
  intent: z.string(),
  executor: z.string().min(1).max(500),
  args: jsonObjectSchema,
  /** Never makes an outcome laxer than what the catalogue or the executor's name says. */
  capability: z.string().max(200).optional(),
  /** Likewise: it adds a target, it never takes one of the args away. */
  target: z.string().optional(),
  context: z
    .looseObject({
      mode: z.string().optional(),
      step: z.number().optional(),
      critical: z.boolean().optional(),
      capability: z.string().optional(),
    })
    .optional(),
  turn_id: z.string().max(200).optional(),
  /** JSON Schema of the args; references to other documents are refused. */
  args_schema: jsonObjectSchema.optional(),
  /** What the executor declares; absent: what the catalogue says. */
  capabilities: z.array(declaredCapabilitySchema).max(100).optional(),
  /** Seconds that the caller is ready to wait for a person; absent or 0: it does not wait. */
  wait_s: z.number().min(0).max(86_400).optional(),
  /** Duplicates with one id get one answer. */
  request_id: z.string().min(1).max(200).optional(),
});
export type DecideRequest = z.infer<typeof decideRequestSchema>;

/** Where in the args something matched. `path` leads to the value (`paths[0]`), offsets are UTF-16, `end` exclusive. */
export const matchedSchema = z.object({
  path: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  text: z.string(),
});
export type Matched = z.infer<typeof matchedSchema>;

export const trailStepSchema = z.object({
  stage: stageSchema,
  /** `asked`: a person has to decide; `skipped`: nothing to look at (no schema, no approval needed). */
  outcome: z.enum(['passed', 'ended', 'asked', 'skipped']),
  /** Stable id of the rule that decided, e.g. `policy:level`, `guard:…` the pattern itself, `approval:person`. */
  rule: z.string(),
  reason: z.string(),
  /** Time spent in the stage, ms, fractional. */
  ms: z.number(),
  matched: matchedSchema.nullable(),
  /** False for a stage behind the end of the line, which only a try looks at. */
  reached: z.boolean(),
});
export type TrailStep = z.infer<typeof trailStepSchema>;

/** Why a refusal's rule exists and what to do instead, in English; the panel has its own sentences by rule. */
export const refusalSchema = z.object({ why: z.string(), instead: z.string() });
export type Refusal = z.infer<typeof refusalSchema>;

export const decideAnswerSchema = z.object({
  decision: decisionKindSchema,
  /** The stage that ended the line; the last one that ran when all passed. */
  stage: stageSchema,
  rule: z.string(),
  reason: z.string(),
  /** The fault behind a refusal; null when no fault was in play. */
  error: z.string().nullable(),
  decided_by: deciderSchema,
  trail: z.array(trailStepSchema),
  /** null when the line ended before the vaglio. */
  verdict: verdictSchema.nullable(),
  level: autonomyLevelSchema.nullable(),
  /** The level that would allow or ask; null when none would, or when the level is not what stopped it. */
  needs_level: autonomyLevelSchema.nullable(),
  capability: z.string().nullable(),
  /** What the policy was asked about; several when the step names several. */
  targets: z.array(z.string()),
  grant_id: z.number().int().optional(),
  approval: z.object({ token: z.string(), expires_at: z.string() }).optional(),
  /** null when it may run, or when a person is still to decide. */
  refusal: refusalSchema.nullable(),
});
export type DecideAnswer = z.infer<typeof decideAnswerSchema>;

/** A kept answer (panel.db, `decisions`): never a value of args but the target. */
export const decisionRowSchema = z.object({
  id: z.number().int(),
  /** Unix time, ms. */
  at: z.number(),
  channel: z.string(),
  sender_id: z.string(),
  executor: z.string(),
  capability: z.string().nullable(),
  target: z.string().nullable(),
  level: z.string().nullable(),
  decision: decisionKindSchema,
  stage: stageSchema,
  rule: z.string(),
  decided_by: deciderSchema,
  /** Outcome of each stage that was reached. */
  stages: z.array(z.object({ stage: stageSchema, outcome: trailStepSchema.shape.outcome, rule: z.string() })),
  /** `ts` of the line in the verdict log; null when none was written. */
  verdict_ts: z.number().nullable(),
  grant_id: z.number().int().nullable(),
  approval_token: z.string().nullable(),
  turn_id: z.string().nullable(),
  step: z.number().nullable(),
  error: z.string().nullable(),
});
export type DecisionRow = z.infer<typeof decisionRowSchema>;

/** A request that the line has not answered yet. */
export const inFlightSchema = z.object({
  /** Names it within this run of the engine. */
  id: z.string(),
  channel: z.string(),
  sender_id: z.string(),
  executor: z.string(),
  capability: z.string().nullable(),
  /** Token of the card that it waits for; null while it is still judged. */
  token: z.string().nullable(),
  since_ms: z.number(),
});
export type InFlight = z.infer<typeof inFlightSchema>;
