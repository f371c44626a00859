import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fails, type ModelServer, says, startModelServer } from '../vaglio/model-server.stand-in.ts';
import type { Env, JudgeConfig } from './config.ts';
import { createJudgeTest } from './judge-test.ts';

vi.setConfig({ testTimeout: 60_000 });

let server: ModelServer;
let counted: number;
beforeEach(async () => {
  server = await startModelServer();
  server.play = says('{"score": 0.8, "reason": "it fits"}');
  counted = 0;
});
afterEach(() => server.close());

function judgeTest(change: Partial<JudgeConfig> = {}, env: Env = {}, left = true) {
  const config: JudgeConfig = {
    kind: 'rule-based-v1',
    threshold: 0.3,
    thresholdLlm: 0.5,
    safeVerbShortcut: false,
    structure: true,
    dailyCalls: 3,
    timeoutMs: 30_000,
    model: { provider: 'local', model: 'm', tier: 'default', maxTokens: 9, temperature: null, baseUrl: server.url },
    ...change,
  };
  const countCall = () => {
    counted += 1;
    return left;
  };
  return createJudgeTest({ config, env, clock: () => 0, countCall });
}

test('one question goes to the model as for a call, and its score and words come back', async () => {
  const found = await judgeTest()();
  expect(found).toMatchObject({ outcome: 'answered', score: 0.8, detail: 'it fits' });
  expect(found.ms).toBeGreaterThan(0);
  expect(counted).toBe(1);
  expect(server.heard).toHaveLength(1);
  expect(server.heard[0]?.body).toContain('args_keys');
});

test('impatient presses are one question', async () => {
  const ask = judgeTest();
  const [first, second] = await Promise.all([ask(), ask()]);
  expect(second).toBe(first);
  expect(server.heard).toHaveLength(1);
});

test('without a model nothing is asked', async () => {
  expect(await judgeTest({ model: null })()).toEqual({ outcome: 'no-model', ms: null, score: null, detail: null });
  expect(counted).toBe(0);
});

test('without its key nothing is asked, and the variables are named', async () => {
  const model = { provider: 'openai', model: 'm', tier: 'default', maxTokens: 9, temperature: null } as const;
  const found = await judgeTest({ model: { ...model, baseUrl: server.url } })();
  expect(found).toMatchObject({ outcome: 'no-key', detail: 'OPENAI_API_KEY or METNOS_LLM_API_KEY' });
  expect(server.heard).toHaveLength(0);
});

test('a test is one of the day’s calls, so there is none when they are spent', async () => {
  expect(await judgeTest({}, {}, false)()).toMatchObject({ outcome: 'spent', score: null });
  expect(server.heard).toHaveLength(0);
});

test('a provider that refuses is told without its words and without the key', async () => {
  server.play = fails(401, 'bad key sk-very-secret');
  const found = await judgeTest({}, { METNOS_LLM_API_KEY: 'sk-very-secret' })();
  expect(found).toMatchObject({ outcome: 'no-answer', score: null, detail: 'HTTP 401' });
  expect(JSON.stringify(found)).not.toContain('secret');
});

test('an answer without a score is no score', async () => {
  server.play = says('I would say it is fine.');
  expect(await judgeTest()()).toMatchObject({ outcome: 'no-score', score: null });
});
