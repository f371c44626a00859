import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { judgeSettingsSchema } from '../../shared/rpc/app.ts';
import { type Env, loadConfig } from './config.ts';
import { judgeSettings } from './judge-settings.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-settings-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function settings(text: string | null, env: Env = {}) {
  const file = join(folder, 'config.yaml');
  if (text !== null) writeFileSync(file, text);
  return judgeSettings(await loadConfig(env, file), env);
}

const FILE = `vaglio:
  judge:
    kind: llm-v1
    threshold: 0.4
    threshold_llm:
  structure: off
llm_roles:
  judge:
    provider: openai
    model: m
`;

test('each value says which variable or which line of the file it comes from', async () => {
  const found = await settings(FILE, { METNOS_JUDGE_THRESHOLD: '0.6', OPENAI_API_KEY: 'sk-very-secret' });
  expect(judgeSettingsSchema.parse(found)).toEqual(found);
  expect(found.kind).toEqual({
    value: 'llm-v1',
    source: { kind: 'file', line: 3 },
    key: 'vaglio.judge.kind',
    variable: 'METNOS_JUDGE_KIND',
  });
  expect(found.threshold).toMatchObject({
    value: 0.6,
    source: { kind: 'environment', variable: 'METNOS_JUDGE_THRESHOLD' },
  });
  expect(found.threshold_llm).toMatchObject({ value: 0.3, source: { kind: 'default' } });
  expect(found.structure).toMatchObject({ value: false, source: { kind: 'file', line: 6 } });
  expect(found.safe_verb_shortcut).toMatchObject({ value: false, source: { kind: 'default' }, key: null });
  expect(found.model).toMatchObject({
    value: { provider: 'openai', model: 'm', base_url: null, has_key: true, needs_key: true },
    source: { kind: 'file', line: 8 },
  });
  expect(JSON.stringify(found)).not.toContain('secret');
});

test('without a file everything is a default, and no model is configured', async () => {
  const found = await settings(null);
  for (const { source } of Object.values(found)) expect(source).toEqual({ kind: 'default' });
  expect(found.model.value).toBeNull();
});

test('a model without a key says which variables could hold it', async () => {
  const { model } = await settings(FILE, {});
  expect(model.value).toMatchObject({ has_key: false, key_variables: ['OPENAI_API_KEY', 'METNOS_LLM_API_KEY'] });
});
