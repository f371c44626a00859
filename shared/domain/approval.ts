import { z } from 'zod';

/** A row of `pending` in approvals.db, as stored (files page); another program may have written any text. */
export const pendingRowSchema = z.object({
  token: z.string(),
  channel: z.string(),
  sender_id: z.string(),
  capability_class: z.string(),
  action_verb: z.string(),
  target_summary: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  status: z.string(),
  decision_at: z.string().nullable(),
  decision_by_channel: z.string().nullable(),
  decision_by_sender: z.string().nullable(),
  request_extra: z.string().nullable(),
});
export type PendingRow = z.infer<typeof pendingRowSchema>;

/** How much of the card is written out: full below 3 of the same kind, medium from 3, short from 8 (pipeline page). */
export const cardDepthSchema = z.enum(['full', 'medium', 'short']);
export type CardDepth = z.infer<typeof cardDepthSchema>;

/** `withdrawn`: the caller left, so it is kept as a rejection by the caller. */
export const approvalStatusSchema = z.enum(['pending', 'approved', 'rejected', 'expired', 'withdrawn']);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/** The three-line card (pipeline page) as facts; the panel writes the sentences. */
export const approvalCardSchema = z.object({
  token: z.string(),
  channel: z.string(),
  sender_id: z.string(),
  /** An overdue row that nobody touched is `expired` here. */
  status: approvalStatusSchema,
  created_ms: z.number().nullable(),
  /** null: the stored date cannot be read, and the card counts as expired. */
  expires_ms: z.number().nullable(),
  decided_ms: z.number().nullable(),
  /** As stored: channel and sender of whoever decided (`panel`, `operator` for the person at the panel). */
  decided_by: z.object({ channel: z.string(), sender_id: z.string() }).nullable(),
  /** True for a request of our own line; false for one of a running Metnos. */
  ours: z.boolean(),
  /** True while somebody waits for the answer in this engine. */
  waiting: z.boolean(),

  /** Line 1, the question. */
  verb: z.string(),
  intent: z.string().nullable(),
  executor: z.string().nullable(),

  /** Line 2, the object: the whole command, path or recipient, never cut. */
  object: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** Size of what is named and exists, bytes; null when it cannot be known. */
  bytes: z.number().nullable(),
  /** How many things are named. */
  count: z.number().int(),
  /** All args as indented JSON, for whoever wants to see them; null for a request of a running Metnos. */
  args_text: z.string().nullable(),

  /** Line 3, the class. Capability as asked, also one outside the registry. */
  capability: z.string(),
  critical: z.boolean(),
  reversible: z.boolean(),

  /** Ids of the guard's structural rules that were met without a block: to be seen before a yes. Absent: none. */
  marks: z.array(z.string()).optional(),

  depth: cardDepthSchema,
  /** How often the same kind (channel, sender, capability, verb) was asked before. */
  asked_before: z.number().int(),
  /** What "this and similar" proposes; null where it is not offered. */
  similar: z.object({ capability: z.string(), target: z.string() }).nullable(),
  /** The stored request cannot be read, or it was changed: it can be refused but not approved. Says why. */
  problem: z.string().nullable(),
});
export type ApprovalCard = z.infer<typeof approvalCardSchema>;

export const approvalChoiceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once') }),
  z.object({
    kind: z.literal('similar'),
    target: z.string().min(1),
    /** ISO 8601; null = never. */
    expires_at: z.string().nullable(),
    /** Needed where `approvals.checkSimilar` says so. */
    confirm_broad: z.boolean().optional(),
  }),
  z.object({ kind: z.literal('no') }),
  z.object({ kind: z.literal('no-session') }),
]);
export type ApprovalChoice = z.infer<typeof approvalChoiceSchema>;

/** A "don't ask again this session": the like is rejected without a card until the engine ends or a person lifts it. */
export const silenceSchema = z.object({
  id: z.string(),
  channel: z.string(),
  sender_id: z.string(),
  capability: z.string(),
  /** What it holds for, as a target pattern or the exact target. */
  target: z.string(),
  since_ms: z.number(),
  /** Calls that it has rejected. */
  rejected: z.number().int(),
});
export type Silence = z.infer<typeof silenceSchema>;
