/** The main thread's half of asking a worker: questions with a number, answers that find theirs, an end that is waited for. */
import { existsSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { type ErrorCode, UserError } from './errors.ts';

/** What a worker says to a question. */
export type WorkerAnswer =
  | { type: 'answer'; id: number; value: unknown }
  | { type: 'failure'; id: number; code: ErrorCode | null; message: string; subject: string | null };

export interface WorkerCalls {
  /** @throws UserError as the worker threw it, an Error for whatever else it threw, or what `failAll` gives */
  ask(worker: Worker, op: string, input: unknown): Promise<unknown>;
  settle(answer: WorkerAnswer): void;
  /** For a worker that died: nobody answers what is still open. */
  failAll(error: () => Error): void;
}

export function createWorkerCalls(): WorkerCalls {
  const pending = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  return {
    ask(worker, op, input) {
      const id = nextId++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        worker.postMessage({ op, id, input });
      });
    },
    settle(answer) {
      const waiting = pending.get(answer.id);
      pending.delete(answer.id);
      if (answer.type === 'answer') waiting?.resolve(answer.value);
      else if (answer.code === null) waiting?.reject(new Error(answer.message));
      else waiting?.reject(new UserError(answer.code, answer.message, answer.subject));
    },
    failAll(error) {
      for (const { reject } of pending.values()) reject(error());
      pending.clear();
    },
  };
}

const CLOSE_MS = 1000;

/** Asks a worker to close, and ends it when it does not within a second. */
export async function endWorker(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage({ op: 'close' });
  const limit = setTimeout(() => void worker.terminate(), CLOSE_MS);
  await ended;
  clearTimeout(limit);
}

/**
 * Where a worker's file is. Bundles may put the asking module into a folder of shared parts, one below the entries.
 * @param asking `import.meta.url` of the module that asks
 */
export function workerEntry(asking: string, files: { source: string; bundled: string }): URL {
  if (asking.endsWith('.ts')) return new URL(files.source, asking);
  const beside = new URL(files.bundled, asking);
  return existsSync(beside) ? beside : new URL(`../${files.bundled}`, asking);
}
