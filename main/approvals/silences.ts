import { randomBytes } from 'node:crypto';
import type { Silence } from '../../shared/domain/approval.ts';
import type { Ask } from '../engine/ask.ts';
import type { Clock } from '../engine/clock.ts';
import type { MatchWorld } from '../policy/match.ts';
import { coversAll, similarPatterns, targetsFor } from './similar.ts';

/** Refusals that hold for the session (pipeline page, "no, and don't ask again this session"): until the engine ends. */
export interface Silences {
  add(ask: Ask): void;
  /** The id of the one that rejects this, counted there. */
  match(ask: Ask): string | null;
  list(): Silence[];
  remove(id: string): boolean;
}

const MOST = 1000;

export function createSilences({ clock, world }: { clock: Clock; world: MatchWorld }): Silences {
  const kept = new Map<string, Silence & { same: readonly (string | null)[] }>();

  return {
    add: (ask) => {
      const targets = targetsFor(ask.needs, ask.capability);
      const [pattern] = similarPatterns(ask.capability, targets, world);
      const { channel, sender_id, capability } = ask;
      const target = pattern ?? targets.map((one) => one ?? '?').join('\n');
      if (kept.size >= MOST) for (const id of [...kept.keys()].slice(0, 1)) kept.delete(id);
      const id = randomBytes(8).toString('hex');
      kept.set(id, { id, channel, sender_id, capability, target, since_ms: clock(), rejected: 0, same: targets });
    },
    match: (ask) => {
      for (const silence of kept.values()) {
        if (silence.channel !== ask.channel || silence.sender_id !== ask.sender_id) continue;
        if (!ask.needs.some(({ capability }) => capability === silence.capability)) continue;
        const targets = targetsFor(ask.needs, silence.capability);
        const isSame = targets.length === silence.same.length && targets.every((one, i) => one === silence.same[i]);
        if (!isSame && !coversAll(silence.capability, silence.target, targets, world)) continue;
        silence.rejected += 1;
        return silence.id;
      }
      return null;
    },
    list: () => [...kept.values()].map(({ same: _, ...silence }) => silence),
    remove: (id) => kept.delete(id),
  };
}
