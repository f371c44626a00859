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
  /** Lowering needs no confirmation; raising needs the one that `preview` gave, or is refused. */
  set: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ scope: levelScopeSchema, to: autonomyLevelSchema, confirmation: z.string().optional() }),
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
