import { Worker } from 'node:worker_threads';
import type { TurnsState } from '../../shared/rpc/turns.ts';
import { UserError } from '../engine/errors.ts';
import { createWorkerCalls, endWorker, workerEntry } from '../engine/worker-calls.ts';
import type { Answers, FromWorker, Op, Tick, ToWorker, WorkerSetup } from './protocol.ts';

/** The main thread's end of the turns worker, which runs from the first time that somebody wants to know something. */
export interface TurnsClient {
  /** @throws UserError when the worker died over it; whatever the worker threw otherwise */
  ask<O extends Op>(op: O, input: Answers[O]['input']): Promise<Answers[O]['output']>;
  /** The last tick; null before the first. */
  tick(): Tick | null;
  /** Hears that `tick` has changed; returns how to stop that. Starts the worker. */
  onTick(listener: () => void): () => void;
  /** Tells a running worker what has changed of its set-up; one that starts later asks itself. */
  setUpAgain(): void;
  close(): Promise<void>;
}

const FILES = { source: './turns.worker.ts', bundled: 'turns.worker.js' };
const AGAIN_MS = 1000;

/** How the reader stands of which nothing was heard yet. */
export const TURNS_STARTING: TurnsState = {
  phase: 'starting',
  files: 0,
  turns: 0,
  unreadable: 0,
  unreadable_at: [],
  left_out: 0,
  problem: null,
  detail: null,
  line_problem: null,
  transcripts: null,
};

/**
 * @param setup asked whenever a worker starts
 * @param entry of the worker; the source or the bundled file beside this one when absent
 */
export function createTurnsClient(
  setup: () => WorkerSetup,
  entry: URL = workerEntry(import.meta.url, FILES),
): TurnsClient {
  const calls = createWorkerCalls();
  const listeners = new Set<() => void>();
  let worker: Worker | null = null;
  let again: NodeJS.Timeout | null = null;
  let tick: Tick | null = null;
  /** Each worker counts from 0; what readers see only grows. */
  let removalsBefore = 0;
  let closed = false;

  const announce = (next: Tick): void => {
    tick = next;
    for (const listener of [...listeners]) listener();
  };

  const heard = (message: FromWorker): void => {
    if (message.type === 'tick') {
      announce({ ...message.tick, removals: removalsBefore + message.tick.removals });
      return;
    }
    calls.settle(message);
  };

  const died = (cause: string): void => {
    worker = null;
    removalsBefore = (tick?.removals ?? 0) + 1;
    calls.failAll(() => down(cause));
    if (closed) return;
    const state: TurnsState = { ...(tick?.state ?? TURNS_STARTING), phase: 'failed', problem: 'failed', detail: cause };
    announce({ state, version: tick?.version ?? 0, removals: removalsBefore });
    // Without anybody who listens it waits for the next question.
    if (listeners.size > 0) again = setTimeout(running, AGAIN_MS);
  };

  const running = (): Worker => {
    if (closed) throw down('it is closed');
    if (worker !== null) return worker;
    if (again !== null) clearTimeout(again);
    again = null;
    const next = new Worker(entry, { workerData: setup(), name: 'turns' });
    let cause = 'the worker of the turns ended';
    worker = next;
    next.on('message', heard);
    next.on('error', (error) => {
      cause = error.message;
    });
    next.on('exit', () => died(cause));
    return next;
  };

  return {
    async ask(op, input) {
      return calls.ask(running(), op, input) as Promise<never>;
    },
    tick: () => tick,
    onTick(listener) {
      listeners.add(listener);
      if (!closed) running();
      return () => listeners.delete(listener);
    },
    setUpAgain() {
      worker?.postMessage({ op: 'transcripts', folder: setup().transcripts } satisfies ToWorker);
    },
    async close() {
      if (closed) return;
      closed = true;
      if (again !== null) clearTimeout(again);
      if (worker !== null) await endWorker(worker);
    },
  };
}

function down(cause: string): UserError {
  return new UserError(
    'unreadable',
    `The turns are not being read (${cause}). Reading starts again by itself; try again in a moment.`,
    'turns',
  );
}
