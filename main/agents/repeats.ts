import { createHash } from 'node:crypto';
import type { DecideAnswer, DecideRequest } from '../../shared/domain/decision.ts';
import { mayRun } from './client.ts';

type Pending = { token: string; expires_at: string };
export interface Caller {
  /** Ends when the caller has left. */
  signal: AbortSignal;
  onPending(approval: Pending): void;
}
type Run = (caller: Caller) => Promise<DecideAnswer>;
/** Whether an answer that let the step run would let it run now. */
type Holds = (answer: DecideAnswer) => Promise<boolean>;

interface Running {
  digest: string;
  answer: Promise<DecideAnswer>;
  all: AbortController;
  waiting: number;
  pending: Pending | null;
  tell: Set<Caller['onPending']>;
}

/**
 * One answer for all duplicates of a request (agents page): they share its run, which ends when the last of their
 * callers has left, and a little later they are given what it answered. A withdrawn answer is not kept, since whoever
 * asks again after a lost connection means the question; nor does a yes outlast a freeze, a lower level or its grant.
 */
export interface Repeats {
  /** @returns null when the `request_id` belongs to another request: no answer of one may serve the other */
  answer(
    request: DecideRequest & { request_id: string },
    caller: Caller,
    run: Run,
    holds: Holds,
  ): Promise<DecideAnswer> | null;
}

/** @param options.clock monotonic, ms */
export function createRepeats(options: { clock: () => number; keepMs: number; most: number }): Repeats {
  const { clock, keepMs, most } = options;
  const running = new Map<string, Running>();
  /** Oldest first. */
  const settled = new Map<string, { digest: string; answer: DecideAnswer; at: number }>();

  const forget = (): void => {
    const now = clock();
    for (const [key, { at }] of settled) {
      if (now - at < keepMs && settled.size <= most) return;
      settled.delete(key);
    }
  };

  const join = (entry: Running, caller: Caller): Promise<DecideAnswer> => {
    entry.waiting++;
    entry.tell.add(caller.onPending);
    if (entry.pending !== null) caller.onPending(entry.pending);
    const leave = (): void => {
      entry.tell.delete(caller.onPending);
      entry.waiting--;
      if (entry.waiting === 0) entry.all.abort();
    };
    if (caller.signal.aborted) leave();
    else caller.signal.addEventListener('abort', leave, { once: true });
    return entry.answer.finally(() => caller.signal.removeEventListener('abort', leave));
  };

  const begin = (key: string, digest: string, run: Run): Running => {
    const entry: Running = {
      digest,
      all: new AbortController(),
      waiting: 0,
      pending: null,
      tell: new Set(),
      answer: Promise.resolve().then(() =>
        run({
          signal: entry.all.signal,
          onPending: (approval) => {
            entry.pending = approval;
            for (const tell of entry.tell) tell(approval);
          },
        }),
      ),
    };
    running.set(key, entry);
    const drop = (): void => {
      if (running.get(key) === entry) running.delete(key);
    };
    entry.answer.then((answer) => {
      drop();
      if (answer.decision === 'withdrawn') return;
      settled.delete(key);
      settled.set(key, { digest, answer, at: clock() });
    }, drop);
    return entry;
  };

  return {
    answer: (request, caller, run, holds) => {
      forget();
      const key = JSON.stringify([request.channel, request.sender_id, request.request_id]);
      const digest = createHash('sha256').update(JSON.stringify(request)).digest('base64');
      const open = running.get(key);
      const known = settled.get(key);
      if (open !== undefined && !open.all.signal.aborted) {
        return open.digest === digest ? join(open, caller) : null;
      }
      if (known === undefined) return join(begin(key, digest, run), caller);
      if (known.digest !== digest) return null;
      if (!mayRun(known.answer.decision)) return Promise.resolve(known.answer);
      return holds(known.answer).then((still) => {
        if (still) return known.answer;
        if (settled.get(key) === known) settled.delete(key);
        // Somebody else may have asked meanwhile.
        const now = running.get(key);
        if (now === undefined) return join(begin(key, digest, run), caller);
        return now.digest === digest && !now.all.signal.aborted ? join(now, caller) : run(caller);
      });
    },
  };
}
