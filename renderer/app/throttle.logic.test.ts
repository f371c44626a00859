import { expect, test } from 'vitest';
import { throttle } from './throttle.logic.ts';

function clockwork() {
  let now = 1000;
  let due: { run: () => void; at: number } | null = null;
  return {
    timer: {
      now: () => now,
      set: (run: () => void, ms: number) => {
        due = { run, at: now + ms };
        return due;
      },
      clear: () => {
        due = null;
      },
    },
    to(at: number) {
      now = at;
      const task = due;
      if (task && task.at <= now) {
        due = null;
        task.run();
      }
    },
  };
}

test('the first call runs at once, the ones within the interval end in one run', () => {
  const { timer, to } = clockwork();
  const runs: number[] = [];
  const throttled = throttle(() => runs.push(timer.now()), 1000, timer);
  throttled.call();
  throttled.call();
  throttled.call();
  expect(runs).toEqual([1000]);
  to(1999);
  expect(runs).toEqual([1000]);
  to(2000);
  expect(runs).toEqual([1000, 2000]);
  to(5000);
  throttled.call();
  expect(runs).toEqual([1000, 2000, 5000]);
});

test('cancel drops the run that waits', () => {
  const { timer, to } = clockwork();
  let runs = 0;
  const throttled = throttle(() => (runs += 1), 1000, timer);
  throttled.call();
  throttled.call();
  throttled.cancel();
  to(9000);
  expect(runs).toBe(1);
});
