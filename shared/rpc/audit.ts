import { z } from 'zod';
import { actKindSchema, actSchema, integritySchema } from '../domain/integrity.ts';
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
  /**
   * From inclusive, to exclusive, but 1 and above take in a score of 1: the bins of the statistics fit. A line
   * without a score is in no range.
   */
  min_score: z.number().optional(),
  max_score: z.number().optional(),
  /**
   * Words, each of which has to stand at the beginning of a word of intent, reason or executor, without regard
   * to case and accents; `matchesText` in shared/lib/text-match.ts is the rule.
   */
  text: z.string().optional(),
});
export type VerdictFilter = z.infer<typeof verdictFilterSchema>;

/** How a backlog is worked off: first the rows, newest month first, then the text search. */
export const indexProgressSchema = z.object({
  stage: z.enum(['rows', 'text']),
  /** Files that are done, of how many. */
  files_done: z.number().int(),
  files: z.number().int(),
  bytes_done: z.number(),
  bytes: z.number(),
  /** Lines of this backlog that are done. */
  lines_done: z.number().int(),
  lines_per_s: z.number(),
  /** null as long as nothing can be said. */
  seconds_left: z.number().nullable(),
});
export type IndexProgress = z.infer<typeof indexProgressSchema>;

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
  /** There while a backlog is worked off; pages, statistics and search answer meanwhile from what is there. */
  progress: indexProgressSchema.optional(),
  /** How the record stands, in short; `audit.integrity` has the whole. */
  integrity: integritySchema.pick({ state: true, verified_to: true }).extend({ findings: z.number().int() }).optional(),
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

/** What verdicts can be counted by. `day` and `hour` are local, `YYYY-MM-DD` and `YYYY-MM-DDTHH`. */
export const countKeySchema = z.enum(['executor', 'blocked_by', 'rule', 'outcome', 'day', 'hour', 'month']);
export type CountKey = z.infer<typeof countKeySchema>;

export const countsSchema = z.object({
  /** Largest first where nothing is counted by time, otherwise in order of time; null: the line does not say. */
  rows: z.array(z.object({ keys: z.array(z.string().nullable()), count: z.number().int() })),
  total: z.number().int(),
});
export type Counts = z.infer<typeof countsSchema>;

/** Filters that the roll-ups can answer. */
export const countFilterSchema = verdictFilterSchema.omit({ text: true, min_score: true, max_score: true });
export type CountFilter = z.infer<typeof countFilterSchema>;

/**
 * What is shown, as a file. `GET /export?format=csv&executor=...` with the names of `verdictFilterSchema`, where the
 * panel's own files come from: in browser mode with the session's cookie, in the desktop window by its own scheme.
 * Streamed, ended by closing it. The header `Vaglio-Rows` tells how many rows there will be, where the filter has no
 * text and no score; the rows come newest first.
 */
export const exportFormatSchema = z.enum(['jsonl', 'csv']);
export type ExportFormat = z.infer<typeof exportFormatSchema>;

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
  /** Verdicts counted by one to four things at once. */
  counts: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ by: z.array(countKeySchema).min(1).max(4), filter: countFilterSchema.optional() }),
    output: countsSchema,
  }),
  /** How the record stands; reads no log. */
  integrity: method({ kind: 'query', scope: 'operator', input: z.object({}), output: integritySchema }),
  /** Compares every line and act with the record; answers when that is done. What is found is kept. */
  verify: method({ kind: 'mutation', scope: 'operator', input: z.object({}), output: integritySchema }),
  /**
   * The operator knows of these findings: they no longer count, and what stands now is what later comparisons hold
   * to. Compares everything first. `not-found` for an id that there is not, `conflict` when more of a finding's file
   * differs than is acknowledged: nothing is done then. One that is acknowledged already stays as it is.
   */
  acknowledge: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ ids: z.array(z.number().int()).min(1).max(1000) }),
    output: integritySchema,
  }),
  /** Operator acts, newest first; `before` is the id of the last one of the page before. */
  acts: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      kind: actKindSchema.optional(),
      /** Unix seconds, from inclusive, to exclusive. */
      from_ts: z.number().optional(),
      to_ts: z.number().optional(),
      before: z.number().int().optional(),
      limit: z.number().int().min(1).max(500),
    }),
    output: z.object({ rows: z.array(actSchema), more: z.boolean() }),
  }),
};
