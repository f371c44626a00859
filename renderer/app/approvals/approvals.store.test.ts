import { beforeEach, expect, test } from 'vitest';
import { card } from './approval.fixture.ts';
import { forgetApprovals, removeCard, takeWatched, useApprovals } from './approvals.store.ts';

beforeEach(forgetApprovals);
const tokens = () => useApprovals.getState().cards?.map((each) => each.token);
const event = (...names: string[]) => ({
  pending: names.length,
  cards: names.map((token) => card({ token })),
  problem: null,
});

test('nothing is claimed before the engine has answered', () => {
  expect(useApprovals.getState().cards).toBeNull();
});

test('a card that was decided here goes at once, and an older event does not bring it back', () => {
  takeWatched(event('a', 'b'));
  removeCard('a');
  expect(tokens()).toEqual(['b']);
  expect(useApprovals.getState().pending).toBe(1);
  takeWatched(event('a', 'b'));
  expect(tokens()).toEqual(['b']);
  expect(useApprovals.getState().pending).toBe(1);
});

test('a token that the engine had let go and asks again is shown again', () => {
  takeWatched(event('a'));
  removeCard('a');
  takeWatched(event());
  takeWatched(event('a'));
  expect(tokens()).toEqual(['a']);
});

test('more may wait than are shown', () => {
  takeWatched({ ...event('a', 'b'), pending: 300 });
  removeCard('b');
  expect(useApprovals.getState().pending).toBe(299);
});
