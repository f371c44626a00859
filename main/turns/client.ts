import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { TurnsState } from '../../shared/rpc/turns.ts';
import { UserError } from '../engine/errors.ts';
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

const CLOSE_MS = 1000;
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
export function createTurnsClient(setup: () => WorkerSetup, entry: URL = defaultEntry()): TurnsClient {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const listeners = new Set<() => void>();
  let worker: Worker | null = null;
  let again: NodeJS.Timeout | null = null;
  let tick: Tick | null = null;
  let nextId = 1;
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
    const waiting = pending.get(message.id);
    pending.delete(message.id);
    if (message.type === 'answer') waiting?.resolve(message.value);
    else if (message.code === null) waiting?.reject(new Error(message.message));
    else waiting?.reject(new UserError(message.code, message.message, message.subject));
  };

  const died = (cause: string): void => {
    worker = null;
    removalsBefore = (tick?.removals ?? 0) + 1;
    for (const { reject } of pending.values()) reject(down(cause));
    pending.clear();
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
      const to = running();
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
        to.postMessage({ op, id, input } as ToWorker);
      });
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
      const last = worker;
      if (last === null) return;
      const ended = new Promise<void>((resolve) => last.once('exit', () => resolve()));
      last.postMessage({ op: 'close' } satisfies ToWorker);
      const limit = setTimeout(() => void last.terminate(), CLOSE_MS);
      await ended;
      clearTimeout(limit);
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

/** Bundles may put this module into a folder of shared parts, one below the entries. */
function defaultEntry(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('./turns.worker.ts', import.meta.url);
  const name = 'turns.worker.js';
  const beside = new URL(`./${name}`, import.meta.url);
  return existsSync(beside) ? beside : new URL(`../${name}`, import.meta.url);
}
