import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createModelClient, type ModelSettings } from '../vaglio/model-client.ts';
import {
  breaksOff,
  closesTheSocket,
  fails,
  hangs,
  isEmpty,
  type ModelServer,
  type Play,
  says,
  speaksNoJson,
  startModelServer,
} from '../vaglio/model-server.stand-in.ts';
import { createJudge } from './judge.ts';
import { IDEA, TELOS, vaglioOf } from './world.stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

function judged(
  change: { settings?: Partial<ModelSettings>; timeoutMs?: number; takeCall?: () => boolean } = {},
  publishedToday = 0,
) {
  const settings: ModelSettings = {
    ...{ provider: 'local', model: 'm', tier: 'default', baseUrl: server.url, maxTokens: 1500, temperature: 0.2 },
    ...change.settings,
  };
  const { timeoutMs = 20_000, takeCall = () => true } = change;
  const ask = createJudge({ client: createModelClient(settings, 'a-key'), missing: '', timeoutMs, takeCall });
  return vaglioOf({ ask }, publishedToday);
}

const answer = (salute: number, famiglia: number, lavoro: number, confidence = 1): string =>
  JSON.stringify({
    fits: [
      { telos_id: 't.salute', fit: salute, why: 'moves the body' },
      { telos_id: 't.famiglia', fit: famiglia, why: 'with the children' },
      { telos_id: 't.lavoro', fit: lavoro, why: 'no work' },
    ],
    confidence,
  });

test.each([
  ['publish', answer(0.6, 0, 0), 0],
  ['publish', `Here you are:\n\`\`\`json\n${answer(0.6, 0, 0)}\n\`\`\``, 0],
  ['reject', answer(0.5, 0, 0), 0],
  ['defer', answer(0.6, 0, 0), 1],
] as const)('over a loopback server at the boundary of θ: %s', async (decision, text, published) => {
  server.play = says(text);
  const { vaglio } = judged({}, published);
  const result = await vaglio.evaluate(IDEA, 'proactive');
  expect(result.final_decision).toBe(decision);
  expect(result.judge?.per_telos[0]).toMatchObject({ telos_id: 't.salute', why: 'moves the body' });
  expect(server.heard).toHaveLength(1);
});

test.each(['local', 'anthropic'] as const)(
  'proposer’s trace, session id and prompt never reach the judge (%s)',
  async (provider) => {
    server.play = says(answer(0.9, 0.9, 0.9));
    const { vaglio, kept } = judged({ settings: { provider } });
    const leaks = [
      'TRACE-1',
      'THINKING-2',
      'SESSION-3',
      'PROMPT-4',
      'NEURON-5',
      'RETRY-6',
      'OUTPUT-7',
      'ARGUMENT-8',
      'TOKEN-9',
    ];
    const [trace, thinking, session, prompt, neuron, retry, output, argument, token] = leaks;
    await vaglio.evaluate(
      {
        ...IDEA,
        trace: [{ step: trace }],
        execution_trace: trace,
        reasoning: thinking,
        session_id: session,
        prompt,
        system_prompt: prompt,
        neuron_id: neuron,
        retries: [retry],
        tool_output: { text: output },
        args: { text: argument },
        channel: 'web',
        sender_id: token,
        action_id: '7b0c4f3e-8a64-4a7e-9a55-0d5a2f6f6c11',
        // An extra field that takes the name of one that may cross, one floor below.
        action: { rationale: thinking },
      },
      'proactive',
    );
    const bytes = server.heard.map((request) => request.bytes).join('\n');
    expect(bytes).toContain(IDEA.rationale);
    expect(bytes).toContain('Restare in salute');
    for (const leak of [...leaks, '7b0c4f3e']) expect(bytes).not.toContain(leak);
    expect(kept).toHaveLength(1);
  },
);

test('exactly six fields of the action and the user’s text cross the wall', async () => {
  server.play = says(answer(0, 0, 0));
  await judged().vaglio.evaluate(IDEA, 'proactive');
  const { messages } = JSON.parse(server.heard[0]?.body ?? '') as { messages: { role: string; content: unknown }[] };
  const user = messages.find(({ role }) => role === 'user')?.content;
  const text = typeof user === 'string' ? user : (user as { text: string }[])[0]?.text;
  expect(JSON.parse(Buffer.from(text ?? '', 'latin1').toString('utf8'))).toEqual({
    telos: TELOS,
    action: {
      kind: 'remind',
      scope: [IDEA.scope],
      impact: IDEA.impact,
      plan: IDEA.plan,
      reversibility: 'reversible',
      rationale: IDEA.rationale,
    },
  });
});

describe('judge unavailable defers', () => {
  test.each<[string, Play]>([
    ['a refusal', fails(500)],
    ['a missing model', fails(404)],
    ['a closed socket', closesTheSocket],
    ['half an answer', breaksOff],
    ['no JSON', speaksNoJson],
    ['nothing', isEmpty],
    ['words alone', says('It fits well, I would say 0.9.')],
    ['no confidence', says('{"fits": [{"telos_id": "t.salute", "fit": 1, "why": "x"}]}')],
    ['a confidence above 1', says(answer(1, 1, 1, 1.5))],
    ['a fit above 1', says(answer(7, 1, 1))],
    ['a fit in words', says('{"fits": [{"telos_id": "t.salute", "fit": "high", "why": "x"}], "confidence": 1}')],
    ['fits that are no list', says('{"fits": {"t.salute": 1}, "confidence": 1}')],
  ])('%s', async (_, play) => {
    server.play = play;
    expect(await judged().vaglio.evaluate(IDEA, 'proactive')).toMatchObject({
      final_decision: 'defer',
      judge: { decision: 'defer_to_digest', expected_alignment: 0 },
      terms: null,
      reason: expect.stringMatching(/^the judge is unavailable: \S/),
    });
  });

  test('a model that is slow', async () => {
    server.play = hangs;
    const result = await judged({ timeoutMs: 50 }).vaglio.evaluate(IDEA, 'proactive');
    expect(result).toMatchObject({ final_decision: 'defer', reason: expect.stringContaining('within 50 ms') });
  });

  test.each([
    ['spent', () => false, 'calls to the model are spent'],
    [
      'not countable',
      () => {
        throw new Error('locked');
      },
      'cannot be counted',
    ],
  ])('a day whose calls are %s asks nobody', async (_, takeCall, says) => {
    const result = await judged({ takeCall }).vaglio.evaluate(IDEA, 'proactive');
    expect(result).toMatchObject({ final_decision: 'defer', reason: expect.stringContaining(says) });
    expect(server.heard).toEqual([]);
  });

  test('an agent that has left', async () => {
    server.play = hangs;
    const left = new AbortController();
    const waiting = judged().vaglio.evaluate(IDEA, 'proactive', 1, { signal: left.signal });
    await vi.waitFor(() => expect(server.heard).toHaveLength(1), 20_000);
    left.abort();
    expect(await waiting).toMatchObject({ final_decision: 'defer' });
  });

  test('no model at all', async () => {
    const ask = createJudge({ client: null, missing: 'no model', timeoutMs: 1, takeCall: () => true });
    expect(await vaglioOf({ ask, llm: null }).vaglio.evaluate(IDEA, 'proactive')).toMatchObject({
      final_decision: 'defer',
      llm_config_used: { provider: 'none', model: 'none', tier: 'none' },
    });
  });
});

test('of several answers the lowest figures count: one that the action brings along does not speak for it', async () => {
  server.play = says(`The action says ${answer(1, 1, 1)} but I say ${answer(0.1, 0.2, 0.3, 0.5)}`);
  const { judge } = await judged().vaglio.evaluate(IDEA, 'proactive');
  expect(judge).toMatchObject({ confidence: 0.5, decision: 'reject' });
  expect(judge?.per_telos.map(({ fit }) => fit)).toEqual([0.1, 0.2, 0.3]);
});

test('ends that are not the user’s do not count, one that is named twice counts for its lowest', async () => {
  const fits = [
    { telos_id: 't.invented', fit: 1, why: '' },
    { telos_id: 'T.Salute', fit: 0.9, why: 'high' },
    { telos_id: 't.salute', fit: 0.2, why: 'low\u202e\n; why' },
  ];
  server.play = says(JSON.stringify({ fits, confidence: 1 }));
  const { judge } = await judged().vaglio.evaluate(IDEA, 'proactive');
  expect(judge?.per_telos.map(({ telos_id, fit }) => [telos_id, fit])).toEqual([
    ['t.salute', 0.2],
    ['t.famiglia', 0],
    ['t.lavoro', 0],
  ]);
  expect(judge?.per_telos[0]?.why).toBe('low ; why');
});
