import { z } from 'zod';
import { grantViewSchema, newGrantSchema } from '../domain/grant.ts';
import { method } from './contract.ts';
import { keptCallsSchema } from './policy.ts';

const grantScopeSchema = newGrantSchema.pick({ channel: true, sender_id: true, capability: true, target: true });
export type GrantScope = z.infer<typeof grantScopeSchema>;

/** Past calls that asked a person, held against a grant that does not exist yet (ui page, "Grants"). */
export const grantPreviewSchema = z.object({
  /** Start of what is counted, Unix ms. */
  since_ms: z.number(),
  /** Calls of this sender for this capability that asked because no grant covered them. What guard or judge blocked is not among them. */
  asked: z.number().int(),
  /** Of these, how many the policy would have let pass on this grant. */
  passed: z.number().int(),
  /**
   * Further ones of which each target is covered, but that named several or whose executor declares several capabilities:
   * for which capability each target was needed is not kept, so it is not known whether they would have passed.
   */
  perhaps: z.number().int(),
  /** The newest of `passed`. */
  newest: z.array(z.object({ id: z.number().int(), at: z.number(), executor: z.string(), target: z.string() })),
  /** Kept answers that were looked at, also those that did not ask. */
  looked_at: z.number().int(),
  /** Time of the oldest one looked at, Unix ms, where there are older ones that were not; null when all were. */
  cut_at_ms: z.number().nullable(),
  kept: keptCallsSchema,
});
export type GrantPreview = z.infer<typeof grantPreviewSchema>;

export const grantsContract = {
  list: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      channel: z.string().optional(),
      sender_id: z.string().optional(),
      /** Also revoked and expired rows. */
      all: z.boolean().optional(),
    }),
    output: z.object({
      grants: z.array(grantViewSchema),
      /** Why the list may be empty; null when the file was read or does not exist yet. */
      problem: z.string().nullable(),
    }),
  }),
  /** Which calls of the last thirty days a grant would have let through; nothing is stored, no target is refused. */
  preview: method({ kind: 'query', scope: 'operator', input: grantScopeSchema, output: grantPreviewSchema }),
  record: method({ kind: 'mutation', scope: 'operator', input: newGrantSchema, output: grantViewSchema }),
  /** Active grants that were not used for long, longest unused first; a suggestion, nothing is done to them. */
  stale: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      /** Days without use that count as long: 90, unless `policy.stale_after_days` says otherwise. */
      after_days: z.number().int(),
      grants: z.array(z.object({ grant: grantViewSchema, unused_since_ms: z.number() })),
      /** Why the list may be empty; null when all was read. */
      problem: z.string().nullable(),
    }),
  }),
  /** `changed` is false for an unknown or already revoked id; with the reason `stale` also for one that was used meanwhile. */
  revoke: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ ids: z.array(z.number().int()).min(1).max(1000), reason: z.enum(['stale']).optional() }),
    output: z.object({ results: z.array(z.object({ id: z.number().int(), changed: z.boolean() })) }),
  }),
  /** A new grant on the terms of a revoked one, linked to it. */
  restore: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ id: z.number().int() }),
    output: grantViewSchema,
  }),
  /** Ticks when the file changed, by whomever; the caller lists again. */
  changed: method({
    kind: 'subscription',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ version: z.number() }),
  }),
};
