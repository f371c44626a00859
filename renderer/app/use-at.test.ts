import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stepTowards, useAt } from './use-at.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const DAY = 86_400_000;

test('a step is never longer than a timer can hold, nor shorter than nothing', () => {
  expect(stepTowards(5000, 2000)).toBe(3000);
  expect(stepTowards(90 * DAY, 0)).toBe(2 ** 31 - 1);
  expect(stepTowards(1000, 2000)).toBe(0);
});

test('runs once at the instant, not before', () => {
  const run = vi.fn();
  renderHook(() => useAt(Date.now() + 1000, run), {});
  act(() => void vi.advanceTimersByTime(999));
  expect(run).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(1));
  expect(run).toHaveBeenCalledTimes(1);
  act(() => void vi.advanceTimersByTime(DAY));
  expect(run).toHaveBeenCalledTimes(1);
});

test('a far instant does not fire at once', () => {
  const run = vi.fn();
  const instant = Date.now() + 60 * DAY;
  renderHook(() => useAt(instant, run));
  act(() => void vi.advanceTimersByTime(59 * DAY));
  expect(run).not.toHaveBeenCalled();
  act(() => void vi.advanceTimersByTime(DAY));
  expect(run).toHaveBeenCalledTimes(1);
});

test('another instant replaces the one waited for; null and unmounting end the wait', () => {
  const run = vi.fn();
  const start = Date.now();
  const { rerender, unmount } = renderHook(({ at }: { at: number | null }) => useAt(at, run), {
    initialProps: { at: (start + 1000) as number | null },
  });
  rerender({ at: start + 5000 });
  act(() => void vi.advanceTimersByTime(4000));
  expect(run).not.toHaveBeenCalled();
  rerender({ at: null });
  act(() => void vi.advanceTimersByTime(DAY));
  rerender({ at: Date.now() + 10 });
  unmount();
  act(() => void vi.advanceTimersByTime(DAY));
  expect(run).not.toHaveBeenCalled();
});
