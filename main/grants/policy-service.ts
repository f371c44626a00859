import { AUTONOMY_LEVELS } from '../../shared/domain/capability.ts';
import type { PolicyService } from '../engine/services.ts';
import { REGISTRY } from '../policy/registry.ts';
import { cellRule, tableOutcome } from '../policy/table.ts';
import type { Grants } from './grants.ts';

/**
 * The matrix with the grants that pierce it. Grants that cannot be read pierce nothing here; why they
 * cannot is said by `grants.list`. What fell in its cells comes from the kept answers.
 */
export function createPolicyService(deps: {
  grants: Pick<Grants, 'list'>;
  history: Omit<PolicyService, 'matrix'>;
}): PolicyService {
  const { grants, history } = deps;
  return {
    ...history,
    matrix: () => {
      const effective = grants.list({}).grants.filter((grant) => grant.no_effect === null);
      const cells = AUTONOMY_LEVELS.flatMap((level) =>
        REGISTRY.flatMap(({ name }) => {
          const rule = cellRule(level, name);
          if (rule === null) return [];
          const outcome = tableOutcome(level, name);
          const piercing = outcome === 'approval_required' ? effective.filter((one) => one.capability === name) : [];
          return [{ level, capability: name, outcome, rule, grant_ids: piercing.map(({ id }) => id) }];
        }),
      );
      return { capabilities: [...REGISTRY], cells };
    },
  };
}
