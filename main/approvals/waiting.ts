import type { Changes } from '../engine/changes.ts';

/** Who waits for a card. Nothing runs while nobody does. */
export interface Waiting {
  /** Resolves at the next change of the file, when the token is poked, after `ms`, or when the signal ends. */
  wait(token: string, ms: number, signal: AbortSignal): Promise<void>;
  has(token: string): boolean;
  /** Wakes those who wait for the token; all of them without one. */
  poke(token?: string): void;
}

/** Where the system tells no changes, another program's answer is still seen after so long, ms. */
const LOOK_ANYWAY_MS = 2000;
/** The longest that a timer of Node's takes, ms. */
const LONGEST_MS = 2 ** 31 - 1;

export function createWaiting(changes: Changes): Waiting {
  const waiting = new Map<string, Set<() => void>>();
  let following: AbortController | null = null;
  let timer: NodeJS.Timeout | null = null;

  const poke = (token?: string): void => {
    const woken = token === undefined ? [...waiting.values()] : [waiting.get(token) ?? new Set()];
    for (const wakes of woken) for (const wake of [...wakes]) wake();
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    for await (const _ of changes.ticks(signal)) poke();
  };
  const start = (): void => {
    if (following !== null) return;
    following = new AbortController();
    void follow(following.signal);
    timer = setInterval(() => poke(), LOOK_ANYWAY_MS);
  };
  const stop = (): void => {
    following?.abort();
    following = null;
    if (timer !== null) clearInterval(timer);
    timer = null;
  };

  return {
    poke,
    has: (token) => waiting.has(token),
    wait: (token, ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const wakes = waiting.get(token) ?? new Set();
        const limit = setTimeout(() => wake(), Math.min(Math.max(ms, 0), LONGEST_MS));
        const wake = (): void => {
          clearTimeout(limit);
          signal.removeEventListener('abort', wake);
          wakes.delete(wake);
          if (wakes.size === 0) waiting.delete(token);
          if (waiting.size === 0) stop();
          resolve();
        };
        signal.addEventListener('abort', wake);
        waiting.set(token, wakes.add(wake));
        start();
      }),
  };
}
