import { AUTONOMY_LEVELS } from '../../shared/domain/capability.ts';
import { REGISTRY } from './registry.ts';
import { tableOutcome } from './table.ts';

/**
 * Names the rules in force as a text: registry, table, and the limits that a person set. An approval that was given under
 * other rules is void (pipeline page, "Approvals").
 */
export function policyVersion(limits: unknown): string {
  const table = AUTONOMY_LEVELS.map((level) => REGISTRY.map(({ name }) => tableOutcome(level, name)));
  return JSON.stringify([REGISTRY, table, limits], (_, value: unknown) => (value instanceof Map ? [...value] : value));
}
