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
});
export type PairingView = z.infer<typeof pairingViewSchema>;

export const levelStateSchema = z.object({
  default_level: autonomyLevelSchema,
  pairings: z.array(pairingViewSchema),
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
});
export type LevelChange = z.infer<typeof levelChangeSchema>;
