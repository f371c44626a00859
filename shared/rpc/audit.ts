import { z } from 'zod';
import { verdictRowSchema } from '../domain/verdict.ts';
import { method } from './contract.ts';

export const verdictFilterSchema = z.object({
  outcome: z.enum(['approved', 'denied']).optional(),
  blocked_by: z.string().optional(),
  rule: z.string().optional(),
  executor: z.string().optional(),
  /** Unix seconds, from inclusive, to exclusive. */
  from_ts: z.number().optional(),
  to_ts: z.number().optional(),
  /** Free text, found in intent, executor and reason, case-insensitive. */
  text: z.string().optional(),
});
export type VerdictFilter = z.infer<typeof verdictFilterSchema>;

/** How far the index has come with the files on disk. */
export const indexStateSchema = z.object({
  phase: z.enum(['starting', 'indexing', 'following', 'failed']),
  files: z.number().int(),
  lines: z.number().int(),
  /** Lines that are no JSON object, with where they are (newest 20). */
  unreadable: z.number().int(),
  unreadable_at: z.array(
    z.object({ file: z.string(), line: z.number().int(), offset: z.number().int(), why: z.string() }),
  ),
  /** Lines of another kind than a verdict. */
  events: z.number().int(),
  /** Why the folder cannot be followed, as a code the panel translates; null when all is well. */
  problem: z.enum(['missing', 'unreadable', 'failed']).nullable(),
  detail: z.string().nullable(),
});
export type IndexState = z.infer<typeof indexStateSchema>;

export const liveEventSchema = z.object({
  /** New rows in index order. */
  rows: z.array(verdictRowSchema),
  /**
   * True when rows were passed over (a backlog of thousands) or rows that were given before are gone (a file
   * was replaced or deleted, the index was built anew): load the pages again. Such an event carries no rows.
   */
  reset: z.boolean().optional(),
  index: indexStateSchema,
});
export type LiveEvent = z.infer<typeof liveEventSchema>;

export const statsRangeSchema = z.union([
  z.enum(['24h', '7d', '30d', 'all']),
  /** A month file. */
  z.string().regex(/^\d{4}-\d{2}$/),
]);
export type StatsRange = z.infer<typeof statsRangeSchema>;

export const statsSchema = z.object({
  range: statsRangeSchema,
  total: z.number().int(),
  approved: z.number().int(),
  denied: z.number().int(),
  blocked_by: z.record(z.string(), z.number().int()),
  /** Lines of other kinds in the range, by kind. */
  events: z.record(z.string(), z.number().int()),
  /** Buckets without a gap, oldest first; `start` in Unix seconds, `step` is an hour for 24h, otherwise a local day. */
  over_time: z.object({
    step: z.enum(['hour', 'day']),
    buckets: z.array(
      z.object({
        start: z.number(),
        approved: z.number().int(),
        guard: z.number().int(),
        judge: z.number().int(),
        other: z.number().int(),
      }),
    ),
  }),
  by_executor: z.array(
    z.object({
      executor: z.string(),
      total: z.number().int(),
      approved: z.number().int(),
      guard: z.number().int(),
      judge: z.number().int(),
      other: z.number().int(),
    }),
  ),
  by_rule: z.array(z.object({ rule: z.string(), blocked_by: z.string(), count: z.number().int() })),
  /** Twenty bins of width 0.05 over [0, 1], the last one closed; guard blocks (score 0) are not in it. */
  scores: z.object({ bins: z.array(z.number().int()), threshold: z.number() }),
  /** Month files that the index knows, newest first. */
  months: z.array(z.string()),
  index: indexStateSchema,
});
export type Stats = z.infer<typeof statsSchema>;

export const auditContract = {
  /**
   * Newest first, by time, then seq; `before` is the seq of the last row of the page before. A line without a
   * readable time stands at the time of the line before it.
   */
  page: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      filter: verdictFilterSchema.optional(),
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ rows: z.array(verdictRowSchema), more: z.boolean(), index: indexStateSchema }),
  }),
  /** The line's own JSON text, read from the file, exactly as it stands there. */
  raw: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ seq: z.number().int() }),
    output: z.object({ text: z.string().nullable(), problem: z.string().nullable() }),
  }),
  /**
   * New rows as they are indexed; the first event comes at once and says how the index stands. With `after`
   * the rows behind that seq come first, so a reconnect loses and repeats nothing; where that cannot be had,
   * `reset` says so.
   */
  live: method({
    kind: 'subscription',
    scope: 'operator',
    input: z.object({ after: z.number().int().optional() }),
    output: liveEventSchema,
  }),
  stats: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ range: statsRangeSchema }),
    output: statsSchema,
  }),
};
