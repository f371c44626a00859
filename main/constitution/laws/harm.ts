import { capabilityNamed } from '../../policy/registry.ts';
import { guard } from '../../vaglio/guard.ts';
import { article, type JudgedAction, type LawFacts, runsCode } from './article.ts';

/** Whatever name an action gives itself: what stands where commands stand is read as one. */
const AS_CODE = { capability: 'code:exec' };

function dangerous(action: JudgedAction, facts: LawFacts): string | null {
  const { kind: executor, args, targets, capability } = action;
  for (const one of [args, ...targets.map((command) => ({ command }))]) {
    const found = guard(executor, one, AS_CODE, facts.home, facts.passwd);
    if (found.blocked) return found.reason;
  }
  const commands = runsCode(action) ? targets.map((command) => ({ command })) : [];
  for (const one of [args, ...commands]) {
    const context = capability === undefined ? {} : { capability };
    const reason = facts.structural?.({ executor, args: one, context }) ?? null;
    if (reason !== null) return reason;
  }
  return null;
}

/** An irreversible step is never the agent's own idea. What is in no registry counts as critical. */
function ownIrreversible({ flow, reversibility, capability }: JudgedAction): string | null {
  if (flow !== 'proactive' || reversibility !== 'irreversible') return null;
  if (capability === undefined) return 'an irreversible action of the agent that does not say what it needs';
  if (capabilityNamed(capability)?.critical === false) return null;
  return `an irreversible action with ${capability} is never the agent's own idea`;
}

/** Law 1: no harm that cannot be undone (constitution page, section 2). */
export const harm = article(
  'law.1.non_nocivita',
  (action, facts) => dangerous(action, facts) ?? ownIrreversible(action),
);
