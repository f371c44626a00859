import { expect, test } from 'vitest';
import type { LevelState, PairingView } from '../../../shared/domain/level.ts';
import { DEFAULT_SCOPE, directionOf, levelInForce, nextFallBack, pairingName, scopeKey } from './level.logic.ts';

const pairing = (more: Partial<PairingView> = {}): PairingView => ({
  id: 1,
  channel: 'telegram',
  sender_id: 'roberto',
  stored_level: 'Full',
  level: 'Full',
  known: true,
  revoked_at: null,
  paired_at: '2026-01-01T00:00:00Z',
  last_seen: null,
  display_name: 'Roberto',
  timed: null,
  ...more,
});
const state = (...pairings: PairingView[]): LevelState => ({
  default_level: 'Supervised',
  default_timed: null,
  pairings,
  frozen: null,
  problem: null,
});
const roberto = { kind: 'pairing', channel: 'telegram', sender_id: 'roberto' } as const;

test('a pairing has its own level, everyone else the default', () => {
  expect(levelInForce(state(pairing()), roberto)?.level).toBe('Full');
  expect(levelInForce(state(pairing()), DEFAULT_SCOPE)?.level).toBe('Supervised');
});

test('nothing is claimed while the state, or the pairing, is not known', () => {
  expect(levelInForce(null, DEFAULT_SCOPE)).toBeNull();
  expect(levelInForce(state(), roberto)).toBeNull();
});

test('an unknown text counts as ReadOnly and is shown', () => {
  const odd = pairing({ stored_level: 'Root', level: 'ReadOnly', known: false });
  expect(levelInForce(state(odd), roberto)).toMatchObject({ level: 'ReadOnly', unknownText: 'Root' });
});

test('a revoked pairing says so', () => {
  expect(levelInForce(state(pairing({ revoked_at: 'x' })), roberto)?.revoked).toBe(true);
});

test.each([
  ['ReadOnly', true, 'Supervised', 'raise'],
  ['Supervised', true, 'Full', 'raise'],
  ['Full', true, 'ReadOnly', 'lower'],
  ['Full', true, 'Full', 'same'],
  ['ReadOnly', false, 'ReadOnly', 'rewrite'],
  ['ReadOnly', false, 'Supervised', 'raise'],
] as const)('from %s (known: %s) to %s is %s', (level, known, to, expected) => {
  const now = levelInForce(state(pairing({ level, known, stored_level: known ? level : 'Root' })), roberto);
  expect(now && directionOf(now, to)).toBe(expected);
});

test('scopes with crafted names stay apart', () => {
  const one = scopeKey({ kind: 'pairing', channel: 'a","b', sender_id: 'c' });
  const other = scopeKey({ kind: 'pairing', channel: 'a', sender_id: 'b","c' });
  expect(one).not.toBe(other);
  expect(scopeKey({ kind: 'pairing', channel: 'default', sender_id: 'x' })).not.toBe(scopeKey(DEFAULT_SCOPE));
});

test('a pairing is called by its name, or by the sender', () => {
  expect(pairingName(pairing())).toBe('telegram / Roberto');
  expect(pairingName(pairing({ display_name: null }))).toBe('telegram / roberto');
});

test('the next fall-back is the earliest one of default and pairings', () => {
  expect(nextFallBack(null)).toBeNull();
  expect(nextFallBack(state(pairing()))).toBeNull();
  const timed = (until_ms: number) => ({ until_ms, falls_back_to: 'ReadOnly' }) as const;
  const both = { ...state(pairing({ timed: timed(50) })), default_timed: timed(70) };
  expect(nextFallBack(both)).toBe(50);
  expect(levelInForce(both, roberto)?.timed).toEqual(timed(50));
  expect(levelInForce(both, DEFAULT_SCOPE)?.timed).toEqual(timed(70));
});
