import { z } from 'zod';
import { autonomyLevelSchema, capabilityNameSchema, capabilitySchema, outcomeSchema } from '../domain/capability.ts';
import { decisionRowSchema } from '../domain/decision.ts';
import { levelScopeSchema } from '../domain/level.ts';
import { method } from './contract.ts';

/** Which of the three rules made a cell (policy page, section 2), as a code that the panel translates. */
export const cellRuleSchema = z.enum([
  'readonly-none',
  'readonly-read',
  'readonly-other',
  'supervised-none',
  'supervised-asks',
  'full-always',
  'full-open',
]);
export type CellRule = z.infer<typeof cellRuleSchema>;

export const matrixCellSchema = z.object({
  level: autonomyLevelSchema,
  capability: capabilityNameSchema,
  outcome: outcomeSchema,
  rule: cellRuleSchema,
  /** Ids of the active grants that pierce this cell (it asks, and they make it allowed). */
  grant_ids: z.array(z.number().int()),
});
export type MatrixCell = z.infer<typeof matrixCellSchema>;

/** Which past calls figures are made from: those that this engine's own line decided and still keeps. */
export const keptCallsSchema = z.object({
  /** Days that calls are kept; 0: none is. */
  days: z.number(),
  /** Time of the oldest kept call, Unix ms; null when there is none. */
  oldest_ms: z.number().nullable(),
  /** Why calls may be missing; null when all that is kept was counted. */
  problem: z.string().nullable(),
});
export type KeptCalls = z.infer<typeof keptCallsSchema>;

export const firedSchema = z.object({
  /** Only cells that fired. */
  cells: z.array(z.object({ level: autonomyLevelSchema, capability: capabilityNameSchema, calls: z.number().int() })),
  /** Start of what is counted, Unix ms: the beginning of a quarter of a day. */
  since_ms: z.number(),
  kept: keptCallsSchema,
});
export type Fired = z.infer<typeof firedSchema>;

/** Past calls of a scope under another level, all else as it was when they were made: grants, guard, judge. */
export const levelComparisonSchema = z.object({
  scope: levelScopeSchema,
  /** In force now. */
  from: autonomyLevelSchema,
  to: autonomyLevelSchema,
  since_ms: z.number(),
  kept: keptCallsSchema,
  /** Calls by what the level that counted then made of them; what ended in guard or judge is not among them. */
  calls: z.array(
    z.object({
      capability: capabilityNameSchema,
      was: outcomeSchema,
      /**
       * Under `to`. What `was` denied was seen by neither guard nor judge: there, `allowed` says that they would have
       * been asked. Where another level made no use of grants, `approval_required` says: unless a grant covers it.
       */
      would: outcomeSchema,
      calls: z.number().int(),
    }),
  ),
  /** Blocked by them; none of these would have changed. */
  guard_blocks: z.number().int(),
  judge_blocks: z.number().int(),
  /** Ended by a rate limit, a fault, or a caller who left: nothing is said of them. */
  unclear: z.number().int(),
});
export type LevelComparison = z.infer<typeof levelComparisonSchema>;

export const policyContract = {
  matrix: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ capabilities: z.array(capabilitySchema), cells: z.array(matrixCellSchema) }),
  }),
  /** How often each cell answered a call in the last seven days. */
  fired: method({ kind: 'query', scope: 'operator', input: z.object({}), output: firedSchema }),
  /** The last calls that a cell answered, newest first. */
  calls: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({
      level: autonomyLevelSchema,
      capability: capabilityNameSchema,
      limit: z.number().int().min(1).max(100),
    }),
    output: z.object({ rows: z.array(decisionRowSchema), more: z.boolean(), kept: keptCallsSchema }),
  }),
  /** The calls of the last thirty days, as another level would have answered them. */
  compare: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({ scope: levelScopeSchema, to: autonomyLevelSchema }),
    output: levelComparisonSchema,
  }),
};
