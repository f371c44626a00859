import { expect, test } from 'vitest';
import type { LevelComparison } from '../../../shared/rpc/policy.ts';
import { changesByCapability, pastLines } from './past-calls.logic.ts';

const calls: LevelComparison['calls'] = [
  { capability: 'fs:write', was: 'approval_required', would: 'allowed', calls: 200 },
  { capability: 'fs:read', was: 'approval_required', would: 'allowed', calls: 12 },
  { capability: 'mail:send', was: 'approval_required', would: 'approval_required', calls: 18 },
  { capability: 'fs:write', was: 'denied', would: 'allowed', calls: 3 },
  { capability: 'time:read', was: 'allowed', would: 'allowed', calls: 900 },
];

test('what would have changed, of how many, the ones that asked first', () => {
  expect(pastLines(calls)).toEqual([
    { was: 'approval_required', would: 'allowed', calls: 212, total: 230 },
    { was: 'denied', would: 'allowed', calls: 3, total: 3 },
  ]);
});

test('that none of those that asked would have passed is said too', () => {
  expect(pastLines([{ capability: 'fs:read', was: 'approval_required', would: 'denied', calls: 2 }])).toEqual([
    { was: 'approval_required', would: 'allowed', calls: 0, total: 2 },
    { was: 'approval_required', would: 'denied', calls: 2, total: 2 },
  ]);
  expect(pastLines([])).toEqual([]);
});

test('by capability, only what changes, in the order of the page', () => {
  const found = changesByCapability(calls, ['fs:read', 'fs:write', 'mail:send', 'time:read']);
  expect(found.map(({ capability, lines }) => [capability, lines.map((one) => one.calls)])).toEqual([
    ['fs:read', [12]],
    ['fs:write', [200, 3]],
  ]);
});
