import { describe, expect, test } from 'vitest';
import { AUTONOMY_LEVELS, CAPABILITY_NAMES } from '../../shared/domain/capability.ts';
import { outcomeThen, outcomeUnderLevel, type PastCall } from './compare.ts';
import { effectiveOutcome } from './outcome.ts';
import { parseOverrides } from './overrides.ts';

const call = (more: Partial<PastCall> = {}): PastCall => ({
  channel: 'telegram',
  sender_id: 'anna',
  capability: 'fs:write',
  level: 'Supervised',
  fate: 'asked',
  ...more,
});

describe('a past call under another level', () => {
  test.each<[Partial<PastCall>, (typeof AUTONOMY_LEVELS)[number], string]>([
    [{}, 'Full', 'allowed'],
    [{}, 'ReadOnly', 'denied'],
    [{ capability: 'mail:send' }, 'Full', 'approval_required'],
    [{ capability: 'fs:read' }, 'ReadOnly', 'approval_required'],
    [{ fate: 'lifted' }, 'ReadOnly', 'denied'],
    [{ fate: 'lifted', capability: 'fs:read' }, 'ReadOnly', 'allowed'],
    [{ fate: 'passed', level: 'Full' }, 'Supervised', 'approval_required'],
    [{ fate: 'denied', level: 'ReadOnly' }, 'Supervised', 'approval_required'],
    [{ fate: 'denied', level: 'ReadOnly' }, 'Full', 'allowed'],
    [{ capability: 'disk:format' }, 'Full', 'denied'],
  ])('%j under %s: %s', (more, to, outcome) => {
    expect(outcomeUnderLevel(call(more), to, {})).toBe(outcome);
  });

  test('is what the policy itself says, for every cell, with and without a grant', () => {
    for (const to of AUTONOMY_LEVELS) {
      for (const capability of CAPABILITY_NAMES) {
        for (const fate of ['asked', 'lifted'] as const) {
          const scope = { channel: 'telegram', sender_id: 'anna', target: '*' };
          const real = effectiveOutcome(to, capability, scope, { hasGrant: () => fate === 'lifted' });
          expect(outcomeUnderLevel(call({ capability, fate, level: 'elsewhere' }), to, {})).toBe(real);
        }
      }
    }
  });

  test('under the level that counted then nothing differs, whatever was set since', () => {
    const overrides = parseOverrides('[[profile]]\n[profile.any]\n"fs:write" = "denied"', 'x');
    for (const fate of ['passed', 'lifted', 'asked', 'denied'] as const) {
      expect(outcomeUnderLevel(call({ fate }), 'Supervised', { overrides })).toBe(outcomeThen({ fate }));
    }
  });

  test('limits beside the table hold, and a price that is not kept asks', () => {
    const overrides = parseOverrides(
      '[[profile]]\nsender_id = "anna"\n[profile.Full]\n"fs:write" = "approval_required"',
      'x',
    );
    expect(outcomeUnderLevel(call(), 'Full', { overrides })).toBe('approval_required');
    expect(outcomeUnderLevel(call({ sender_id: 'bert' }), 'Full', { overrides })).toBe('allowed');
    const cost = { ask_above: 1, deny_above: null };
    expect(outcomeUnderLevel(call({ capability: 'llm:online' }), 'Full', { cost })).toBe('approval_required');
  });

  test('a grant never lifts what is denied [security]', () => {
    expect(outcomeUnderLevel(call({ fate: 'lifted' }), 'ReadOnly', {})).toBe('denied');
  });
});
