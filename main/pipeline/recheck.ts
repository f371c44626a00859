import type { FrozenRequest } from '../../shared/domain/level.ts';
import type { Ask, Desk } from '../engine/ask.ts';
import type { Flights } from './in-flight.ts';
import { FREEZE } from './person.ts';
import { outcomeUnder, type PolicyDeps } from './policy.ts';
import { contextOf, type VaglioCall } from './vaglio.ts';

type Deps = Pick<PolicyDeps, 'levelOf' | 'tryOut'> & {
  guard(call: VaglioCall): { rule: string; reason: string } | null;
};

/** Policy and guard once more (pipeline page): what a person says yes to has to pass both at that moment too. */
export function createRecheck(deps: Deps): (ask: Ask) => { rule: string; reason: string } | null {
  return ({ channel, sender_id, needs, capability, intent, executor, args, context }) => {
    const closed = closedBy(deps, { channel, sender_id }, needs, capability);
    if (closed !== null) return closed;
    const request = { channel, sender_id, intent, executor, args, context };
    return deps.guard({ intent, executor, args, context: contextOf({ request, needs }) });
  };
}

function closedBy(
  { levelOf, tryOut }: Pick<PolicyDeps, 'levelOf' | 'tryOut'>,
  who: { channel: string; sender_id: string },
  needs: Ask['needs'],
  capability: string,
): { rule: string; reason: string } | null {
  const { level, revoked, frozen } = levelOf(who.channel, who.sender_id);
  if (revoked) return { rule: 'policy:revoked', reason: 'the pairing was revoked' };
  if (outcomeUnder(level, who, needs, tryOut) !== 'denied') return null;
  if (frozen) return { rule: 'policy:frozen', reason: `everything is frozen, and ${capability} is denied then` };
  return { rule: 'policy:level', reason: `${capability} is denied at ${level}` };
}

/** Why a person must not approve this now, as a sentence; null when they may. `ask` is null for another program's request. */
export function createForbids(deps: Deps) {
  const recheck = createRecheck(deps);
  return (subject: { channel: string; sender_id: string; capability: string; ask: Ask | null }): string | null => {
    const { channel, sender_id, capability, ask } = subject;
    const needs = [{ capability, target: null }];
    const closed = ask === null ? closedBy(deps, { channel, sender_id }, needs, capability) : recheck(ask);
    return closed === null ? null : `${closed.reason}.`;
  };
}

/**
 * What becomes of unfinished requests at a freeze: a card whose step is denied at ReadOnly is refused; who is still being
 * judged is judged as frozen.
 */
export function createRequestSettler(deps: {
  desk: Desk;
  flights: Flights;
  tryOut: PolicyDeps['tryOut'];
}): () => FrozenRequest[] {
  const { desk, flights, tryOut } = deps;
  return () => {
    const cards = desk.waitingTokens().flatMap((token): FrozenRequest[] => {
      const ask = desk.askOf(token);
      if (ask === null) return [];
      const { channel, sender_id, executor, capability, needs } = ask;
      const isDenied = outcomeUnder('ReadOnly', { channel, sender_id }, needs, tryOut) === 'denied';
      const fate = isDenied && desk.refuse(token, FREEZE) ? 'denied' : 'still-asks';
      return [{ token, channel, sender_id, executor, capability, fate }];
    });
    const judged = flights.list().filter(({ token }) => token === null);
    return [
      ...cards,
      ...judged.map(({ channel, sender_id, executor, capability }) => ({
        token: null,
        channel,
        sender_id,
        executor,
        capability,
        fate: 'decided-under-freeze' as const,
      })),
    ];
  };
}
