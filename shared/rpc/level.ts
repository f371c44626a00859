import { z } from 'zod';
import { autonomyLevelSchema } from '../domain/capability.ts';
import { levelChangeSchema, levelPreviewSchema, levelScopeSchema, levelStateSchema } from '../domain/level.ts';
import { method } from './contract.ts';

export const levelContract = {
  state: method({ kind: 'query', scope: 'operator', input: z.object({}), output: levelStateSchema }),
  preview: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ scope: levelScopeSchema, to: autonomyLevelSchema }),
    output: levelPreviewSchema,
  }),
  /**
   * Lowering needs no confirmation and always goes through; raising needs the one that `preview` gave, and is refused
   * while everything is frozen.
   */
  set: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({
      scope: levelScopeSchema,
      to: autonomyLevelSchema,
      confirmation: z.string().optional(),
      /** Unix time, ms: a rise falls back by itself then. Refused for a lowering. */
      until_ms: z.number().optional(),
    }),
    output: levelStateSchema,
  }),
  /** Everything to ReadOnly at once. Once more while frozen: lowers what rose meanwhile. */
  freeze: method({ kind: 'mutation', scope: 'operator', input: z.object({}), output: levelStateSchema }),
  /** @see freezeViewSchema for the confirmation: unfreezing opens, so it is a second, distinct gesture. */
  unfreeze: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ confirmation: z.string() }),
    output: levelStateSchema,
  }),
  history: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ limit: z.number().int().min(1).max(500).optional() }),
    output: z.object({ changes: z.array(levelChangeSchema) }),
  }),
  changed: method({
    kind: 'subscription',
    scope: 'operator',
    input: z.object({}),
    output: levelStateSchema,
  }),
};
