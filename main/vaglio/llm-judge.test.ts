import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noUsers } from './guard.ts';
import { evaluate } from './judge.ts';
import { judgeAsync, type LlmJudgeOptions, type LlmQuestion, llmQuestion } from './llm-judge.ts';
import { createModelClient, MODEL_PROVIDERS, type ModelClient, type ModelProvider } from './model-client.ts';
import {
  breaksOff,
  closesTheSocket,
  drips,
  fails,
  floods,
  hangs,
  type ModelServer,
  type Play,
  says,
  startModelServer,
} from './model-server.stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

const NOW = Date.UTC(2026, 10, 30, 12);

let server: ModelServer;
let faults: string[];
beforeEach(async () => {
  server = await startModelServer();
  faults = [];
});
afterEach(() => server.close());

function client(provider: ModelProvider = 'local'): ModelClient {
  const model = provider === 'anthropic' ? 'claude-sonnet-4-5' : 'm';
  const settings = { provider, model, tier: 'default', baseUrl: server.url, maxTokens: 100, temperature: 0.2 };
  return createModelClient(settings, 'key');
}

function options(llm: Partial<LlmJudgeOptions['llm']> = {}, rest: Partial<LlmJudgeOptions> = {}): LlmJudgeOptions {
  return {
    threshold: 0.3,
    home: '/home/anna',
    clock: () => NOW,
    passwd: noUsers,
    llm: {
      client: client(),
      threshold: 0.3,
      timeoutMs: 30_000,
      takeCall: () => true,
      onFault: (why) => faults.push(why),
      ...llm,
    },
    ...rest,
  };
}

const call = ['scrivi la nota', 'write_files', { path: '/tmp/n.txt', content: 'ciao' }, {}] as const;

async function scored(play: Play, llm: Partial<LlmJudgeOptions['llm']> = {}) {
  server.play = play;
  return await judgeAsync(...call, options(llm));
}

describe.each(MODEL_PROVIDERS)('with a model of %s', (provider) => {
  test('its score and reason are the verdict', async () => {
    const verdict = await scored(says('{"score": 0.85, "reason": "scrive la nota chiesta"}'), {
      client: client(provider),
    });
    expect(verdict).toEqual({
      approved: true,
      reason: 'approved: score 0.85 (llm-judge: scrive la nota chiesta)',
      ts: NOW / 1000,
      judge_kind: 'llm-v1',
      score: 0.85,
      blocked_by: null,
    });
    expect(server.heard).toHaveLength(1);
  });

  test.each<[string, Play, string, number?]>([
    ['429', fails(429), 'chat failed'],
    ['500', fails(500), 'chat failed'],
    ['a wrong key', fails(401), 'chat failed'],
    ['a time-out', hangs, 'chat failed', 300],
    ['a slow drip', drips, 'chat failed', 300],
    ['a closed socket', closesTheSocket, 'chat failed'],
    ['an answer that breaks off', breaksOff, 'chat failed'],
    ['a huge answer', floods(300_000), 'chat failed'],
    ['words without an object', says('0.9, surely'), 'parse fail'],
    ['an object without a score', says('{"verdict": "ok", "reason": "x"}'), 'parse fail'],
    ['a score in words', says('{"score": "0.9", "reason": "x"}'), 'parse fail'],
    ['a score of null', says('{"score": null, "reason": "x"}'), 'parse fail'],
    ['a list for an object', says('[0.9, "x"]'), 'parse fail'],
    ['a score above 1', says('{"score": 1.01, "reason": "x"}'), 'parse fail'],
    ['a score below 0', says('{"score": -0.01, "reason": "x"}'), 'parse fail'],
    ['a score that is no finite number', says('{"score": 1e999, "reason": "x"}'), 'parse fail'],
    ['a score further inside', says('{"answer": {"score": 0.9, "reason": "x"}}'), 'parse fail'],
    ['no words at all', says(''), 'parse fail'],
  ])('%s scores 0.5 and says so', async (_, play, why, timeoutMs = 30_000) => {
    const verdict = await scored(play, { client: client(provider), timeoutMs });
    expect(verdict).toMatchObject({
      approved: true,
      score: 0.5,
      judge_kind: 'llm-v1',
      blocked_by: null,
      reason: `approved: score 0.50 (llm-judge fallback (${why}))`,
    });
    expect(faults).toHaveLength(1);
  });
});

describe('the score', () => {
  test.each([
    [0.3, 0.3, true, 'approved: score 0.30 (llm-judge: x)'],
    [0.29, 0.3, false, 'judge: score 0.29 < soglia 0.30 (llm-judge: x)'],
    [0.299, 0.3, false, 'judge: score 0.299 < soglia 0.30 (llm-judge: x)'],
    [0.301, 0.3, true, 'approved: score 0.30 (llm-judge: x)'],
    [0, 0, true, 'approved: score 0.00 (llm-judge: x)'],
    [0, 0.3, false, 'judge: score 0.00 < soglia 0.30 (llm-judge: x)'],
    [1, 1, true, 'approved: score 1.00 (llm-judge: x)'],
  ])('%d against %d', async (score, threshold, approved, reason) => {
    const verdict = await scored(says(JSON.stringify({ score, reason: 'x' })), { threshold });
    expect(verdict).toMatchObject({ approved, reason, blocked_by: approved ? null : 'judge' });
  });

  test('of a failure is held against the threshold like any other', async () => {
    expect(await scored(fails(500), { threshold: 0.6 })).toMatchObject({
      approved: false,
      blocked_by: 'judge',
      reason: 'judge: score 0.50 < soglia 0.60 (llm-judge fallback (chat failed))',
    });
  });

  test('is the lowest of several: an intent that the model repeats does not answer for it', async () => {
    const verdict = await scored(
      says('They wrote {"score": 1, "reason": "ok"}. {"score": 0.1, "reason": "no"} {"score": 7}'),
    );
    expect(verdict).toMatchObject({ approved: false, score: 0.1 });
  });

  test('counts also without a reason', async () => {
    expect(await scored(says('{"score": 0.1}'))).toMatchObject({
      approved: false,
      reason: 'judge: score 0.10 < soglia 0.30 (score base)',
    });
  });
});

test("the model's words stay one short note", async () => {
  const many = Array.from({ length: 40 }, (_, i) => `w${i}`).join(' ');
  const verdict = await scored(says(JSON.stringify({ score: 0.9, reason: `a; intent menziona 'b'\n\u202e${many}` })));
  const words = many.split(' ').slice(0, 21).join(' ');
  expect(verdict.reason).toBe(`approved: score 0.90 (llm-judge: a, intent menziona 'b' ${words})`);
  const long = await scored(says(JSON.stringify({ score: 0.9, reason: 'x'.repeat(5000) })));
  expect(long.reason).toHaveLength('approved: score 0.90 (llm-judge: )'.length + 240);
});

describe('when the model may not or cannot be asked', () => {
  test('judge_llm_guardia_blocca_prima_di_chiamare_llm', async () => {
    server.play = says('{"score": 1, "reason": "fine"}');
    const takeCall = vi.fn(() => true);
    const blocked = [
      ['leggi', 'write_files', { path: '/home/anna/.ssh/id_rsa' }, {}],
      ['leggi', 'read_files', { path: '~/.ssh/id_rsa' }, {}],
      ['pulisci', 'shell_exec', { command: 'rm -rf /' }, {}],
      ['pulisci', 'run_tool', { cmd: ':(){ :|:& };:' }, { capability: 'code:exec' }],
      ['leggi', 'write_files', 'no object', {}],
      [7, 'write_files', {}, {}],
    ] as const;
    for (const [intent, executor, args, context] of blocked) {
      const verdict = await judgeAsync(intent as string, executor, args, context, options({ takeCall }));
      expect(verdict, executor).toMatchObject({ approved: false, blocked_by: 'guard', score: 0 });
      expect(verdict).toEqual(evaluate(intent as string, executor, args, context, options()).verdict);
    }
    expect(server.heard).toEqual([]);
    expect(takeCall).not.toHaveBeenCalled();
    await judgeAsync(...call, options({ takeCall }));
    expect(server.heard).toHaveLength(1);
  });

  test('a verb that only reads spends no call', async () => {
    const takeCall = vi.fn(() => true);
    for (const executor of ['read_files', 'list', 'group_by_day']) {
      expect(await judgeAsync('leggi', executor, {}, {}, options({ takeCall }))).toMatchObject({
        approved: true,
        judge_kind: 'safe-verb-shortcut',
        score: 1,
        reason: expect.stringMatching(/^safe-verb: (read|list|group) \(read-only\/pure-compute\)$/),
      });
    }
    expect(takeCall).not.toHaveBeenCalled();
    server.play = says('{"score": 0.1, "reason": "no"}');
    for (const executor of ['readme_write', 'Read_files', '_read']) {
      expect(await judgeAsync('leggi', executor, {}, {}, options({ takeCall }))).toMatchObject({ approved: false });
    }
    expect(server.heard).toHaveLength(3);
  });

  test('without a client the router is missing, and nothing is counted', async () => {
    const takeCall = vi.fn(() => true);
    expect(await judgeAsync(...call, options({ client: null, takeCall }))).toMatchObject({
      approved: true,
      score: 0.5,
      judge_kind: 'llm-v1',
      reason: 'approved: score 0.50 (llm-judge fallback (router missing))',
    });
    expect(takeCall).not.toHaveBeenCalled();
  });

  test('with the calls of the day spent the rule-based judge answers, by its own threshold, and says so', async () => {
    const spent = { takeCall: () => false, threshold: 0 };
    expect(await judgeAsync(...call, options(spent))).toEqual({
      approved: true,
      reason: 'approved: score 0.70 (llm-judge tetto giornaliero raggiunto)',
      ts: NOW / 1000,
      judge_kind: 'rule-based-v1',
      score: 0.7,
      blocked_by: null,
    });
    const odd = await judgeAsync('x', 'write_files', { 'a b': '../../x' }, {}, options(spent, { threshold: 0.9 }));
    expect(odd).toMatchObject({
      approved: false,
      blocked_by: 'judge',
      reason:
        "judge: score 0.40 < soglia 0.90 (possibile path traversal ('..' in path); chiave args anomala: 'a b'; llm-judge tetto giornaliero raggiunto)",
    });
    expect(server.heard).toEqual([]);
  });

  test('a count that cannot be kept opens no purse', async () => {
    const takeCall = () => {
      throw new Error('panel.db is locked');
    };
    expect(await judgeAsync(...call, options({ takeCall }))).toMatchObject({
      judge_kind: 'rule-based-v1',
      reason: 'approved: score 0.70 (llm-judge contatore non disponibile)',
    });
    expect(server.heard).toEqual([]);
  });

  test('a fault of ours is a refusal', async () => {
    const broken = { settings: client().settings, ask: () => Promise.reject(new Error('our own')) };
    expect(await judgeAsync(...call, options({ client: broken }))).toMatchObject({
      approved: false,
      blocked_by: 'guard',
    });
    const accessor = Object.defineProperty({}, 'step', { get: () => 1, enumerable: true });
    expect(await judgeAsync('x', 'write_files', {}, accessor, options())).toMatchObject({ approved: false });
  });
});

/** The user's part of what the server got. */
function asked(): LlmQuestion {
  const { messages } = JSON.parse(server.heard.at(-1)?.body ?? '');
  return JSON.parse(messages.at(-1).content);
}

describe('what the model gets', () => {
  test('is intent, executor, sorted names of arguments and three facts', async () => {
    server.play = says('{"score": 1, "reason": ""}');
    const args = { zeta: 1, Alpha: 2, 'b c': { inner: 3 } };
    const context = { critical: true, capability: 'fs:write', step: 4, turn_id: 'secret-turn', history: ['secret'] };
    await judgeAsync('scrivi', 'write_files', args, context, options());
    expect(asked()).toEqual({
      intent: 'scrivi',
      executor: 'write_files',
      args_keys: ['Alpha', 'b c', 'zeta'],
      critical: true,
      capability: 'fs:write',
      step: 4,
    });
  });

  test('is null for a fact of the wrong type: it could carry anything', () => {
    const context = { critical: 'secret', capability: { a: 'secret' }, step: ['secret'] };
    expect(llmQuestion('i', 'e', {}, context)).toMatchObject({ critical: null, capability: null, step: null });
    expect(llmQuestion('i', 'e', {}, new Map([['step', Number.NaN]]))).toMatchObject({ step: null });
  });

  test('is short, whatever the call', () => {
    const args = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${'k'.repeat(500)}${i}`, 1]));
    const question = llmQuestion('i'.repeat(1_000_000), 'e'.repeat(1_000_000), args, {
      capability: 'c'.repeat(10_000),
    });
    expect(JSON.stringify(question).length).toBeLessThan(60_000);
  });

  test.each(MODEL_PROVIDERS)('is never a value of args, nor of another key of the context (%s)', async (provider) => {
    const mark = 'VALUE8675309';
    const word = fc.constantFrom('path', 'content', 'to', 'body', 'options', 'a b', 'x-y', '');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.string().map((text) => `${mark}${text}`),
        fc.string().map((text) => `${text}${mark}`),
        fc.integer({ min: 0, max: 9 }).map((digit) => 86753090 + digit),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(word, tie('any'), { maxKeys: 4 }),
      ),
    })).any;
    const marked = fc.dictionary(word, value, { maxKeys: 6 });
    const context = fc.record({
      critical: fc.oneof(
        fc.boolean(),
        value.filter((v) => typeof v === 'object'),
      ),
      capability: fc.constantFrom('fs:write', 'mail:send'),
      step: fc.oneof(
        fc.nat(20),
        value.filter((v) => typeof v === 'object'),
      ),
      history: value,
    });
    server.play = says('{"score": 0.8, "reason": "ok"}');
    const judge = client(provider);
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(marked, context, async (args, facts) => {
        server.heard.length = 0;
        const verdict = await judgeAsync('manda il rapporto', 'send_messages', args, facts, options({ client: judge }));
        if (verdict.blocked_by === 'guard') return;
        reached++;
        expect(server.heard).toHaveLength(1);
        const bytes = server.heard[0]?.bytes ?? '';
        expect(bytes).toContain('manda il rapporto');
        for (const key of Object.keys(args)) expect(bytes).toContain(key);
        expect(bytes).not.toContain(mark);
        expect(bytes).not.toContain('8675309');
        expect(verdict.reason).not.toContain(mark);
      }),
      { numRuns: 60 },
    );
    expect(reached).toBeGreaterThan(30);
  });
});
