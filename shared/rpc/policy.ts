import { z } from 'zod';
import { autonomyLevelSchema, capabilityNameSchema, capabilitySchema, outcomeSchema } from '../domain/capability.ts';
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

export const policyContract = {
  matrix: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ capabilities: z.array(capabilitySchema), cells: z.array(matrixCellSchema) }),
  }),
};
