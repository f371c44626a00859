import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { AUTONOMY_LEVELS, CAPABILITY_NAMES, type Outcome } from '../../shared/domain/capability.ts';
import { type DecideOutcomeDeps, decideOutcome, type OutcomeRequest } from './decide.ts';
import { effectiveOutcome } from './outcome.ts';
import { type Overrides, parseOverrides } from './overrides.ts';
import { REGISTRY } from './registry.ts';
import { isStricter } from './strictness.ts';
import { tableOutcome } from './table.ts';

const CALL = { channel: 'telegram', sender_id: 'anna', target: '*' };
const granted = () => 7;
const none = () => null;
const override = (where: string, capability: string, outcome: string) =>
  parseOverrides(`[[profile]]\n[profile.${where}]\n"${capability}" = "${outcome}"`, 'x');

function decide(
  level: string,
  capability: string,
  deps: Partial<DecideOutcomeDeps>,
  more: Partial<OutcomeRequest> = {},
) {
  return decideOutcome({ level, capability, ...CALL, ...more }, { findGrant: none, ...deps });
}

test('without limits it is the effective outcome, everywhere', () => {
  for (const level of [...AUTONOMY_LEVELS, 'Root']) {
    for (const capability of [...CAPABILITY_NAMES, 'fs:delete']) {
      for (const findGrant of [granted, none]) {
        const expected = effectiveOutcome(level, capability, CALL, { hasGrant: () => findGrant() !== null });
        expect(decide(level, capability, { findGrant }).outcome).toBe(expected);
      }
    }
  }
});

test('it says what decided', () => {
  expect(decide('Full', 'fs:read', {})).toMatchObject({ outcome: 'allowed', rule: 'policy:table', grant_id: null });
  expect(decide('Supervised', 'fs:read', { findGrant: granted })).toMatchObject({ rule: 'policy:grant', grant_id: 7 });
  expect(decide('Supervised', 'fs:read', {})).toMatchObject({ outcome: 'approval_required', rule: 'policy:table' });
  expect(decide('ReadOnly', 'fs:write', {})).toMatchObject({ outcome: 'denied', needed_level: 'Supervised' });
  expect(decide('ReadOnly', 'fs:write', {}).reason).toContain('needs Supervised');
  expect(decide('Full', 'fs:delete', {})).toMatchObject({ outcome: 'denied', needed_level: null });
});

describe('overrides', () => {
  test('make the table stricter, and are not lifted by a grant', () => {
    const asks = override('any', 'fs:read', 'approval_required');
    expect(decide('Full', 'fs:read', { overrides: asks })).toMatchObject({
      outcome: 'approval_required',
      rule: 'policy:override',
    });
    expect(decide('Supervised', 'fs:read', { overrides: asks, findGrant: granted })).toMatchObject({
      outcome: 'approval_required',
      rule: 'policy:override',
      grant_id: null,
    });
  });

  test('that deny spare the look at the grants', () => {
    const findGrant = vi.fn(granted);
    const denies = override('any', 'fs:read', 'denied');
    expect(decide('Supervised', 'fs:read', { overrides: denies, findGrant }).outcome).toBe('denied');
    expect(findGrant).not.toHaveBeenCalled();
  });
});

describe('cost', () => {
  const cost = { ask_above: 0.05, deny_above: 1 };
  test('above the ceiling Full asks, and a grant does not lift that', () => {
    expect(decide('Full', 'llm:online', { cost }, { price: 0.05 }).outcome).toBe('allowed');
    expect(decide('Full', 'llm:online', { cost }, { price: 0.06 })).toMatchObject({
      outcome: 'approval_required',
      rule: 'policy:cost',
    });
    expect(decide('Supervised', 'llm:online', { cost, findGrant: granted }, { price: 0.06 })).toMatchObject({
      outcome: 'approval_required',
      grant_id: null,
    });
    expect(decide('Supervised', 'llm:online', { cost, findGrant: granted }, { price: 0.01 }).grant_id).toBe(7);
    expect(decide('Full', 'llm:online', { cost }, { price: 2 }).outcome).toBe('denied');
    expect(decide('Full', 'llm:online', { cost }).outcome).toBe('approval_required');
  });
});

describe('rate', () => {
  test('a token is taken only by a call that would pass', () => {
    const takeTokens = vi.fn((): Outcome => 'allowed');
    decide('Supervised', 'fs:read', { takeTokens });
    decide('ReadOnly', 'fs:write', { takeTokens });
    decide('Full', 'llm:online', { takeTokens, cost: { ask_above: 0, deny_above: null } }, { price: 1 });
    decide('Full', 'fs:read', { takeTokens, overrides: override('Full', 'fs:read', 'approval_required') });
    expect(takeTokens).not.toHaveBeenCalled();
    expect(decide('Full', 'fs:read', { takeTokens }).outcome).toBe('allowed');
    expect(decide('Supervised', 'fs:read', { takeTokens, findGrant: granted }).outcome).toBe('allowed');
    expect(takeTokens).toHaveBeenCalledTimes(2);
  });

  test.each(['denied', 'approval_required'] as const)('an empty bucket makes it %s', (outcome) => {
    expect(decide('Full', 'fs:read', { takeTokens: () => outcome })).toMatchObject({ outcome, rule: 'policy:rate' });
  });
});

describe('a fault never lets a call pass [security]', () => {
  const fail = (): never => {
    throw new Error('broken');
  };
  const broken = new Proxy([], { get: fail }) as unknown as Overrides;
  const cost = Object.defineProperty({ deny_above: null }, 'ask_above', { get: fail }) as never;
  test.each([
    ['the overrides', 'fs:read', { overrides: broken }, {}],
    ['the cost', 'llm:online', { cost }, { price: 0 }],
    ['the rate', 'fs:read', { takeTokens: fail }, {}],
  ])('in %s', (_name, capability, deps, more) => {
    const onError = vi.fn();
    for (const [level, findGrant] of [
      ['Full', none],
      ['Supervised', granted],
    ] as const) {
      expect(decide(level, capability, { ...deps, findGrant, onError }, more)).toMatchObject({
        outcome: 'approval_required',
        rule: 'policy:error',
        grant_id: null,
      });
    }
    expect(onError).toHaveBeenCalled();
  });

  test('in the grants, and in whoever is told of it', () => {
    expect(decide('Supervised', 'fs:read', { findGrant: fail, onError: fail }).outcome).toBe('approval_required');
  });
});

test('whatever is set, denied is never lifted, `always` is never lifted, and nothing gets laxer [security]', () => {
  const outcome = fc.constantFrom<Outcome>('allowed', 'approval_required', 'denied');
  const overrides = fc.array(
    fc.record({
      channel: fc.constantFrom(null, 'telegram', 'web'),
      sender_id: fc.constantFrom(null, 'anna'),
      outcomes: fc
        .array(fc.tuple(fc.constantFrom('any', ...AUTONOMY_LEVELS), fc.constantFrom(...CAPABILITY_NAMES), outcome))
        .map((all) => {
          const made = new Map();
          for (const [where, capability, value] of all) {
            if (!made.has(where)) made.set(where, new Map());
            made.get(where).set(capability, value);
          }
          return made;
        }),
    }),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(
      fc.record({
        level: fc.constantFrom(...AUTONOMY_LEVELS, 'Root'),
        capability: fc.constantFrom(...CAPABILITY_NAMES, 'fs:delete'),
        channel: fc.constantFrom('telegram', 'web', '', null),
        sender_id: fc.constantFrom('anna', null),
        target: fc.constantFrom('*', null),
        price: fc.constantFrom(0, 1, Number.NaN, null),
      }),
      overrides,
      fc.option(fc.record({ ask_above: fc.constantFrom(0, 0.5, Number.NaN), deny_above: fc.constantFrom(null, 0.7) }), {
        nil: null,
      }),
      fc.constantFrom<'none' | 'fails' | Outcome>('none', 'fails', 'allowed', 'approval_required', 'denied'),
      fc.constantFrom('yes', 'no', 'fails'),
      (request, given, cost, rate, grant) => {
        const findGrant = () => {
          if (grant === 'fails') throw new Error('grants');
          return grant === 'yes' ? 1 : null;
        };
        const takeTokens =
          rate === 'none'
            ? null
            : () => {
                if (rate === 'fails') throw new Error('rate');
                return rate;
              };
        const decided = decideOutcome(request, { findGrant, overrides: given, cost, takeTokens });
        const plain = effectiveOutcome(request.level, request.capability, request, {
          hasGrant: () => findGrant() !== null,
        });
        expect(isStricter(plain, decided.outcome)).toBe(false);
        if (tableOutcome(request.level, request.capability) === 'denied') expect(decided.outcome).toBe('denied');
        const always = REGISTRY.find(({ name }) => name === request.capability)?.default_approval === 'always';
        if (always) expect(decided.outcome).not.toBe('allowed');
        if (decided.grant_id !== null) expect(decided.outcome).toBe('allowed');
        if (rate === 'fails' || rate === 'denied') expect(decided.outcome).not.toBe('allowed');
      },
    ),
    { numRuns: 5000 },
  );
});
