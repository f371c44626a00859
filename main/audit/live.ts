import type { LiveEvent } from '../../shared/rpc/audit.ts';
import { INDEX_STARTING, type IndexClient } from './index-client.ts';

/** Rows in one event; a reader that is slower gets them in the next one. */
const ROWS_PER_EVENT = 2000;
/** A reader that is further behind loads the pages again instead: cheaper than every row of a backlog. */
const MOST_BEHIND = 10_000;

/**
 * New rows as they are indexed. Nothing is kept for a reader but the seq of its last row: rows are asked for
 * when it takes the next event, so a slow one costs no memory, loses none and gets none twice.
 *
 * @param after seq of the last row that the reader has; from now on when absent
 */
export async function* liveRows(
  client: IndexClient,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent, void, undefined> {
  let wake = (): void => {};
  let changed = true;
  // Listened to before the first look, so that nothing falls in between.
  const stop = client.onTick(() => {
    changed = true;
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  let cursor = after ?? null;
  let removals = client.tick()?.removals ?? 0;
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
      const index = tick?.state ?? INDEX_STARTING;
      const quiet = tick === null || index.phase !== 'following';
      if (quiet) {
        yield { rows: [], reset: false, index };
        continue;
      }
      const last = tick.last_seq;
      const lost =
        removals !== tick.removals ||
        (cursor !== null && (cursor > last || cursor < tick.first_seq - 1 || last - cursor > MOST_BEHIND));
      removals = tick.removals;
      if (lost || cursor === null) {
        cursor = last;
        yield { rows: [], reset: lost, index };
        continue;
      }
      let rows: LiveEvent['rows'];
      try {
        rows = cursor < last ? await client.ask('rowsAfter', { seq: cursor, limit: ROWS_PER_EVENT }) : [];
      } catch {
        // The worker died in between: its tick says so, and this reader goes on where it was.
        continue;
      }
      cursor = rows.at(-1)?.seq ?? last;
      if (cursor < last) changed = true;
      yield { rows, reset: false, index };
    }
  } finally {
    stop();
    signal.removeEventListener('abort', onAbort);
  }
}
