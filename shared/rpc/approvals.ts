import { z } from 'zod';
import { approvalCardSchema, approvalChoiceSchema, silenceSchema } from '../domain/approval.ts';
import { grantViewSchema } from '../domain/grant.ts';
import { method } from './contract.ts';

export const approvalsContract = {
  /** `pending`: oldest first; `resolved`: newest decision first, expired and withdrawn ones too. */
  list: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      status: z.enum(['pending', 'resolved']),
      limit: z.number().int().min(1).max(1000).optional(),
    }),
    output: z.object({
      cards: z.array(approvalCardSchema),
      /** More than `limit` are there. */
      more: z.boolean(),
      /** Why the list may be empty; null when the file was read or does not exist yet. */
      problem: z.string().nullable(),
    }),
  }),
  count: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ pending: z.number().int(), problem: z.string().nullable() }),
  }),
  /**
   * The decision of the person at the panel. Errors, with nothing changed: `not-found` unknown token, `conflict`
   * already resolved, `refused` expired, not approvable, or a pattern that does not cover this very target,
   * `confirmation-needed` a pattern as wide as the home folder. An approval first makes sure that the guard and
   * the level still let it pass.
   */
  resolve: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ token: z.string().min(1).max(200), choice: approvalChoiceSchema }),
    output: z.object({
      card: approvalCardSchema,
      grant: grantViewSchema.nullable(),
      /** It was approved this time, but the grant could not be made; null when all is as asked. */
      problem: z.string().nullable(),
    }),
  }),
  /** What `resolve` would say to a pattern, without doing it. */
  checkSimilar: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      token: z.string().min(1).max(200),
      target: z.string(),
      expires_at: z.string().nullable(),
    }),
    output: z.object({
      ok: z.boolean(),
      problem: z.string().nullable(),
      /** It is as wide as the home folder: `confirm_broad` is needed. */
      needs_confirmation: z.boolean(),
    }),
  }),
  /** The cards that wait, at once and whenever the file changed, by whomever, or one ran out. */
  watch: method({
    kind: 'subscription',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      pending: z.number().int(),
      /** Oldest first, at most 200. */
      cards: z.array(approvalCardSchema),
      problem: z.string().nullable(),
    }),
  }),
  silenced: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ silences: z.array(silenceSchema) }),
  }),
  /** `changed` is false for an unknown id. */
  unsilence: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ id: z.string().max(200) }),
    output: z.object({ changed: z.boolean() }),
  }),
};
