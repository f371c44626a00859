import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noUsers } from '../vaglio/guard.ts';
import { fails, type ModelServer, says, startModelServer } from '../vaglio/model-server.stand-in.ts';
import type { Env, JudgeConfig } from './config.ts';
import { createJudgeInForce } from './judge-in-force.ts';

vi.setConfig({ testTimeout: 60_000 });

let server: ModelServer;
let now: number;
let asked: { day: string; limit: number }[];
let logged: string[];
beforeEach(async () => {
  server = await startModelServer();
  server.play = says('{"score": 0.8, "reason": "ok"}');
  now = new Date(2026, 10, 30, 23, 59, 59).getTime();
  asked = [];
  logged = [];
});
afterEach(() => server.close());

function judge(change: Partial<JudgeConfig> = {}, env: Env = {}) {
  const model = { provider: 'local', model: 'm', tier: 'default', maxTokens: 9, temperature: null } as const;
  const config: JudgeConfig = {
    kind: 'llm-v1',
    threshold: 0.3,
    thresholdLlm: 0.5,
    safeVerbShortcut: false,
    structure: true,
    dailyCalls: 3,
    timeoutMs: 30_000,
    model: { ...model, baseUrl: server.url },
    ...change,
  };
  const countCall = (call: { day: string; limit: number }) => {
    asked.push(call);
    return true;
  };
  const fixed = { home: '/home/anna', clock: () => now, passwd: noUsers, countCall };
  return createJudgeInForce({ ...fixed, config, env, log: (line) => logged.push(line) });
}

const call = { intent: 'scrivi', executor: 'write_files', args: { path: '/tmp/a' }, context: {} };

test('the rule-based judge answers at once, and counts nothing', () => {
  expect(judge({ kind: 'rule-based-v1' }).evaluate(call)).toMatchObject({ verdict: { judge_kind: 'rule-based-v1' } });
  expect(asked).toEqual([]);
});

test('the LLM judge counts its calls by the local day', async () => {
  const { evaluate } = judge();
  expect(await evaluate(call)).toMatchObject({ verdict: { judge_kind: 'llm-v1', score: 0.8 } });
  now += 1000;
  await evaluate(call);
  expect(asked).toEqual([
    { day: '2026-11-30', limit: 3 },
    { day: '2026-12-01', limit: 3 },
  ]);
});

test('a key of the environment is sent, and no other', async () => {
  await judge({}, { METNOS_LLM_API_KEY: 'mine', OPENAI_API_KEY: 'theirs' }).evaluate(call);
  expect(server.heard[0]?.headers.authorization).toBe('Bearer mine');
  await judge({}, { OPENAI_API_KEY: 'theirs' }).evaluate(call);
  expect(server.heard[1]?.headers.authorization).toBeUndefined();
});

test.each(['anthropic', 'openai'] as const)('%s without a key is a missing router, told once', async (provider) => {
  const model = { provider, model: 'm', tier: 'default', baseUrl: server.url, maxTokens: 9, temperature: null };
  const { evaluate } = judge({ model });
  for (let i = 0; i < 2; i++) {
    const { verdict } = await evaluate(call);
    expect(verdict.reason).toBe('approved: score 0.50 (llm-judge fallback (router missing))');
  }
  expect(logged).toEqual([expect.stringContaining(provider === 'openai' ? 'OPENAI_API_KEY' : 'ANTHROPIC_API_KEY')]);
  expect(server.heard).toEqual([]);
});

test('a fault is told once while it lasts', async () => {
  const { evaluate } = judge();
  server.play = fails(500);
  await evaluate(call);
  await evaluate(call);
  server.play = fails(429);
  await evaluate(call);
  expect(logged).toEqual(['The LLM judge did not answer: HTTP 500.', 'The LLM judge did not answer: HTTP 429.']);
});

test('a call may bring its own home and its own end', async () => {
  const { evaluate } = judge();
  const secret = { ...call, args: { path: '~/x' } };
  expect(await evaluate(secret, { home: '/root' })).toMatchObject({ verdict: { blocked_by: 'guard' } });
  const gone = await evaluate(call, { signal: AbortSignal.abort() });
  expect(gone.verdict.reason).toContain('(chat failed)');
  expect(server.heard).toEqual([]);
});
