import { z } from 'zod';
import { autonomyLevelSchema, capabilityNameSchema, outcomeSchema } from './capability.ts';
import { grantViewSchema } from './grant.ts';

/** Whom a level is for: everyone without a pairing, or one (channel, sender). */
export const levelScopeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('default') }),
  z.object({ kind: z.literal('pairing'), channel: z.string().min(1), sender_id: z.string().min(1) }),
]);
export type LevelScope = z.infer<typeof levelScopeSchema>;

/** A row of `pairings` with what it means. */
export const pairingViewSchema = z.object({
  id: z.number().int(),
  channel: z.string(),
  sender_id: z.string(),
  /** The text in the file. */
  stored_level: z.string(),
  /** The level that counts: an unknown text counts as ReadOnly (pipeline page). */
  level: autonomyLevelSchema,
  known: z.boolean(),
  revoked_at: z.string().nullable(),
  paired_at: z.string(),
  last_seen: z.string().nullable(),
  display_name: z.string().nullable(),
  /** A rise for a limited time: when it ends and to what it falls back; null = it has no end. */
  timed: z.object({ until_ms: z.number(), falls_back_to: autonomyLevelSchema }).nullable(),
});
export type PairingView = z.infer<typeof pairingViewSchema>;

/** An unfinished request when everything was frozen, and what became of it. */
export const frozenRequestSchema = z.object({
  token: z.string().nullable(),
  channel: z.string(),
  sender_id: z.string(),
  executor: z.string(),
  capability: z.string().nullable(),
  /** `denied`: its cell is closed at ReadOnly; `still-asks`: a person may still decide; `decided-under-freeze`: it was being judged. */
  fate: z.enum(['denied', 'still-asks', 'decided-under-freeze']),
});
export type FrozenRequest = z.infer<typeof frozenRequestSchema>;

/** Everything is ReadOnly since `since_ms`; what unfreezing brings back. */
export const freezeViewSchema = z.object({
  /** Unix time, ms. */
  since_ms: z.number(),
  who: z.string(),
  /** One entry per level that was above ReadOnly; a timed rise that ran out meanwhile shows where it fell to. */
  restores: z.array(z.object({ scope: levelScopeSchema, to: autonomyLevelSchema })),
  requests: z.array(frozenRequestSchema),
  /** Repeated in `level.unfreeze`; proves that what comes back was shown as it is now. */
  confirmation: z.string(),
});
export type FreezeView = z.infer<typeof freezeViewSchema>;

export const levelStateSchema = z.object({
  /** The level that counts now: ReadOnly while frozen. */
  default_level: autonomyLevelSchema,
  default_timed: pairingViewSchema.shape.timed,
  pairings: z.array(pairingViewSchema),
  /** null when nothing is frozen. */
  frozen: freezeViewSchema.nullable(),
  /** Why `pairings` may be empty or stale; null when the file was read. */
  problem: z.string().nullable(),
});
export type LevelState = z.infer<typeof levelStateSchema>;

/** What a change of level would do, computed before it is done. */
export const levelPreviewSchema = z.object({
  scope: levelScopeSchema,
  from: autonomyLevelSchema,
  to: autonomyLevelSchema,
  direction: z.enum(['raise', 'lower', 'same']),
  cells: z.array(
    z.object({ capability: capabilityNameSchema, from: outcomeSchema, to: outcomeSchema, opens: z.boolean() }),
  ),
  /** Active grants that the present level shuts out and the new one lets count. */
  grants_live: z.array(grantViewSchema),
  /** Repeated in `level.set` to raise; proves that what opens was shown as it is now. */
  confirmation: z.string(),
});
export type LevelPreview = z.infer<typeof levelPreviewSchema>;

export const levelChangeSchema = z.object({
  id: z.number().int(),
  /** Unix time, ms. */
  at: z.number(),
  who: z.string(),
  scope: levelScopeSchema,
  from: z.string(),
  to: autonomyLevelSchema,
  /** `fell-back`: a timed rise ended by itself. */
  why: z.enum(['set', 'fell-back', 'freeze', 'unfreeze']),
  /** When a rise for a limited time was to end, Unix time, ms; null = without end. */
  until_ms: z.number().nullable(),
});
export type LevelChange = z.infer<typeof levelChangeSchema>;
