import { expect, test, vi } from 'vitest';
import { PressGuard, timeOf } from './press-guard.logic.ts';

function shown(cards: string[], at: number): PressGuard {
  const guard = new PressGuard(0);
  guard.show(cards, at);
  guard.paint(at);
  return guard;
}

test('a card cannot be pressed for half a second after it was painted', () => {
  const guard = shown(['a'], 1000);
  expect(guard.allows('a', 1000, 1010)).toBe(false);
  expect(guard.allows('a', 1499, 1499)).toBe(false);
  expect(guard.allows('a', 1500, 1500)).toBe(true);
});

test('a press that began too early counts for nothing, however late it ends', () => {
  const guard = shown(['a'], 1000);
  expect(guard.allows('a', 1499, 9000)).toBe(false);
});

test('a card that is not on the screen yet cannot be pressed at all', () => {
  const guard = new PressGuard(0);
  guard.show(['a'], 1000);
  expect(guard.opensAt('a')).toBe(Number.POSITIVE_INFINITY);
  expect(guard.allows('a', 1e9, 1e9)).toBe(false);
  guard.paint(5000);
  expect(guard.allows('a', 5499, 5499)).toBe(false);
  expect(guard.allows('a', 5500, 5500)).toBe(true);
});

test('an unknown card, or one that is gone, cannot be pressed', () => {
  const guard = shown(['a', 'b'], 0);
  guard.show(['b'], 1000);
  expect(guard.allows('a', 9000, 9000)).toBe(false);
  expect(guard.allows('zzz', 9000, 9000)).toBe(false);
});

test('a card that comes or goes closes all others for half a second: they may have moved', () => {
  const guard = shown(['a', 'b'], 0);
  expect(guard.allows('b', 600, 600)).toBe(true);
  guard.show(['b'], 2000);
  expect(guard.allows('b', 2499, 2499)).toBe(false);
  expect(guard.allows('b', 2500, 2500)).toBe(true);
  guard.show(['b', 'c'], 3000);
  guard.paint(3010);
  expect(guard.allows('b', 3499, 3499)).toBe(false);
  expect(guard.allows('b', 3500, 3500)).toBe(true);
  expect(guard.allows('c', 3500, 3500)).toBe(false);
  expect(guard.allows('c', 3510, 3510)).toBe(true);
});

test('another order is a move too', () => {
  const guard = shown(['a', 'b'], 0);
  expect(guard.show(['b', 'a'], 2000)).toBe(true);
  expect(guard.allows('a', 2100, 2100)).toBe(false);
});

test('the same cards again change nothing', () => {
  const guard = shown(['a', 'b'], 0);
  expect(guard.show(['a', 'b'], 2000)).toBe(false);
  expect(guard.allows('a', 2001, 2001)).toBe(true);
});

test('a move between the press and its end makes it count for nothing', () => {
  const guard = shown(['a'], 0);
  guard.disturb(2000);
  expect(guard.allows('a', 1990, 2600)).toBe(false);
  expect(guard.allows('a', 2500, 2600)).toBe(true);
});

test('a disturbance that is reported late does not shorten a later one', () => {
  const guard = shown(['a'], 0);
  guard.disturb(3000);
  guard.disturb(2000);
  expect(guard.opensAt('a')).toBe(3500);
});

test('tells who listens, until it no longer does', () => {
  const guard = shown(['a'], 0);
  const listener = vi.fn();
  const stop = guard.subscribe(listener);
  guard.disturb(10);
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  guard.disturb(20);
  expect(listener).toHaveBeenCalledTimes(1);
});

test('an event that waited in a busy page has its own time', () => {
  expect(timeOf({ timeStamp: 400 }, 900)).toBe(400);
  expect(timeOf({ timeStamp: 0 }, 900)).toBe(900);
  expect(timeOf({ timeStamp: 5000 }, 900)).toBe(900);
});
