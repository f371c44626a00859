import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOutcome } from './cost.ts';
import { bucketsOf, type RateLimits, type TokenBucket, takeToken } from './rate-limit.ts';

const LIMIT = { burst: 3, per_minute: 6 };

describe('a token bucket', () => {
  function run(times: readonly number[], limit = LIMIT): boolean[] {
    let bucket: TokenBucket | null = null;
    return times.map((now) => {
      const next = takeToken(bucket, limit, now);
      bucket = next ?? bucket;
      return next !== null;
    });
  }

  test('holds its burst, then one call for each token that came back', () => {
    expect(run([0, 0, 0, 0, 9_999, 10_000, 10_001, 20_000])).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });

  test('never holds more than its burst', () => {
    expect(run([0, 3_600_000, 3_600_000, 3_600_000, 3_600_000])).toEqual([true, true, true, true, false]);
  });

  test('a clock that goes back gives no token, and does not stop those to come', () => {
    expect(run([60_000, 60_000, 60_000, 0, 0])).toEqual([true, true, true, false, false]);
    const empty = { tokens: 0, at: 60_000 };
    expect(takeToken(empty, LIMIT, 0)).toBeNull();
    expect(takeToken({ tokens: 1, at: 60_000 }, LIMIT, 0)).toEqual({ tokens: 0, at: 0 });
  });

  test('lets through no more than burst and rate together, whatever the times', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
        fc.record({ burst: fc.integer({ min: 1, max: 9 }), per_minute: fc.integer({ min: 1, max: 600 }) }),
        (gaps, limit) => {
          let now = 0;
          const times = gaps.map((gap) => {
            now += gap;
            return now;
          });
          const passed = run(times, limit).filter(Boolean).length;
          expect(passed).toBeLessThanOrEqual(limit.burst + (now / 60_000) * limit.per_minute + 1e-6);
        },
      ),
    );
  });

  test.each([
    [{ tokens: Number.NaN, at: 0 }, LIMIT, 0],
    [{ tokens: 1, at: Number.POSITIVE_INFINITY }, LIMIT, 0],
    [null, { burst: Number.NaN, per_minute: 1 }, 0],
    [null, { burst: 1, per_minute: Number.POSITIVE_INFINITY }, 0],
    [null, LIMIT, Number.NaN],
  ])('%j %j %d is an error, not a token', (bucket, limit, now) => {
    expect(() => takeToken(bucket, limit, now)).toThrow(RangeError);
  });
});

describe('which buckets a call takes from', () => {
  const limits: RateLimits = {
    capabilities: { 'network:http': LIMIT },
    per_sender: { burst: 9, per_minute: 9 },
    exceeded: 'denied',
  };
  const keys = (...call: Parameters<typeof bucketsOf>) => bucketsOf(...call).map(({ key }) => key);

  test("the capability's, and that of channel and sender", () => {
    const [http, sender] = bucketsOf(limits, { capability: 'network:http', channel: 'a', sender_id: 'bc' });
    expect(http?.limit).toBe(LIMIT);
    expect(sender?.limit).toBe(limits.per_sender);
    expect(keys(limits, { capability: 'fs:read', channel: 'a', sender_id: 'bc' })).toEqual([sender?.key]);
    expect(keys(limits, { capability: 'constructor' })).toHaveLength(1);
    expect(keys({ ...limits, per_sender: null, capabilities: {} }, { capability: 'network:http' })).toEqual([]);
  });

  test('one bucket never belongs to two senders', () => {
    const of = (channel: string, sender_id: string) => keys(limits, { capability: 'fs:read', channel, sender_id })[0];
    expect(of('ab', 'c')).not.toBe(of('a', 'bc'));
    expect(of('a","b', 'c')).not.toBe(of('a', 'b","c'));
  });
});

describe('cost tiers', () => {
  const tiers = { ask_above: 0.05, deny_above: 1 };
  test.each([
    [0, 'allowed'],
    [0.05, 'allowed'],
    [0.051, 'approval_required'],
    [1, 'approval_required'],
    [1.01, 'denied'],
    [Number.POSITIVE_INFINITY, 'denied'],
    [undefined, 'approval_required'],
    [null, 'approval_required'],
    [Number.NaN, 'approval_required'],
    [-1, 'approval_required'],
    ['0' as unknown as number, 'approval_required'],
  ])('%s: %s', (price, expected) => {
    expect(costOutcome('llm:online', price, tiers)).toBe(expected);
  });

  test('without a denial the dearest asks; other capabilities have no price', () => {
    expect(costOutcome('llm:online', 1e9, { ask_above: 0, deny_above: null })).toBe('approval_required');
    expect(costOutcome('network:http', 1e9, tiers)).toBe('allowed');
  });

  test('a ceiling that is no number lets nothing with a price pass', () => {
    expect(costOutcome('llm:online', 0, { ask_above: Number.NaN, deny_above: null })).toBe('approval_required');
  });
});
