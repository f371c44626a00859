import type { TurnRow } from '../../shared/domain/turn.ts';
import type { OutputOf } from '../../shared/rpc/contract.ts';
import type { turnsContract } from '../../shared/rpc/turns.ts';
import { TURNS_STARTING, type TurnsClient } from './client.ts';
import type { ListedTurn } from './protocol.ts';

type LiveTurns = OutputOf<typeof turnsContract.live>;

/** A reader that is further behind loads the pages again instead. */
const MOST_ROWS = 500;

/**
 * Turns that are new or have grown. Nothing is kept for a reader but how far it has come: the turns are asked for
 * when it takes the next event, each once, however often it grew meanwhile.
 */
export async function* liveTurns(
  client: TurnsClient,
  rowsOf: (turns: readonly ListedTurn[]) => Promise<TurnRow[]>,
  signal: AbortSignal,
): AsyncGenerator<LiveTurns, void, undefined> {
  let wake = (): void => {};
  let changed = true;
  // Listened to before the first look, so that nothing falls in between.
  const stop = client.onTick(() => {
    changed = true;
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  /** How far the reader has come; null until the files are read. */
  let seen: { version: number; removals: number } | null = null;
  try {
    while (!signal.aborted) {
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      changed = false;
      const tick = client.tick();
      const state = tick?.state ?? TURNS_STARTING;
      if (tick === null || state.phase !== 'following') {
        // While a backlog is read the turns do not come one by one.
        yield { rows: [], reset: false, state };
        if (tick !== null) seen = null;
        continue;
      }
      if (seen === null || seen.removals !== tick.removals) {
        seen = { version: tick.version, removals: tick.removals };
        yield { rows: [], reset: true, state };
        continue;
      }
      if (seen.version === tick.version) {
        yield { rows: [], reset: false, state };
        continue;
      }
      try {
        const { turns, version } = await client.ask('changes', { since: seen.version });
        seen.version = version;
        const reset = turns === null || turns.length > MOST_ROWS;
        yield { rows: reset ? [] : await rowsOf(turns), reset, state };
      } catch {
        // The worker died in between: its tick says so.
      }
    }
  } finally {
    stop();
    signal.removeEventListener('abort', onAbort);
  }
}
