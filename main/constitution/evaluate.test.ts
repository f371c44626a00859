import { describe, expect, test } from 'vitest';
import { JudgeUnavailable } from './errors.ts';
import { auditSignature } from './evaluate.ts';
import { CONSTITUTION } from './laws/constitution.ts';
import { factsOf, IDEA, NOW, telosOf, vaglioOf } from './world.stand-in.ts';

const judging =
  (salute: number, confidence = 1) =>
  async () => ({
    fits: [{ telos_id: 't.salute', fit: salute, why: 'it is a walk' }],
    confidence,
  });
const BLOCKED = { ...IDEA, args: { path: '~/.ssh/id' } };

test('the constitution that is in force is the whole one', () => {
  expect(CONSTITUTION.articles.map(({ id }) => id)).toEqual([
    'law.0.perimetro',
    'law.1.non_nocivita',
    'law.2.obbedienza',
    'law.3.tracciabilita',
  ]);
});

test('reactive never calls the judge', async () => {
  const { vaglio, asked } = vaglioOf({ ask: judging(1) });
  expect(await vaglio.evaluate(IDEA, 'reactive', 2)).toMatchObject({ final_decision: 'allow', judge: null });
  expect(await vaglio.evaluate(BLOCKED, 'reactive')).toMatchObject({ final_decision: 'block', judge: null });
  expect(asked()).toBe(0);
});

test('a block never calls the judge', async () => {
  const { vaglio, asked } = vaglioOf({ ask: judging(1) });
  const result = await vaglio.evaluate(BLOCKED, 'proactive', 2);
  expect(result).toMatchObject({
    final_decision: 'block',
    guard: { passes: false, contradicted_article: 'law.0.perimetro' },
    judge: null,
    terms: null,
  });
  expect(asked()).toBe(0);
});

test('guard answers in under 1 ms and calls no model', async () => {
  const { vaglio, asked } = vaglioOf();
  const took: number[] = [];
  for (let round = 0; round < 500; round++) {
    const started = performance.now();
    await vaglio.evaluate({ ...IDEA, targets: ['~/notes/a.md'], args: { path: '~/notes/a.md' } }, 'reactive');
    took.push(performance.now() - started);
  }
  // The quickest: a busy machine is no slow guard.
  expect(Math.min(...took)).toBeLessThan(1);
  expect(asked()).toBe(0);
});

describe('publish, reject and defer at the θ boundary', () => {
  // One telos answers: its weight 0.5 times its fit; θ 0.30 is reached by a fit of 0.6.
  test.each([
    [0.6, 0, 'publish', 'publish'],
    [0.6 - 1e-9, 0, 'reject', 'reject'],
    [0.6 + 1e-9, 0, 'publish', 'publish'],
    [0.6, 1, 'defer', 'defer_to_digest'],
    [0.64, 1, 'publish', 'publish'],
    [0.64, 2, 'defer', 'defer_to_digest'],
    [0.39, 0, 'reject', 'reject'],
  ])('a fit of %d after %d published: %s', async (fit, published, final_decision, decision) => {
    const { vaglio } = vaglioOf({ ask: judging(fit) }, published);
    expect(await vaglio.evaluate(IDEA, 'proactive')).toMatchObject({
      final_decision,
      judge: { decision, threshold_used: 0.3, confidence: 1 },
    });
  });

  test('what was published makes the next one dearer', async () => {
    const { vaglio } = vaglioOf({ ask: judging(0.64) });
    const results = [];
    for (let round = 0; round < 3; round++) results.push(await vaglio.evaluate(IDEA, 'proactive'));
    expect(results.map(({ final_decision, judge }) => [final_decision, judge?.bother_cost])).toEqual([
      ['publish', 0],
      ['publish', 0.02],
      ['defer', 0.04],
    ]);
  });
});

test('the record holds the fit per telos with its sentence, and every term', async () => {
  const { vaglio, kept } = vaglioOf({ ask: judging(0.8, 0.9) }, 1);
  const result = await vaglio.evaluate(
    { ...IDEA, action_id: '7b0c4f3e-8a64-4a7e-9a55-0d5a2f6f6c11' },
    'proactive',
    1.5,
  );
  expect(result).toMatchObject({
    action_id: '7b0c4f3e-8a64-4a7e-9a55-0d5a2f6f6c11',
    guard: { passes: true, contradicted_article: null, reason: '' },
    judge: {
      per_telos: [
        { telos_id: 't.salute', fit: 0.8, why: 'it is a walk' },
        { telos_id: 't.famiglia', fit: 0, why: 'the judge left it out' },
        { telos_id: 't.lavoro', fit: 0, why: 'the judge left it out' },
      ],
    },
    llm_config_used: { provider: 'local', model: 'm', tier: 'default' },
    at: new Date(NOW).toISOString(),
    urgency: { given: 1.5, used: 1.5 },
  });
  expect(result.terms).toMatchObject({
    sum: 0.4,
    urgency: 1.5,
    confidence: 0.9,
    before_bother: 0.54,
    bother_cost: 0.02,
  });
  expect(result.judge?.expected_alignment).toBeCloseTo(0.52, 12);
  expect(kept).toMatchObject([{ flow: 'proactive', result, action: { kind: 'remind', plan: IDEA.plan } }]);
});

test.each([
  [5, 2],
  [0.1, 0.5],
  [-3, 0.5],
])('an urgency of %d is clamped to %d and the record says so', async (given, used) => {
  const { vaglio, kept } = vaglioOf({ ask: judging(1) });
  const result = await vaglio.evaluate(IDEA, 'proactive', given);
  expect(result.urgency).toEqual({ given, used });
  expect(kept[0]?.result.reason).toContain(`urgency ${given} was clamped to ${used}`);
});

describe('judge unavailable defers', () => {
  test.each([
    ['that is off or slow', new JudgeUnavailable('no whole answer within 10 ms'), 'no whole answer within 10 ms'],
    ['that fails inside', new Error('secret'), 'it failed'],
  ])('one %s', async (_, fault, says) => {
    const { vaglio, kept } = vaglioOf({ ask: async () => Promise.reject(fault) });
    const result = await vaglio.evaluate(IDEA, 'proactive');
    expect(result).toMatchObject({ final_decision: 'defer', judge: { decision: 'defer_to_digest' }, terms: null });
    expect(result.reason).toContain(says);
    expect(result.reason).not.toContain('secret');
    expect(kept).toHaveLength(1);
    expect(await vaglio.evaluate(IDEA, 'reactive')).toMatchObject({ final_decision: 'allow' });
  });
});

test('without a telos proactive actions are rejected, and no model is asked', async () => {
  const none = { text: null, teloi: [], problem: null, emas: {} };
  const { vaglio, asked } = vaglioOf({ readTelos: () => none, ask: judging(1) });
  expect(await vaglio.evaluate(IDEA, 'proactive')).toMatchObject({ final_decision: 'reject', reason: 'no telos' });
  const broken = vaglioOf({ readTelos: () => ({ ...none, problem: 'TELOS.md, line 3: x' }) });
  expect((await broken.vaglio.evaluate(IDEA, 'proactive')).reason).toBe('no telos: TELOS.md, line 3: x');
  expect(asked() + broken.asked()).toBe(0);
});

test('the ends are read anew for each proposal', async () => {
  let text = telosOf().text ?? '';
  const { vaglio } = vaglioOf({ readTelos: () => telosOf(text), ask: judging(0.7) });
  expect((await vaglio.evaluate(IDEA, 'proactive')).final_decision).toBe('publish');
  text = text.replace('soglia_attivazione: 0.4', 'soglia_attivazione: 0.9');
  expect((await vaglio.evaluate(IDEA, 'proactive')).final_decision).toBe('reject');
});

describe('a journal that cannot be written', () => {
  const journal = {
    keep: () => {
      throw new Error('panel.db is damaged.');
    },
  };
  test('publishes nothing', async () => {
    const { vaglio, logged } = vaglioOf({ journal, ask: judging(1) });
    const result = await vaglio.evaluate(IDEA, 'proactive');
    expect(result).toMatchObject({ final_decision: 'defer', reason: expect.stringContaining('panel.db is damaged.') });
    expect(logged).toHaveLength(1);
  });
  test('changes no verdict of the guard', async () => {
    const { vaglio, logged } = vaglioOf({ journal });
    expect((await vaglio.evaluate(IDEA, 'reactive')).final_decision).toBe('allow');
    expect((await vaglio.evaluate(BLOCKED, 'reactive')).final_decision).toBe('block');
    expect(logged).toHaveLength(2);
  });
});

test('a missing constitution stops evaluation, and nothing is kept', async () => {
  const { vaglio, kept } = vaglioOf({ constitution: null });
  await expect(vaglio.evaluate(IDEA, 'reactive')).rejects.toMatchObject({ name: 'ConstitutionUnavailable' });
  await expect(vaglio.evaluate(IDEA, 'proactive')).rejects.toMatchObject({ name: 'ConstitutionUnavailable' });
  expect(kept).toEqual([]);
});

test('what was asked not to be seen again is known by kind, capability and targets', async () => {
  const seen: string[] = [];
  const facts = factsOf({ isUnwanted: (same) => seen.push(same) === 0 });
  const { vaglio, kept } = vaglioOf({ facts });
  const idea = { ...IDEA, targets: ['a@b.org', 'c@d.org'], args: { text: 'hello' } };
  const others = [
    { ...idea, targets: idea.targets.toReversed(), args: { text: 'other words' }, rationale: 'better argued' },
    { ...idea, kind: 'REMIND' },
    { ...idea, targets: ['a@b.org'] },
    { ...idea, capability: 'channel:out' },
  ];
  for (const one of [idea, ...others]) await vaglio.evaluate(one, 'proactive');
  const [first, ...rest] = kept.map(({ fingerprint }) => fingerprint);
  expect(rest.map((each) => each === first)).toEqual([true, true, false, false]);
  expect(new Set(seen).size).toBe(3);
});

test('no value of args is kept', async () => {
  const { vaglio, kept } = vaglioOf({ ask: judging(1) });
  await vaglio.evaluate({ ...IDEA, args: { text: 'the-value-itself' } }, 'proactive');
  await vaglio.evaluate({ ...IDEA, args: { path: '~/.ssh/the-value-itself' } }, 'proactive');
  expect(JSON.stringify(kept)).not.toContain('the-value-itself');
});

describe('InvalidAction names the field', () => {
  test.each([
    ['action', null, 'reactive', undefined],
    ['action', [], 'reactive', undefined],
    ['kind', {}, 'reactive', undefined],
    ['kind', { kind: '  ' }, 'reactive', undefined],
    ['targets.1', { kind: 'x', targets: ['a', 5] }, 'reactive', undefined],
    ['args', { kind: 'x', args: [] }, 'reactive', undefined],
    ['action_id', { kind: 'x', action_id: '7' }, 'reactive', undefined],
    ['reversibility', { kind: 'x', reversibility: 'maybe' }, 'reactive', undefined],
    ['reversibility', { ...IDEA, reversibility: undefined }, 'proactive', undefined],
    ['sender_id', { kind: 'x', channel: 'web' }, 'reactive', undefined],
    ['flow', IDEA, 'other', undefined],
    ['urgency', IDEA, 'proactive', Number.NaN],
    ['urgency', IDEA, 'proactive', '1'],
  ])('%s of %j', async (field, action, flow, urgency) => {
    const { vaglio, kept } = vaglioOf();
    await expect(vaglio.evaluate(action, flow as never, urgency as never)).rejects.toMatchObject({
      name: 'InvalidAction',
      code: 'bad-input',
      subject: field,
      message: expect.stringContaining(field === 'action' ? 'action' : (field.split('.')[0] ?? '')),
    });
    expect(kept).toEqual([]);
  });
});

test('changing provider, model or tier changes the audit signature, changing anything else does not', async () => {
  const llm = { provider: 'local', model: 'm', tier: 'default' };
  const signed = (change: Parameters<typeof vaglioOf>[0]) => vaglioOf({ llm, ...change }).vaglio.auditSignature();
  const first = signed({});
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  for (const change of [{ provider: 'openai' }, { model: 'n' }, { tier: 'small' }]) {
    expect(signed({ llm: { ...llm, ...change } })).not.toBe(first);
  }
  expect(signed({ llm: null })).not.toBe(first);
  // Nothing may be moved from one field to the next without being seen.
  expect(auditSignature({ ...llm, model: 'md', tier: 'efault' })).not.toBe(first);
  const others = [{ theta: 0.9 }, { bother: { base: 9, dailyQuota: 1 } }, { clock: () => 0 }, { ask: judging(1) }];
  for (const change of [...others, { llm: { ...llm, temperature: 2, baseUrl: 'x' } as typeof llm }]) {
    expect(signed(change)).toBe(first);
  }
  const { vaglio } = vaglioOf({ llm });
  expect((await vaglio.evaluate(IDEA, 'proactive')).audit_signature).toBe(first);
});
