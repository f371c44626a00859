import {
  AUTONOMY_LEVELS,
  type AutonomyLevel,
  type Capability,
  type CapabilityName,
  type Outcome,
} from '../../shared/domain/capability.ts';
import type { CellRule } from '../../shared/rpc/policy.ts';
import { REGISTRY } from './registry.ts';

/** One of the 39 answers, with the rule that made it. */
export interface TableCell {
  outcome: Outcome;
  rule: CellRule;
}

const READS: ReadonlySet<CapabilityName> = new Set(['fs:read', 'mail:read', 'calendar:read']);

/** The three rules (policy page, section 2); the table is never typed by hand. */
function derive(level: AutonomyLevel, { name, default_approval }: Readonly<Capability>): TableCell {
  switch (level) {
    case 'ReadOnly':
      if (default_approval === 'none') return { outcome: 'allowed', rule: 'readonly-none' };
      if (READS.has(name)) return { outcome: 'approval_required', rule: 'readonly-read' };
      return { outcome: 'denied', rule: 'readonly-other' };
    case 'Supervised':
      if (default_approval === 'none') return { outcome: 'allowed', rule: 'supervised-none' };
      return { outcome: 'approval_required', rule: 'supervised-asks' };
    case 'Full':
      if (default_approval === 'always') return { outcome: 'approval_required', rule: 'full-always' };
      return { outcome: 'allowed', rule: 'full-open' };
    default:
      return level satisfies never;
  }
}

// Maps and not objects: `__proto__` and `constructor` are no keys of a map. Nested, since a joined key is slower.
const table: ReadonlyMap<string, ReadonlyMap<string, Readonly<TableCell>>> = new Map(
  AUTONOMY_LEVELS.map((level) => [
    level,
    new Map(REGISTRY.map((one) => [one.name, Object.freeze(derive(level, one))])),
  ]),
);

/** What the table says; an unknown level or capability is `denied`. */
export function tableOutcome(level: string, capability: string): Outcome {
  return table.get(level)?.get(capability)?.outcome ?? 'denied';
}

/** The rule behind a cell; null for an unknown level or capability. */
export function cellRule(level: string, capability: string): CellRule | null {
  return table.get(level)?.get(capability)?.rule ?? null;
}

/** The strictest level that does not deny ("needs Supervised"); null when none does: an unknown capability. */
export function neededLevel(capability: string): AutonomyLevel | null {
  return AUTONOMY_LEVELS.find((level) => tableOutcome(level, capability) !== 'denied') ?? null;
}
