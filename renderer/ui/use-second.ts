import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
// Whole seconds, rounded up: a countdown never says more than there is.
const present = () => Math.ceil(Date.now() / 1000) * 1000;
let now = present();

// One timer for all the countdowns on screen, and none when there are none.
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = present();
    for (const each of listeners) each();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The present, in ms, refreshed every second. */
export function useSecond(): number {
  return useSyncExternalStore(subscribe, () => {
    if (listeners.size === 0) now = present();
    return now;
  });
}
