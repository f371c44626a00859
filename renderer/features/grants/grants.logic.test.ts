import { describe, expect, test } from 'vitest';
import type { GrantView } from '../../../shared/domain/grant.ts';
import {
  countGrants,
  filterFrom,
  filterGrants,
  isFiltered,
  NO_FILTER,
  nextExpiry,
  sortGrants,
  stateAt,
  valuesOf,
} from './grants.logic.ts';

const NOW = Date.UTC(2026, 10, 30, 12);

function grant(id: number, more: Partial<GrantView> = {}): GrantView {
  return {
    id,
    channel: 'telegram',
    sender_id: 'roberto',
    capability: 'fs:read',
    target: '~/Documents/**',
    granted_at: '2026-11-01T10:00:00Z',
    expires_at: null,
    granted_by: 'telegram:roberto',
    revoked_at: null,
    state: 'active',
    no_effect: null,
    expires_ms: null,
    granted_ms: NOW - id * 1000,
    bad_expiry: false,
    uses: 0,
    last_used_ms: null,
    revoked_reason: null,
    ...more,
  };
}

describe('state at an instant', () => {
  test('an active grant runs out at its expiry, not before', () => {
    const g = grant(1, { expires_ms: NOW });
    expect(stateAt(g, NOW - 1)).toBe('active');
    expect(stateAt(g, NOW)).toBe('expired');
  });

  test('a revoked or expired row stays what it is', () => {
    expect(stateAt(grant(1, { state: 'revoked', expires_ms: NOW + 1 }), NOW)).toBe('revoked');
    expect(stateAt(grant(1, { state: 'expired', bad_expiry: true }), NOW)).toBe('expired');
  });
});

describe('next expiry', () => {
  test('the nearest of the active ones; ended and endless rows do not count', () => {
    const grants = [
      grant(1),
      grant(2, { expires_ms: NOW + 5000 }),
      grant(3, { expires_ms: NOW + 2000 }),
      grant(4, { expires_ms: NOW - 1 }),
      grant(5, { expires_ms: NOW + 1, state: 'revoked' }),
    ];
    expect(nextExpiry(grants, NOW)).toBe(NOW + 2000);
    expect(nextExpiry([grant(1)], NOW)).toBeNull();
  });
});

describe('filter', () => {
  const grants = [
    grant(1, { target: '~/Foto/*', sender_id: 'anna' }),
    grant(2, { capability: 'network:http', target: 'example.org', channel: 'web' }),
    grant(3, { state: 'revoked' }),
    grant(4, { expires_ms: NOW - 1 }),
  ];
  const ids = (filter: Partial<typeof NO_FILTER>) =>
    filterGrants(grants, { ...NO_FILTER, ...filter }, NOW).map((g) => g.id);

  test('only active ones without `all`', () => {
    expect(ids({})).toEqual([1, 2]);
    expect(ids({ all: true })).toEqual([1, 2, 3, 4]);
  });

  test('every word has to be found, in any field, in any case', () => {
    expect(ids({ text: 'FOTO anna' })).toEqual([1]);
    expect(ids({ text: 'foto roberto' })).toEqual([1]);
    expect(ids({ text: 'foto example' })).toEqual([]);
  });

  test('channel, sender and capabilities narrow', () => {
    expect(ids({ channel: 'web' })).toEqual([2]);
    expect(ids({ sender: 'anna' })).toEqual([1]);
    expect(ids({ capabilities: ['network:http', 'mail:read'] })).toEqual([2]);
    expect(ids({ sender: 'anna', channel: 'web' })).toEqual([]);
  });
});

test('showing ended rows is no filter, spaces are none either', () => {
  expect(isFiltered({ ...NO_FILTER, all: true, text: '  ' })).toBe(false);
  expect(isFiltered({ ...NO_FILTER, capabilities: ['fs:read'] })).toBe(true);
});

test('an address is a filter; what it leaves out narrows nothing', () => {
  expect(filterFrom({})).toEqual(NO_FILTER);
  expect(filterFrom({ capability: 'fs:read', sender: 'anna', all: true })).toEqual({
    ...NO_FILTER,
    capabilities: ['fs:read'],
    sender: 'anna',
    all: true,
  });
});

describe('sort', () => {
  const ids = (
    grants: GrantView[],
    column: Parameters<typeof sortGrants>[1]['column'],
    direction: 'up' | 'down' = 'up',
  ) => sortGrants(grants, { column, direction }, NOW).map((g) => g.id);

  test('never is the latest expiry; an unreadable one comes last in both directions', () => {
    const grants = [
      grant(1),
      grant(2, { expires_ms: NOW + 2 }),
      grant(3, { expires_ms: NOW + 1 }),
      grant(4, { bad_expiry: true, state: 'expired' }),
    ];
    expect(ids(grants, 'expires')).toEqual([3, 2, 1, 4]);
    expect(ids(grants, 'expires', 'down')).toEqual([1, 2, 3, 4]);
  });

  test('by time granted, text, and state', () => {
    expect(ids([grant(1), grant(2), grant(3)], 'granted', 'down')).toEqual([1, 2, 3]);
    expect(ids([grant(1, { target: '/b' }), grant(2, { target: '/a' })], 'target')).toEqual([2, 1]);
    expect(ids([grant(1, { state: 'revoked' }), grant(2), grant(3, { expires_ms: NOW - 1 })], 'state')).toEqual([
      2, 3, 1,
    ]);
  });

  test('by last use and by number of uses; what was never used, or is not known, is last', () => {
    const grants = [grant(1), grant(2, { uses: 9, last_used_ms: 5 }), grant(3, { uses: 10, last_used_ms: 4 })];
    expect(ids(grants, 'last_used', 'down')).toEqual([2, 3, 1]);
    expect(ids(grants, 'last_used')).toEqual([3, 2, 1]);
    expect(ids([...grants, grant(4, { uses: null })], 'uses', 'down')).toEqual([3, 2, 1, 4]);
  });

  test('numbers in text sort as numbers; ties show the newest id first; a missing value is last', () => {
    expect(ids([grant(1, { target: 'box10' }), grant(2, { target: 'box9' })], 'target')).toEqual([2, 1]);
    expect(ids([grant(1), grant(2)], 'channel')).toEqual([2, 1]);
    expect(ids([grant(1, { granted_by: null }), grant(2)], 'granted_by', 'down')).toEqual([2, 1]);
  });

  test('the list given is left as it was', () => {
    const grants = [grant(1, { target: 'b' }), grant(2, { target: 'a' })];
    sortGrants(grants, { column: 'target', direction: 'up' }, NOW);
    expect(grants.map((g) => g.id)).toEqual([1, 2]);
  });
});

test('counts tell active from effective', () => {
  expect(
    countGrants(
      [grant(1), grant(2, { no_effect: 'always' }), grant(3, { state: 'revoked' }), grant(4, { expires_ms: NOW })],
      NOW,
    ),
  ).toEqual({ active: 2, noEffect: 1, effective: 1, ended: 2 });
});

test('values of a column are distinct and in reading order, with more from elsewhere', () => {
  expect(valuesOf([grant(1), grant(2, { channel: 'cli' }), grant(3)], 'channel', ['web', 'cli'])).toEqual([
    'cli',
    'telegram',
    'web',
  ]);
});

test('the search of the page finds what the search for everything finds, without regard to accents', () => {
  const found = filterGrants([grant(1, { target: '~/Città/*' })], { ...NO_FILTER, text: 'citta' }, NOW);
  expect(found.map(({ id }) => id)).toEqual([1]);
});
