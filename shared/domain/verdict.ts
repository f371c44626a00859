import { z } from 'zod';

export const blockedBySchema = z.enum(['guard', 'judge']);
export type BlockedBy = z.infer<typeof blockedBySchema>;

export const judgeKindSchema = z.enum(['rule-based-v1', 'llm-v1', 'safe-verb-shortcut']);
export type JudgeKind = z.infer<typeof judgeKindSchema>;

/** The answer of the two phases (vaglio page, section 1). */
export const verdictSchema = z.object({
  approved: z.boolean(),
  reason: z.string(),
  /** Unix time, seconds, fractional. */
  ts: z.number(),
  judge_kind: judgeKindSchema,
  /** In [0, 1]; 0 for a guard block. */
  score: z.number(),
  blocked_by: blockedBySchema.nullable(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * One indexed line of the verdict log (files page). Columns that the line did not have are null:
 * a log is written by several programs and versions, and the panel shows what is there.
 */
export const verdictRowSchema = z.object({
  /** Position in our index; grows with the order of indexing, never reused. */
  seq: z.number().int(),
  ts: z.number().nullable(),
  approved: z.boolean(),
  reason: z.string(),
  judge_kind: z.string(),
  score: z.number().nullable(),
  blocked_by: z.string().nullable(),
  intent: z.string(),
  executor: z.string(),
  args_keys: z.array(z.string()),
  context_keys: z.array(z.string()),
  /** Stable id of what decided: the guard's pattern, or `judge:threshold`; null when approved. */
  rule: z.string().nullable(),
  /** File name (not path) and byte offset of the line. */
  file: z.string(),
  offset: z.number().int(),
});
export type VerdictRow = z.infer<typeof verdictRowSchema>;
