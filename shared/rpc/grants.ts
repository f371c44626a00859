import { z } from 'zod';
import { grantViewSchema, newGrantSchema } from '../domain/grant.ts';
import { method } from './contract.ts';

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
  record: method({ kind: 'mutation', scope: 'operator', input: newGrantSchema, output: grantViewSchema }),
  /** Active grants that were not used for long, longest unused first; a suggestion, nothing is done to them. */
  stale: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      /** Days without use that count as long; null = not set, so nothing is suggested. */
      after_days: z.number().int().nullable(),
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
