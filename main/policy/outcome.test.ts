import { describe, expect, test, vi } from 'vitest';
import { AUTONOMY_LEVELS } from '../../shared/domain/capability.ts';
import { effectiveOutcome } from './outcome.ts';
import { REGISTRY } from './registry.ts';
import { tableOutcome } from './table.ts';

const SCOPE = { channel: 'telegram', sender_id: 'roberto', target: '/home/user/a.txt' };
const every = AUTONOMY_LEVELS.flatMap((level) => REGISTRY.map((one) => ({ level, ...one })));

test('effective_outcome_grant_alza_a_allowed', () => {
  const hasGrant = vi.fn(() => true);
  expect(effectiveOutcome('Supervised', 'fs:write', SCOPE, { hasGrant })).toBe('allowed');
  expect(hasGrant.mock.calls).toEqual([['telegram', 'roberto', 'fs:write', '/home/user/a.txt']]);
  expect(effectiveOutcome('Supervised', 'fs:write', SCOPE, { hasGrant: () => false })).toBe('approval_required');
});

test('effective_outcome_denied_non_e_alzato_da_grant [security]', () => {
  for (const { level, name } of every.filter((one) => tableOutcome(one.level, one.name) === 'denied')) {
    expect(effectiveOutcome(level, name, SCOPE, { hasGrant: () => true })).toBe('denied');
  }
  expect(effectiveOutcome('Full', 'fs:delete', SCOPE, { hasGrant: () => true })).toBe('denied');
  expect(effectiveOutcome('Root', 'fs:read', SCOPE, { hasGrant: () => true })).toBe('denied');
});

test('an `always` capability is never lifted, whatever the file says [security]', () => {
  const always = every.filter((one) => one.default_approval === 'always' && one.level !== 'ReadOnly');
  expect(always).toHaveLength(4);
  for (const { level, name } of always) {
    expect(effectiveOutcome(level, name, SCOPE, { hasGrant: () => true })).toBe('approval_required');
  }
});

test('grants are looked at only where the table asks and a grant may answer', () => {
  const asked: string[] = [];
  for (const { level, name } of every) {
    effectiveOutcome(level, name, SCOPE, { hasGrant: () => asked.push(`${level} ${name}`) > 0 });
  }
  const piercable = every.filter(
    (one) => tableOutcome(one.level, one.name) === 'approval_required' && one.default_approval === 'per_target',
  );
  expect(asked).toEqual(piercable.map(({ level, name }) => `${level} ${name}`));
});

describe('without the whole scope no grant answers', () => {
  test.each(['channel', 'sender_id', 'target'] as const)('%s', (part) => {
    const hasGrant = vi.fn(() => true);
    for (const value of [undefined, null, '']) {
      expect(effectiveOutcome('Supervised', 'fs:read', { ...SCOPE, [part]: value }, { hasGrant })).toBe(
        'approval_required',
      );
    }
    expect(hasGrant).not.toHaveBeenCalled();
  });
});

test('grants that cannot be read allow nothing, and the error is reported [security]', () => {
  const broken = new Error('damaged');
  const onError = vi.fn();
  const hasGrant = () => {
    throw broken;
  };
  expect(effectiveOutcome('Supervised', 'fs:read', SCOPE, { hasGrant, onError })).toBe('approval_required');
  expect(effectiveOutcome('Supervised', 'fs:read', SCOPE, { hasGrant })).toBe('approval_required');
  expect(onError.mock.calls).toEqual([[broken]]);
});

test('only a plain true is a yes [security]', () => {
  const hasGrant = () => 'no' as unknown as boolean;
  expect(effectiveOutcome('Supervised', 'fs:read', SCOPE, { hasGrant })).toBe('approval_required');
});
