import { expect, test } from 'vitest';
import { grantsHref, liveFilter, liveHref, readGrantsSearch, readLiveSearch } from './links.ts';

test('an address is read back as it was written', () => {
  const search = {
    outcome: 'denied',
    phase: 'guard',
    rule: '(^|/)\\.ssh(/|$)',
    executor: '42',
    from: 1,
    to: 2.5,
    text: 'a&b=c #',
  } as const;
  const query = liveHref(search).replace('#/live?', '');
  expect(readLiveSearch(Object.fromEntries(new URLSearchParams(query)))).toEqual(search);
  // The router reads numbers as numbers.
  expect(readLiveSearch({ executor: 42, from: 1 })).toEqual({ executor: '42', from: 1 });
});

test('what does not fit is left out', () => {
  expect(readLiveSearch({ outcome: 'maybe', phase: '', from: 'x', to: Number.NaN, text: { a: 1 } })).toEqual({});
  expect(readGrantsSearch({ all: 'yes', channel: '' })).toEqual({});
});

test('becomes the filter of the engine', () => {
  expect(liveFilter({ outcome: 'denied', phase: 'judge', from: 1 })).toEqual({
    outcome: 'denied',
    blocked_by: 'judge',
    from_ts: 1,
  });
  expect(liveFilter({})).toEqual({});
});

test('addresses without a filter are bare', () => {
  expect(liveHref({})).toBe('#/live');
  expect(grantsHref({ capability: 'fs:read' })).toBe('#/grants?capability=fs%3Aread');
});
