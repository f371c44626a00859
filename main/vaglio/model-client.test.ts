import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createModelClient, MODEL_PROVIDERS, type ModelSettings, type ObjectAnswer } from './model-client.ts';
import {
  answersOtherJson,
  breaksOff,
  closesTheSocket,
  drips,
  fails,
  floods,
  hangs,
  isEmpty,
  type ModelServer,
  type Play,
  says,
  speaksNoJson,
  startModelServer,
} from './model-server.stand-in.ts';

vi.setConfig({ testTimeout: 60_000 });

const KEY = 'k3y-of-the-test';
const PROMPT = 'the-prompt-itself';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const MODELS = { anthropic: 'claude-sonnet-4-5', openai: 'gpt-x', local: 'llama-x' };

function ask(
  provider: ModelSettings['provider'],
  play: Play,
  given: Partial<ModelSettings> & { timeoutMs?: number; signal?: AbortSignal; key?: string | null } = {},
): Promise<ObjectAnswer> {
  const { timeoutMs = 30_000, signal, key = KEY, ...settings } = given;
  server.play = play;
  const base = { tier: 'default', baseUrl: server.url, maxTokens: 77, temperature: 0.2 };
  const client = createModelClient({ provider, model: MODELS[provider], ...base, ...settings }, key);
  const schema = {
    type: 'object',
    properties: { score: { type: 'number' } },
    required: ['score'],
    additionalProperties: false,
  };
  return client.ask({ instructions: 'be brief', prompt: PROMPT, schema, timeoutMs, signal });
}

describe.each(MODEL_PROVIDERS)('%s', (provider) => {
  test('asks once, with instructions, prompt, settings and key, and gives the object', async () => {
    expect(await ask(provider, says('{"score": 0.4}'))).toEqual({ ok: true, objects: [{ score: 0.4 }] });
    expect(server.heard).toHaveLength(1);
    const [{ url, headers, body }] = server.heard as [(typeof server.heard)[0]];
    expect(url).toBe(provider === 'anthropic' ? '/v1/messages' : '/v1/chat/completions');
    expect(provider === 'anthropic' ? headers['x-api-key'] : headers.authorization).toContain(KEY);
    const sent = JSON.parse(body);
    expect(sent).toMatchObject({ model: MODELS[provider], temperature: 0.2 });
    expect(sent[provider === 'openai' ? 'max_completion_tokens' : 'max_tokens']).toBe(77);
    expect(sent).not.toHaveProperty(provider === 'openai' ? 'max_tokens' : 'max_completion_tokens');
    expect(body).toContain('be brief');
    expect(body).toContain(PROMPT);
  });

  test.each([
    ['prose around it', 'I think {it} is: {"score": 0.4}. Done'],
    ['a fence', '```json\n{"score": 0.4}\n```'],
  ])('finds the object with %s', async (_, text) => {
    expect(await ask(provider, says(text))).toEqual({ ok: true, objects: [{ score: 0.4 }] });
  });

  test('an answer without an object has none', async () => {
    expect(await ask(provider, says('0.4, I would say'))).toEqual({ ok: true, objects: [] });
  });

  test.each([
    ['429', fails(429), 'HTTP 429'],
    ['500', fails(500), 'HTTP 500'],
    ['529', fails(529), 'HTTP 529'],
    ['a closed socket', closesTheSocket, 'the connection failed (UND_ERR_SOCKET)'],
    ['an answer that breaks off', breaksOff, null],
    ['an answer that is no JSON', speaksNoJson, 'the answer is not of the form of this API'],
    ['an answer of another API', answersOtherJson, 'the answer is not of the form of this API'],
    ['an empty answer', isEmpty, null],
    ['a huge answer', floods(300_000), 'the answer is larger than 262144 bytes'],
  ] as const)('%s is a failed call that is not repeated', async (_, play, why) => {
    const answer = await ask(provider, play);
    expect(answer).toEqual({ ok: false, why: why ?? expect.any(String) });
    expect(server.heard).toHaveLength(1);
  });

  test('a wrong key is a failed call, and neither key nor the words of the provider are told', async () => {
    const answer = await ask(provider, fails(401, `${KEY} is no key, asked: ${PROMPT}`));
    expect(answer).toEqual({ ok: false, why: 'HTTP 401' });
  });

  test.each([
    ['never', hangs],
    ['byte by byte', drips],
  ])('an answer that comes %s ends with the time limit, and the line is cut', async (_, play) => {
    const answer = await ask(provider, play, { timeoutMs: 300 });
    expect(answer).toEqual({ ok: false, why: 'no whole answer within 300 ms' });
    await server.clientLeft;
  });

  test('who asked can give up', async () => {
    const caller = new AbortController();
    const answer = ask(
      provider,
      () => {
        caller.abort();
      },
      { signal: caller.signal },
    );
    expect(await answer).toEqual({ ok: false, why: 'the call was given up' });
    await server.clientLeft;
    expect(await ask(provider, says('{"score": 1}'), { signal: caller.signal })).toMatchObject({ ok: false });
    expect(server.heard).toHaveLength(1);
  });

  test('nobody there is a failed call', async () => {
    const gone = await startModelServer();
    await gone.close();
    expect(await ask(provider, says(''), { baseUrl: gone.url })).toEqual({
      ok: false,
      why: 'the connection failed (ECONNREFUSED)',
    });
  });

  test('a redirect leads no key to another server', async () => {
    const other = await startModelServer();
    other.play = says('{"score": 1}');
    const answer = await ask(
      provider,
      (response) => void response.writeHead(307, { location: `${other.url}/x` }).end(),
    );
    expect(answer).toEqual({ ok: false, why: 'HTTP 307: a redirect is not followed' });
    expect(other.heard).toEqual([]);
    await other.close();
  });

  test('a temperature that is left out is not sent', async () => {
    await ask(provider, says('{}'), { temperature: null });
    expect(JSON.parse(server.heard[0]?.body ?? '')).not.toHaveProperty('temperature');
  });

  test('keys and addresses of the environment are not looked for', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'from-environment');
    vi.stubEnv('OPENAI_API_KEY', 'from-environment');
    vi.stubEnv('ANTHROPIC_BASE_URL', 'http://127.0.0.1:9');
    await ask(provider, says('{"score": 1}'), { key: provider === 'local' ? null : KEY });
    vi.unstubAllEnvs();
    expect(server.heard).toHaveLength(1);
    expect(server.heard[0]?.bytes).not.toContain('from-environment');
  });
});

test('a model of Anthropic without structured answers is asked by a tool, and its input is the answer', async () => {
  const input = { score: 0.6 };
  const play: Play = (response) => {
    const content = [{ type: 'tool_use', id: 't1', name: 'json', input }];
    const body = { id: 'm', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'tool_use' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...body, usage: { input_tokens: 1, output_tokens: 1 } }));
  };
  const answer = await ask('anthropic', play, { model: 'claude-3-haiku-20240307' });
  expect(JSON.parse(server.heard[0]?.body ?? '').tools).toHaveLength(1);
  expect(answer).toEqual({ ok: true, objects: [input] });
});

test('the settings that a client shows hold no key', () => {
  const settings = {
    provider: 'local',
    model: 'x',
    tier: 'default',
    baseUrl: 'http://h/v1',
    maxTokens: 1,
    temperature: null,
  } as const;
  expect(JSON.stringify(createModelClient(settings, KEY))).not.toContain(KEY);
});
