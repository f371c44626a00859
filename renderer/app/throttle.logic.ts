/** The timer that a throttle uses; an argument, so that a test decides what time it is. */
export interface Timer {
  now(): number;
  set(run: () => void, ms: number): unknown;
  clear(handle: unknown): void;
}

export const REAL_TIMER: Timer = {
  now: () => Date.now(),
  set: (run, ms) => setTimeout(run, ms),
  clear: (handle) => clearTimeout(handle as number),
};

/**
 * Runs at once, then at most once in `ms`; calls in between end in one run at the end of the interval,
 * so the last change is never missed.
 */
export function throttle(run: () => void, ms: number, timer: Timer = REAL_TIMER): { call(): void; cancel(): void } {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: unknown = null;
  const fire = () => {
    waiting = null;
    last = timer.now();
    run();
  };
  return {
    call() {
      if (waiting !== null) return;
      const wait = last + ms - timer.now();
      if (wait <= 0) fire();
      else waiting = timer.set(fire, wait);
    },
    cancel() {
      if (waiting !== null) timer.clear(waiting);
      waiting = null;
    },
  };
}
