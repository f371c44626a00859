import { z } from 'zod';

/** A row of `grants`, as stored. Dates are whatever the writer put there (policy page, section 3). */
export const grantSchema = z.object({
  id: z.number().int(),
  channel: z.string(),
  sender_id: z.string(),
  /** Not narrowed to the registry: another program may have written anything. */
  capability: z.string(),
  target: z.string(),
  granted_at: z.string(),
  expires_at: z.string().nullable(),
  granted_by: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
export type Grant = z.infer<typeof grantSchema>;

export const grantStateSchema = z.enum(['active', 'expired', 'revoked']);
export type GrantState = z.infer<typeof grantStateSchema>;

/**
 * Why a row that is active changes no outcome: `always` capabilities are never lifted, `none`
 * capabilities never ask, an unknown capability is denied whatever a row says.
 */
export const grantNoEffectSchema = z.enum(['always', 'none', 'unknown_capability']);
export type GrantNoEffect = z.infer<typeof grantNoEffectSchema>;

/** A stored grant with what it means now. */
export const grantViewSchema = grantSchema.extend({
  state: grantStateSchema,
  /** null when the grant does what it says. */
  no_effect: grantNoEffectSchema.nullable(),
  /** Expiry as an instant in ms since the epoch; null = never; NaN is never sent: an unreadable date is `expired`. */
  expires_ms: z.number().nullable(),
  granted_ms: z.number().nullable(),
  /** True when `expires_at` holds text that is no date; such a grant counts as expired. */
  bad_expiry: z.boolean(),
  /** How often it let a call of our line pass; null = not known. What other programs do with it is not counted. */
  uses: z.number().int().nullable(),
  /** When it last did, Unix time, ms; null = never, or not known. */
  last_used_ms: z.number().nullable(),
  /** Why it was revoked, where a reason was noted: `stale` = it had not been used for long. */
  revoked_reason: z.enum(['stale']).nullable(),
});
export type GrantView = z.infer<typeof grantViewSchema>;

/** What a person or program asks for when it makes a grant. */
export const newGrantSchema = z.object({
  channel: z.string(),
  sender_id: z.string(),
  capability: z.string(),
  target: z.string(),
  /** ISO 8601; absent or null = never expires. */
  expires_at: z.string().nullish(),
  granted_by: z.string().nullish(),
  /** Needed for `/`, `/**`, `~` and `~/**`. */
  confirmBroad: z.boolean().optional(),
});
export type NewGrant = z.infer<typeof newGrantSchema>;
