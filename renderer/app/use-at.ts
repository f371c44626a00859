import { useEffect, useRef } from 'react';

/** setTimeout overflows (and fires at once) beyond this many ms; a far instant is waited for in steps. */
const LONGEST_WAIT = 2 ** 31 - 1;

/** How long one timer may wait (ms) on the way to an instant. */
export function stepTowards(instant: number, now: number): number {
  return Math.min(Math.max(0, instant - now), LONGEST_WAIT);
}

/** Runs once when the clock reaches an instant (ms since the epoch), at once when it has passed; null = never. */
export function useAt(instant: number | null, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (instant === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () => {
      // A timer may be a little early, and a machine may have slept: only the clock decides.
      if (Date.now() >= instant) latest.current();
      else wait();
    };
    const wait = () => {
      timer = setTimeout(look, stepTowards(instant, Date.now()));
    };
    wait();
    return () => clearTimeout(timer);
  }, [instant]);
}
