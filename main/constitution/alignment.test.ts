import { describe, expect, test } from 'vitest';
import { align, decideAlignment, gate } from './alignment.ts';
import { botherCost } from './bother.ts';
import { readTelos } from './telos.ts';
import { TELOS } from './world.stand-in.ts';

const { teloi } = readTelos(TELOS);
const fits = (salute: number, famiglia: number, lavoro: number) =>
  Object.entries({ 't.salute': salute, 't.famiglia': famiglia, 't.lavoro': lavoro }).map(([telos_id, fit]) => ({
    telos_id,
    fit,
    why: '',
  }));

type Worked = [
  ...[name: string, fits: ReturnType<typeof fits>, urgency: number, confidence: number, published: number],
  ...[gated: number[], sum: number, before: number, cost: number, reached: number, decision: string],
];

/**
 * By hand, with weights 0.5, 0.3, 0.2, thresholds 0.4, 0.5, 0.6, base 0.1, quota 5, θ 0.30.
 *
 * | action | fits          | gated         | Σ w·g                            | ·urg ·conf      | bother (published) | result |
 * |--------|---------------|---------------|----------------------------------|-----------------|--------------------|--------|
 * | walk   | 0.8, 0.5, 0.1 | 0.8, 0.5, 0   | 0.40 + 0.15 + 0    = 0.55        | ·1 ·0.8 = 0.44  | 0   (0)            | 0.44   |
 * | visit  | 0.2, 0.9, 0.6 | 0, 0.9, 0.6   | 0 + 0.27 + 0.12    = 0.39        | ·1 ·1   = 0.39  | 0.10 (5)           | 0.29   |
 * | report | 0.3, 0.4, 0.9 | 0, 0, 0.9     | 0 + 0 + 0.18       = 0.18        | ·2 ·0.9 = 0.324 | 0.02 (1)           | 0.304  |
 * | news   | 0.3, 0.4, 0.5 | 0, 0, 0       | 0                                | ·2 ·1   = 0     | 0.04 (2)           | -0.04  |
 * | stroll | 0.6, 0.0, 0.0 | 0.6, 0, 0     | 0.30                             | ·0.5 ·1 = 0.15  | 0   (0)            | 0.15   |
 */
const WORKED = [
  ['walk', fits(0.8, 0.5, 0.1), 1, 0.8, 0, [0.8, 0.5, 0], 0.55, 0.44, 0, 0.44, 'publish'],
  ['visit', fits(0.2, 0.9, 0.6), 1, 1, 5, [0, 0.9, 0.6], 0.39, 0.39, 0.1, 0.29, 'defer_to_digest'],
  ['report', fits(0.3, 0.4, 0.9), 2, 0.9, 1, [0, 0, 0.9], 0.18, 0.324, 0.02, 0.304, 'publish'],
  ['news', fits(0.3, 0.4, 0.5), 2, 1, 2, [0, 0, 0], 0, 0, 0.04, -0.04, 'reject'],
  ['stroll', fits(0.6, 0, 0), 0.5, 1, 0, [0.6, 0, 0], 0.3, 0.15, 0, 0.15, 'reject'],
] satisfies Worked[];

test.each<Worked>(WORKED)(
  'the worked table: %s',
  (_, given, urgency, confidence, published, gated, sum, before, cost, reached, decision) => {
    const terms = align(
      teloi,
      {},
      { fits: given, confidence, urgency, botherCost: botherCost({ base: 0.1, dailyQuota: 5 }, published) },
    );
    expect(terms.teloi.map((telos) => telos.gated)).toEqual(gated);
    expect(terms.sum).toBeCloseTo(sum, 12);
    expect(terms.before_bother).toBeCloseTo(before, 12);
    expect(terms.bother_cost).toBeCloseTo(cost, 12);
    expect(terms.expected_alignment).toBeCloseTo(reached, 12);
    expect(decideAlignment(terms, 0.3)).toBe(decision);
  },
);

test.each([
  ['at', 0.4, 0.4],
  ['just below', 0.4 - 1e-9, 0],
  ['just above', 0.4 + 1e-9, 0.4 + 1e-9],
  ['with none', 0, 0],
])('gate %s a threshold', (_, fit, through) => {
  expect(gate(fit, 0.4)).toBe(through);
  expect(gate(fit, 0)).toBe(fit);
});

describe('publish, reject and defer at the θ boundary', () => {
  test.each([
    [0.3, 0.3, 'publish'],
    [0.3 - 1e-9, 0.3, 'defer_to_digest'],
    [0.3 - 1e-9, 0.3 - 1e-9, 'reject'],
    [0.3 + 1e-9, 0.4, 'publish'],
    [-0.1, 0.3, 'defer_to_digest'],
  ] as const)('%d, before the bother cost %d: %s', (expected_alignment, before_bother, decision) => {
    expect(decideAlignment({ expected_alignment, before_bother }, 0.3)).toBe(decision);
  });

  test('a figure that adds up to θ reaches it, whatever binary makes of it', () => {
    // 0.5 x 0.6 is 0.3; 0.1 + 0.2 is a little more, 0.4 - 0.1 a little less in binary.
    const terms = align(teloi, {}, { fits: fits(0.5, 0.5, 0), confidence: 1, urgency: 1, botherCost: 0.1 });
    expect(terms.before_bother).toBe(0.4);
    expect(decideAlignment(terms, 0.3)).toBe('publish');
  });
});

test('a telos that the judge left out has fit 0; the EMA multiplies its weight', () => {
  const terms = align(
    teloi,
    { 't.salute': 1.2 },
    { fits: fits(1, 1, 1).slice(0, 1), confidence: 1, urgency: 1, botherCost: 0 },
  );
  expect(terms.teloi).toMatchObject([
    { telos_id: 't.salute', ema: 1.2, fit: 1, gated: 1 },
    { telos_id: 't.famiglia', ema: 1, fit: 0, gated: 0 },
    { telos_id: 't.lavoro', ema: 1, fit: 0, gated: 0 },
  ]);
  expect(terms.sum).toBeCloseTo(0.6, 12);
});

test('each further interruption costs more', () => {
  expect([0, 1, 5, 10].map((published) => botherCost({ base: 0.1, dailyQuota: 5 }, published))).toEqual([
    0, 0.02, 0.1, 0.2,
  ]);
});
