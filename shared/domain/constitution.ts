import { z } from 'zod';

/** Asked for by the user, or the agent's own idea (constitution page, section 3). */
export const flowSchema = z.enum(['reactive', 'proactive']);
export type Flow = z.infer<typeof flowSchema>;

export const ARTICLE_IDS = [
  'law.0.perimetro',
  'law.1.non_nocivita',
  'law.2.obbedienza',
  'law.3.tracciabilita',
] as const;
export const articleIdSchema = z.enum(ARTICLE_IDS);
export type ArticleId = z.infer<typeof articleIdSchema>;

export const reversibilitySchema = z.enum(['reversible', 'partial', 'irreversible']);

const prose = z.string().max(20_000);

/**
 * An action as it is proposed. Whatever else the proposer sends (its trace, its session, its prompt) has no
 * place here and is dropped when it is read.
 */
export const actionSchema = z.object({
  /** Made here when the proposer has none. */
  action_id: z.uuid().optional(),
  /** What is done: the executor's name, or a verb of the proposer's. */
  kind: z.string().trim().min(1).max(200),
  /** Paths, hosts, recipients; for code the command. */
  targets: z.array(z.string().max(65_536)).max(1000).default([]),
  args: z.record(z.string(), z.unknown()).default({}),
  /** A name of the registry; another one counts as critical. */
  capability: z.string().min(1).max(200).optional(),
  /** Needed in a proactive action. */
  reversibility: reversibilitySchema.optional(),
  /** What the action keeps to, in words; patterns in it also bind its targets. */
  scope: z.union([z.string().max(4096), z.array(z.string().max(4096)).max(100)]).optional(),
  impact: prose.optional(),
  plan: z.union([prose, z.array(prose).max(100)]).optional(),
  rationale: prose.optional(),
  /** Whom it is done for; both or none. */
  channel: z.string().min(1).max(200).optional(),
  sender_id: z.string().min(1).max(200).optional(),
});
export type Action = z.infer<typeof actionSchema>;

/** All that the judge learns of an action (constitution page, section 4). */
export const compactActionSchema = z.object({
  kind: z.string(),
  scope: z.array(z.string()),
  impact: z.string(),
  plan: z.array(z.string()),
  reversibility: reversibilitySchema.nullable(),
  rationale: z.string(),
});
export type CompactAction = z.infer<typeof compactActionSchema>;

export const constitutionalVerdictSchema = z.object({
  passes: z.boolean(),
  contradicted_article: articleIdSchema.nullable(),
  /** Empty when it passes. */
  reason: z.string(),
});
export type ConstitutionalVerdict = z.infer<typeof constitutionalVerdictSchema>;

export const fitEstimateSchema = z.object({ telos_id: z.string(), fit: z.number(), why: z.string() });
export type FitEstimate = z.infer<typeof fitEstimateSchema>;

export const teleologicalVerdictSchema = z.object({
  expected_alignment: z.number(),
  per_telos: z.array(fitEstimateSchema),
  confidence: z.number(),
  bother_cost: z.number(),
  threshold_used: z.number(),
  decision: z.enum(['publish', 'reject', 'defer_to_digest']),
});
export type TeleologicalVerdict = z.infer<typeof teleologicalVerdictSchema>;

export const finalDecisionSchema = z.enum(['block', 'publish', 'reject', 'defer', 'allow']);
export type FinalDecision = z.infer<typeof finalDecisionSchema>;

export const llmConfigSchema = z.object({ provider: z.string(), model: z.string(), tier: z.string() });
export type LlmConfig = z.infer<typeof llmConfigSchema>;

/** How the figure came about; null in the result where no judge answered. */
export const alignmentTermsSchema = z.object({
  teloi: z.array(
    z.object({
      telos_id: z.string(),
      /** Declared weight, normalised, times the EMA. */
      weight: z.number(),
      ema: z.number(),
      fit: z.number(),
      threshold: z.number(),
      /** `fit`, or 0 below the threshold. */
      gated: z.number(),
    }),
  ),
  sum: z.number(),
  urgency: z.number(),
  confidence: z.number(),
  /** `sum` x `urgency` x `confidence`. */
  before_bother: z.number(),
  bother_cost: z.number(),
  expected_alignment: z.number(),
});
export type AlignmentTerms = z.infer<typeof alignmentTermsSchema>;

/** The answer of `evaluate` (constitution page, section 3); the last four fields are the record's. */
export const vaglioResultSchema = z.object({
  action_id: z.uuid(),
  final_decision: finalDecisionSchema,
  guard: constitutionalVerdictSchema,
  /** null when block or allow. */
  judge: teleologicalVerdictSchema.nullable(),
  llm_config_used: llmConfigSchema,
  /** ISO 8601 UTC. */
  at: z.string(),
  /** Why, in one sentence. */
  reason: z.string(),
  terms: alignmentTermsSchema.nullable(),
  /** As the proposer gave it and as it counted; they differ when it was clamped. */
  urgency: z.object({ given: z.number(), used: z.number() }),
  audit_signature: z.string(),
});
export type VaglioResult = z.infer<typeof vaglioResultSchema>;

/** `publish`: the person wanted to see it; `dismiss`: did not; `never`: and not again (law 2 uses it). */
export const proposalAnswerSchema = z.enum(['publish', 'dismiss', 'never']);
export type ProposalAnswer = z.infer<typeof proposalAnswerSchema>;

/** A kept evaluation (panel.db, `evaluations`). Holds no value of args. */
export const proposalRowSchema = z.object({
  id: z.number().int(),
  /** Unix time, ms. */
  at: z.number(),
  flow: flowSchema,
  capability: z.string().nullable(),
  targets: z.array(z.string()),
  action: compactActionSchema,
  result: vaglioResultSchema,
  /** Names what counts as the same proposal. */
  fingerprint: z.string(),
  answer: proposalAnswerSchema.nullable(),
  /** Unix time, ms. */
  answered_at: z.number().nullable(),
});
export type ProposalRow = z.infer<typeof proposalRowSchema>;

export const telosSchema = z.object({
  /** `t.<slug>` */
  id: z.string(),
  phrase: z.string(),
  /** As written. */
  weight: z.number(),
  /** The weights of a file sum up to 1. */
  normalised: z.number(),
  threshold: z.number(),
  notes: z.string(),
  line: z.number().int(),
});
export type Telos = z.infer<typeof telosSchema>;

/** What is wrong with a TELOS.md, by code; `what` is the field, section or number that is meant. */
export const telosProblemSchema = z.object({
  line: z.number().int(),
  code: z.enum([
    'no-sections',
    'too-few',
    'too-many',
    'bad-heading',
    'twice',
    'no-phrase',
    'no-weight',
    'bad-weight',
    'no-threshold',
    'bad-threshold',
    'field-twice',
    'too-large',
    'not-text',
  ]),
  what: z.string(),
});
export type TelosProblem = z.infer<typeof telosProblemSchema>;
