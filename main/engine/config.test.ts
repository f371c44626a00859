import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Env, loadConfig, modelKey } from './config.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-config-'));
  file = join(folder, 'config.yaml');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function judge(text: string | Uint8Array | null, env: Env = {}) {
  if (text !== null) writeFileSync(file, text);
  return (await loadConfig(env, file)).judge;
}

const DEFAULTS = {
  kind: 'rule-based-v1',
  threshold: 0.3,
  thresholdLlm: 0.3,
  safeVerbShortcut: false,
  structure: true,
  dailyCalls: 1000,
  timeoutMs: 10_000,
  model: null,
};

const LOCAL = 'provider: local\n    model: llama\n    base_url: http://127.0.0.1:11434/v1\n';
const role = (more: string) => `llm_roles:\n  judge:\n    ${LOCAL}    ${more}\n`;

describe('defaults', () => {
  test.each([
    ['without a file', null],
    ['of an empty file', ''],
    ['of a file of comments', '# nothing\n'],
    ['of a file of null', '~'],
    [
      "of other programs' settings",
      'mail: { password: "p", servers: [a, b] }\nvaglio: { theta: 0.4, bother: { base: 2 } }\n',
    ],
    ['of keys without values', 'vaglio:\n  judge:\nllm_roles:\n  judge:\n    provider:\n  guard:\n'],
    ['of a guard that asks no model', 'llm_roles: { guard: { enabled: false } }'],
  ])('%s', async (_, text) => {
    expect(await judge(text)).toEqual(DEFAULTS);
  });

  test('of a model', async () => {
    const text = 'llm_roles: { judge: { provider: anthropic, model: claude-x } }';
    expect((await judge(text)).model).toEqual({
      provider: 'anthropic',
      model: 'claude-x',
      tier: 'default',
      baseUrl: null,
      maxTokens: 1500,
      temperature: 0.2,
    });
  });
});

test('every setting of the file is read', async () => {
  const text = `
vaglio:
  judge: { kind: llm-v1, threshold: 0, threshold_llm: 1, daily_calls: 0, timeout_ms: 250 }
llm_roles:
  proposer: { provider: openai, model: p }
  judge: &judge
    provider: local
    model: llama-3
    tier: small
    base_url: http://10.0.0.7:8080/v1/
    separation_level: provider
    max_tokens: 99
    temperature: 0
  other: *judge
`;
  expect(await judge(text)).toEqual({
    kind: 'llm-v1',
    threshold: 0,
    thresholdLlm: 1,
    safeVerbShortcut: false,
    structure: true,
    dailyCalls: 0,
    timeoutMs: 250,
    model: {
      provider: 'local',
      model: 'llama-3',
      tier: 'small',
      baseUrl: 'http://10.0.0.7:8080/v1',
      maxTokens: 99,
      temperature: 0,
    },
  });
});

test('threshold and budget of proposals', async () => {
  const constitution = async (text: string) => {
    writeFileSync(file, text);
    return (await loadConfig({}, file)).constitution;
  };
  expect(await constitution('')).toEqual({ theta: 0.3, bother: { base: 0.1, dailyQuota: 5 } });
  expect(await constitution('vaglio: { theta: 0, bother: { base: 0, daily_quota: 1 } }')).toEqual({
    theta: 0,
    bother: { base: 0, dailyQuota: 1 },
  });
});

test('settings behind an alias count', async () => {
  expect(await judge('x: &x { kind: llm-v1 }\nvaglio: { judge: *x }')).toMatchObject({ kind: 'llm-v1' });
});

test('a temperature without a value is left to the model', async () => {
  expect((await judge(role('temperature:'))).model?.temperature).toBeNull();
});

test('the environment wins over the file', async () => {
  const text = 'vaglio: { judge: { kind: llm-v1, threshold: 0.1, threshold_llm: 0.2 } }';
  const env = {
    METNOS_JUDGE_KIND: 'rule-based-v1',
    METNOS_JUDGE_THRESHOLD: '0.8',
    METNOS_JUDGE_THRESHOLD_LLM: '.9',
    METNOS_SAFE_VERB_SHORTCUT: 'always',
  };
  expect(await judge(text, env)).toMatchObject({
    kind: 'rule-based-v1',
    threshold: 0.8,
    thresholdLlm: 0.9,
    safeVerbShortcut: true,
  });
});

describe('a variable that is wrong stops the start with its name', () => {
  test.each([
    ['METNOS_JUDGE_KIND', 'llm'],
    ['METNOS_JUDGE_KIND', 'safe-verb-shortcut'],
    ['METNOS_JUDGE_KIND', ''],
    ['METNOS_JUDGE_THRESHOLD', 'high'],
    ['METNOS_JUDGE_THRESHOLD', ''],
    ['METNOS_JUDGE_THRESHOLD_LLM', '1.01'],
    ['METNOS_JUDGE_THRESHOLD_LLM', '-0.1'],
    ['METNOS_JUDGE_THRESHOLD_LLM', 'NaN'],
    ['METNOS_SAFE_VERB_SHORTCUT', 'sometimes'],
  ])('%s=%j', async (name, value) => {
    await expect(judge(null, { [name]: value })).rejects.toMatchObject({
      name: 'VaglioConfigError',
      code: 'bad-input',
      subject: name,
      message: expect.stringContaining(`${name} is ${JSON.stringify(value)}`),
    });
  });
});

describe('a setting of the file that is wrong stops the start with its line', () => {
  const judging = (setting: string) => `# head\nvaglio:\n  judge:\n    daily_calls: 5\n    ${setting}\n`;
  test.each<[string, string, number]>([
    [judging('kind: llm'), 'vaglio.judge.kind is "llm": give rule-based-v1 or llm-v1', 5],
    [judging('kind: safe-verb-shortcut'), 'vaglio.judge.kind is "safe-verb-shortcut"', 5],
    [judging('threshold: 1.5'), 'vaglio.judge.threshold is 1.5: give a number from 0 to 1', 5],
    [judging('threshold: "0.5"'), 'vaglio.judge.threshold is "0.5"', 5],
    [judging('threshold: .nan'), 'vaglio.judge.threshold is', 5],
    [judging('threshold: true'), 'vaglio.judge.threshold is true', 5],
    [judging('threshold: [0.5]'), 'vaglio.judge.threshold is no single value', 5],
    [judging('threshold_llm: -0.1'), 'vaglio.judge.threshold_llm is -0.1', 5],
    [judging('timeout_ms: 0'), 'vaglio.judge.timeout_ms is 0', 5],
    [judging('timeout_ms: 10.5'), 'vaglio.judge.timeout_ms is 10.5: give a whole number', 5],
    [judging('treshold: 0.9'), 'vaglio.judge.treshold is no setting of the judge', 5],
    ['vaglio:\n  judge: { daily_calls: -1 }', 'vaglio.judge.daily_calls is -1', 2],
    ['a: 1\nvaglio: yes', 'vaglio has to be a map of settings', 2],
    ['vaglio:\n  judge: [1]', 'vaglio.judge has to be a map of settings', 2],
    ['- a\n', 'the file has to be a map of settings', 1],
    ['vaglio:\n  judge:\n   kind: llm-v1\n  judge', 'this is not valid YAML', 4],
    ['vaglio: {}\nvaglio: {}\n', 'this is not valid YAML (DUPLICATE_KEY)', 2],
    ['llm_roles:\n  guard:\n    enabled: true', 'llm_roles.guard.enabled is true', 3],
    ['llm_roles:\n  guard:\n    enabled: false\n    model: m', 'llm_roles.guard.model names a model', 4],
    ['vaglio:\n  guard: { enabled: false }', 'vaglio.guard is not possible', 2],
    [
      'llm_roles:\n  judge: { provider: acme, model: m }',
      'llm_roles.judge.provider is "acme": give anthropic or openai or local',
      2,
    ],
    ['llm_roles:\n  judge: { provider: openai }', 'llm_roles.judge names a provider but no model', 2],
    ['llm_roles:\n  judge: { model: m }', 'llm_roles.judge names a model but no provider', 2],
    ['llm_roles:\n  judge: { provider: local, model: m }', 'has the provider local but no base_url', 2],
    [
      'llm_roles:\n  judge: { provider: local, model: m, base_url: "file:///x" }',
      'llm_roles.judge.base_url is no http',
      2,
    ],
    ['llm_roles:\n  judge: { provider: openai, model: m, base_url: "http://api.example" }', 'unencrypted', 2],
    ['llm_roles:\n  judge: { provider: openai, model: m, base_url: "http://127.0.0.1.example" }', 'unencrypted', 2],
    [role('max_tokens: 0'), 'llm_roles.judge.max_tokens is 0', 6],
    [role('temperature: 3'), 'llm_roles.judge.temperature is 3', 6],
    ['vaglio: { theta: 2.1 }', 'vaglio.theta is 2.1: give a number from 0 to 2', 1],
    ['vaglio:\n  theta: high', 'vaglio.theta is "high"', 2],
    ['vaglio:\n  bother:\n    base: -1', 'vaglio.bother.base is -1', 3],
    ['vaglio:\n  bother: { daily_quota: 0 }', 'vaglio.bother.daily_quota is 0: give a whole number', 2],
    ['vaglio:\n  bother:\n    quota: 5', 'vaglio.bother.quota is no setting of the bother budget', 3],
    [
      'llm_roles:\n  proposer:\n    model: p\n  judge:\n    provider: openai\n    model: m\n    separation_level: provider',
      'llm_roles.proposer.provider is not given, but separation_level in line 7 is provider',
      2,
    ],
    [role('separation_level: none'), 'llm_roles.judge.separation_level is "none"', 6],
    [
      'llm_roles:\n  proposer:\n    provider: openai\n  judge:\n    model: m\n    separation_level: provider\n    provider: openai',
      'is openai, as for the proposer in line 3, but separation_level is provider',
      7,
    ],
  ])('%j', async (text, says, line) => {
    const error = await judge(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'VaglioConfigError', code: 'bad-input', subject: file });
    expect((error as Error).message).toContain(says);
    expect((error as Error).message).toContain(`${file}, line ${line}: `);
  });

  test('also where the environment would win', async () => {
    await expect(judge(judging('threshold: 2'), { METNOS_JUDGE_THRESHOLD: '0.5' })).rejects.toThrow('line 5');
  });
});

describe('a secret in the file stops the start and is not repeated', () => {
  test.each<[string, number]>([
    [role('api_key: s3cret'), 6],
    [role('API-KEY: s3cret'), 6],
    [role('openai_api_key: s3cret'), 6],
    [role('token: s3cret'), 6],
    [role('headers: [{ Authorization: s3cret }]'), 6],
    ['llm_roles:\n  proposer:\n    key: s3cret', 3],
    ['vaglio:\n  judge:\n    api_key: s3cret', 3],
    ['x: &x\n  secret: s3cret\nllm_roles: { judge: *x }', 2],
    ['llm_roles:\n  judge: { provider: openai, model: m, base_url: "https://u:s3cret@h/v1" }', 2],
    ['llm_roles:\n  judge: { provider: openai, model: m, base_url: "https://h/v1?key=s3cret" }', 2],
    ['llm_roles:\n  judge:\n    model: s3cret\n   api_key: s3cret', 4],
  ])('%j', async (text, line) => {
    const error = await judge(text).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'VaglioConfigError', code: 'bad-input', subject: file });
    expect((error as Error).message).toContain(`line ${line}: `);
    expect((error as Error).message).not.toContain('s3cret');
  });

  test('max_tokens is none', async () => {
    expect((await judge(role('max_tokens: 5'))).model?.maxTokens).toBe(5);
  });
});

describe('a file that cannot be read stops the start', () => {
  test('a folder', async () => {
    mkdirSync(file);
    await expect(judge(null)).rejects.toMatchObject({ code: 'unreadable', subject: file });
  });
  test('one that is no UTF-8', async () => {
    await expect(judge(Buffer.from('a: \xff', 'latin1'))).rejects.toMatchObject({ code: 'bad-input', subject: file });
  });
  test('one that is far too large', async () => {
    await expect(judge(`# ${'x'.repeat(1024 * 1024)}`)).rejects.toMatchObject({ code: 'bad-input', subject: file });
  });
});

test('aliases that lead into each other or grow without end are read in time', async () => {
  const levels = Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}, *a${i}]`);
  const text = `a0: &a0 { b: 1 }\n${levels.join('\n')}\nllm_roles: { x: *a40 }\nvaglio: &v { x: { y: *v } }\n`;
  expect(await judge(text)).toEqual(DEFAULTS);
});

test.each([
  ['anthropic', { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', METNOS_LLM_API_KEY: 'm' }, 'a'],
  ['openai', { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: ' o\n', METNOS_LLM_API_KEY: 'm' }, 'o'],
  ['local', { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', METNOS_LLM_API_KEY: 'm' }, 'm'],
  ['anthropic', { OPENAI_API_KEY: 'o', METNOS_LLM_API_KEY: 'm' }, 'm'],
  ['anthropic', { ANTHROPIC_API_KEY: '', OPENAI_API_KEY: 'o' }, null],
  ['local', { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o' }, null],
] as const)('the key for %s of %j is %j', (provider, env, key) => {
  expect(modelKey(env, provider)).toBe(key);
});

test('the structural layer can be switched off, and only that', async () => {
  expect((await judge('vaglio:\n  structure: off\n')).structure).toBe(false);
  expect((await judge('vaglio:\n  structure: on\n')).structure).toBe(true);
  await expect(judge('vaglio:\n  structure: sometimes\n')).rejects.toThrow(/line 2/);
});
