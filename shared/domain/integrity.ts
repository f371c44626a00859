import { z } from 'zod';

/**
 * The record (quality page, "The record"): a hash chain over every indexed line of the verdict log and over the
 * operator's acts, its head kept outside the database as well.
 */

/** What was found to differ from the record. Codes that the panel translates. */
export const findingKindSchema = z.enum([
  /** A line says something else than when it was indexed (a flipped byte, two lines that changed places). */
  'changed',
  /** Lines were taken out, or put in, before the line that is named. */
  'cut',
  /** The file ends earlier than it did: the line that is named was its first one that is gone. */
  'cut-tail',
  /** The file is gone. */
  'deleted',
  /** An operator act in the database differs from the record, or is missing. */
  'act',
  /** The database's own record does not lead to the head that is kept outside. */
  'head',
]);

export const findingSchema = z.object({
  id: z.number().int(),
  kind: findingKindSchema,
  /** File name (not path); for an act or a head the name of the database or of the head's file. */
  file: z.string(),
  /** First line that differs, from 1, as an editor counts; null where there is none to name. */
  line: z.number().int().nullable(),
  /** Last line that may differ, where it cannot be told which one of some; equal to `line` otherwise. */
  last_line: z.number().int().nullable(),
  /** Unix seconds. */
  found_at: z.number(),
  /** One English sentence. */
  detail: z.string(),
  /** When an operator acknowledged it, Unix seconds, and who that was; null while it is open. */
  acknowledged_at: z.number().nullable(),
  acknowledged_by: z.string().nullable(),
});
export type Finding = z.infer<typeof findingSchema>;

export const integritySchema = z.object({
  /**
   * `verified`: everything up to `verified_to` was compared with the record and is as it was, or is acknowledged;
   * `finding`: see `findings`; `unchecked`: nothing was compared yet; `checking`: a comparison runs, `progress` says how far.
   */
  state: z.enum(['verified', 'finding', 'unchecked', 'checking']),
  /** Time of the newest line that was compared, Unix seconds; null when none was. */
  verified_to: z.number().nullable(),
  /** When the last whole comparison ended, Unix seconds; null when there was none. */
  checked_at: z.number().nullable(),
  /** When the record began, Unix seconds: what was altered before cannot be known. */
  since: z.number().nullable(),
  /** Lines and acts that the record holds. */
  lines: z.number().int(),
  acts: z.number().int(),
  /** Those that nobody has acknowledged; newest first, at most 100. */
  findings: z.array(findingSchema),
  /** Those that an operator has acknowledged; newest first, at most 100. */
  acknowledged: z.array(findingSchema),
  /** Bytes compared, of how many; null when no comparison runs. */
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
});
export type Integrity = z.infer<typeof integritySchema>;

/** What an operator did, as the record keeps it (panel page, "Audit"). */
export const actKindSchema = z.enum(['grant', 'revoke', 'level', 'approve', 'reject', 'acknowledge']);
export type ActKind = z.infer<typeof actKindSchema>;

export const actSchema = z.object({
  /** Place in the record; grows. */
  id: z.number().int(),
  /** Unix seconds; as the act's own source says, or when it was seen where that cannot be read. */
  at: z.number(),
  kind: actKindSchema,
  /** Who did it; null where the source does not say. */
  who: z.string().nullable(),
  /** Where it was done: `panel.db`, `grants.db` or `approvals.db`, and the row's id there. */
  source: z.string(),
  source_id: z.string(),
  /** The act's own columns, texts from outside as they stand there. */
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});
export type Act = z.infer<typeof actSchema>;
