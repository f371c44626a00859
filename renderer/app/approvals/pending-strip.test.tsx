import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { card } from './approval.fixture.ts';
import { forgetApprovals, takeWatched } from './approvals.store.ts';
import { PendingStrip } from './pending-strip.tsx';
import { capabilityIn } from './strings.ts';

beforeEach(forgetApprovals);
afterEach(cleanup);

test('takes no room while nothing waits', () => {
  const { container } = render(<PendingStrip />);
  expect(container.textContent).toBe('');
  act(() => takeWatched({ pending: 0, cards: [], problem: null }));
  expect(container.textContent).toBe('');
});

test('names the three oldest, counts the rest, leads to the card and decides nothing', () => {
  const cards = ['a', 'b', 'c', 'd'].map((token) => card({ token, object: `~/x\u202e${token}` }));
  render(<PendingStrip />);
  act(() => takeWatched({ pending: 300, cards, problem: null }));
  expect(screen.getByRole('status').textContent).toBe('300 calls wait for you');
  expect(screen.getByText('and 297 more')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(screen.getAllByRole('img', { name: /RIGHT-TO-LEFT OVERRIDE/ })).toHaveLength(3);
  expect(screen.queryAllByRole('button')).toEqual([]);
  const links = screen.getAllByRole('link', { name: /^Decide/ }).map((each) => each.getAttribute('href'));
  expect(links).toEqual(['#/approvals?card=a', '#/approvals?card=b', '#/approvals?card=c']);
});

test.each([
  ['fs:write', 'fs:write'],
  ['fs:write:~/Archivio/**', 'fs:write'],
  ['fs:writer', null],
  ['quantum:leap', null],
])('the capability in %s is %s', (text, expected) => {
  expect(capabilityIn(text)).toBe(expected);
});
