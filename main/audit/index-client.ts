import { Worker } from 'node:worker_threads';
import type { IndexState } from '../../shared/rpc/audit.ts';
import { UserError } from '../engine/errors.ts';
import { createWorkerCalls, endWorker, workerEntry } from '../engine/worker-calls.ts';
import type { Answers, FromWorker, Op, Tick, WorkerSetup } from './protocol.ts';

/** The main thread's end of the index worker: asks, hears how it stands, starts it again when it dies. */
export interface IndexClient {
  /** @throws UserError when the worker is down; whatever the worker threw otherwise */
  ask<O extends Op>(op: O, input: Answers[O]['input']): Promise<Answers[O]['output']>;
  /** The last tick; null before the first. Its state says `failed` while the worker is down. */
  tick(): Tick | null;
  /** Hears that `tick` has changed; returns how to stop that. */
  onTick(listener: () => void): () => void;
  close(): Promise<void>;
}

const FILES = { source: './index.worker.ts', bundled: 'audit-index.worker.js' };
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;
/** A worker that lived this long did not die of what it met at its start. */
const HEALTHY_MS = 60_000;

/** How an index stands of which nothing was heard yet. */
export const INDEX_STARTING: IndexState = {
  phase: 'starting',
  files: 0,
  lines: 0,
  unreadable: 0,
  unreadable_at: [],
  events: 0,
  problem: null,
  detail: null,
};

/** @param entry of the worker; the source or the bundled file beside this one when absent */
export function startIndexClient(setup: WorkerSetup, entry: URL = workerEntry(import.meta.url, FILES)): IndexClient {
  const calls = createWorkerCalls();
  const listeners = new Set<() => void>();
  let worker: Worker | null = null;
  let restart: NodeJS.Timeout | null = null;
  let delay = FIRST_DELAY_MS;
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
    // An index in memory dies with its worker; the next one gives other rows the same numbers.
    removalsBefore = (tick?.removals ?? 0) + (tick?.store.kind === 'memory' ? 1 : 0);
    calls.failAll(() => down(cause));
    if (closed) return;
    announce({
      first_seq: 0,
      last_seq: 0,
      removals: 0,
      store: { kind: 'file', problem: null },
      ...tick,
      state: { ...(tick?.state ?? INDEX_STARTING), phase: 'failed', problem: 'failed', detail: cause },
    });
    restart = setTimeout(start, delay);
    delay = Math.min(LONGEST_DELAY_MS, delay * 2);
  };

  const start = (): void => {
    restart = null;
    const started = Date.now();
    const next = new Worker(entry, { workerData: setup, name: 'audit-index' });
    let cause = 'the worker of the audit index ended';
    worker = next;
    next.on('message', heard);
    next.on('error', (error) => {
      cause = error.message;
    });
    next.on('exit', () => {
      if (Date.now() - started > HEALTHY_MS) delay = FIRST_DELAY_MS;
      died(cause);
    });
  };
  start();

  return {
    ask(op, input) {
      const to = worker;
      if (to === null) return Promise.reject(down(tick?.state.detail ?? 'it is closed'));
      return calls.ask(to, op, input) as Promise<never>;
    },
    tick: () => tick,
    onTick(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      if (closed) return;
      closed = true;
      if (restart !== null) clearTimeout(restart);
      if (worker !== null) await endWorker(worker);
    },
  };
}

function down(cause: string): UserError {
  return new UserError(
    'unreadable',
    `The audit index is not running (${cause}). It is started again by itself; try again in a moment.`,
    'audit index',
  );
}
