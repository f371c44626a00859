import { capabilityNamed } from '../../policy/registry.ts';
import { guard } from '../../vaglio/guard.ts';
import { article, type JudgedAction, type LawFacts, runsCode } from './article.ts';

/** The args as they are, and each target of an action that runs code: it is the command. */
function calls(action: JudgedAction): { executor: string; args: unknown; context: unknown }[] {
  const { kind: executor, args, capability, targets } = action;
  const context = capability === undefined ? {} : { capability };
  const commands = runsCode(action) ? targets.map((command) => ({ command })) : [];
  return [args, ...commands].map((one) => ({ executor, args: one, context }));
}

function dangerous(action: JudgedAction, facts: LawFacts): string | null {
  for (const call of calls(action)) {
    const found = guard(call.executor, call.args, call.context, facts.home, facts.passwd);
    if (found.blocked) return found.reason;
    const reason = facts.structural?.(call) ?? null;
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
