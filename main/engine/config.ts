/**
 * What the person set for the judge (vaglio page, sections 3 and 4; constitution page, section 5): the environment wins
 * over `config.yaml`, which wins over the defaults. Whatever is wrong stops the start, naming variable or file and line.
 */
import type { JudgeKind } from '../../shared/domain/verdict.ts';
import { MODEL_PROVIDERS, type ModelProvider, type ModelSettings } from '../vaglio/model-client.ts';
import { DEFAULT_THRESHOLD, parseThreshold } from '../vaglio/threshold.ts';
import { type ConfigFile, type ConfigKeys, readConfigFile } from './config-file.ts';
import {
  asConfigError,
  type ConstitutionConfig,
  readConstitutionConfig,
  refuseSharedProvider,
} from './constitution-config.ts';
import { UserError } from './errors.ts';

export type Env = Readonly<Record<string, string | undefined>>;

export const CONFIGURED_KINDS = ['rule-based-v1', 'llm-v1'] as const satisfies readonly JudgeKind[];
export type ConfiguredKind = (typeof CONFIGURED_KINDS)[number];

export interface JudgeConfig {
  kind: ConfiguredKind;
  /** Threshold of the rule-based judge, in [0, 1]. */
  threshold: number;
  /** Threshold of the LLM judge, in [0, 1]. */
  thresholdLlm: number;
  /** METNOS_SAFE_VERB_SHORTCUT=always: the shortcut counts for the rule-based judge too. */
  safeVerbShortcut: boolean;
  /** Is the structural layer above the guard's core in force? The core always is. */
  structure: boolean;
  /** Calls to the model in one local day. */
  dailyCalls: number;
  /** Longest wait for the model's whole answer, ms. */
  timeoutMs: number;
  /** The model of the role `judge`; null when none is configured. */
  model: ModelSettings | null;
}

export interface Config {
  judge: JudgeConfig;
  constitution: ConstitutionConfig;
  /** The file itself, for settings that belong to other parts. */
  file: ConfigFile;
}

/** Where a key for a model is looked for; never in the file. */
export const KEY_VARIABLES = {
  anthropic: ['ANTHROPIC_API_KEY', 'METNOS_LLM_API_KEY'],
  openai: ['OPENAI_API_KEY', 'METNOS_LLM_API_KEY'],
  local: ['METNOS_LLM_API_KEY'],
} as const satisfies Record<ModelProvider, readonly string[]>;

const SECRET_NAME = /^(.*[_-])?(api[_-]?key|key|token|secret|password|authorization)$/i;
const ROLES = ['llm_roles'];
const GUARD_ROLE = ['llm_roles', 'guard'];
const JUDGE_ROLE = ['llm_roles', 'judge'];
const JUDGE = ['vaglio', 'judge'];
const JUDGE_SETTINGS = ['kind', 'threshold', 'threshold_llm', 'daily_calls', 'timeout_ms'];

/** @returns the key for a provider's models, or null when no variable holds one */
export function modelKey(env: Env, provider: ModelProvider): string | null {
  return KEY_VARIABLES[provider].map((name) => env[name]?.trim()).find((value) => value) ?? null;
}

/** The variables of which one has to hold the key, for messages. */
export function keyVariables(provider: ModelProvider): string {
  return KEY_VARIABLES[provider].join(' or ');
}

function oneOf<T extends string>(env: Env, name: string, choices: readonly T[]): T | null {
  const value = env[name];
  if (value === undefined) return null;
  const chosen = choices.find((choice) => choice === value.trim());
  if (chosen !== undefined) return chosen;
  const says = `${name} is ${JSON.stringify(value)}: give ${choices.join(' or ')}, or unset it.`;
  throw new UserError('bad-input', says, name);
}

function threshold(env: Env, name: string, file: ConfigFile, keys: ConfigKeys): number {
  const written = file.number(keys, { min: 0, max: 1 });
  return env[name] === undefined ? (written ?? DEFAULT_THRESHOLD) : parseThreshold(env[name], name);
}

function refuseSecrets(file: ConfigFile): void {
  for (const keys of [ROLES, ['vaglio']]) {
    for (const { name, line } of file.below(keys)) {
      if (!SECRET_NAME.test(name)) continue;
      const where = `${file.path}, line ${line}: ${name} under ${keys.join('.')}`;
      const says = `${where} looks like a secret. Keys for models come from the environment alone (${Object.values(
        KEY_VARIABLES,
      )
        .flat()
        .filter((value, at, all) => all.indexOf(value) === at)
        .join(', ')}): take it out of the file, and replace the key if others can read the file.`;
      throw new UserError('bad-input', says, file.path);
    }
  }
}

function refuseGuardSettings(file: ConfigFile): void {
  if (file.flag([...GUARD_ROLE, 'enabled']) === true) {
    throw file.error(
      [...GUARD_ROLE, 'enabled'],
      'is true, but the guard is deterministic and asks no model: set it to false',
    );
  }
  const model = file.names(GUARD_ROLE).find((name) => ['provider', 'model', 'base_url'].includes(name));
  if (model !== undefined) {
    throw file.error(
      [...GUARD_ROLE, model],
      'names a model, but the guard is deterministic and asks none: take it out',
    );
  }
  if (file.isWritten(['vaglio', 'guard'])) {
    throw file.error(['vaglio', 'guard'], 'is not possible: no setting changes the guard. Take it out');
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function baseUrl(file: ConfigFile, provider: ModelProvider): string | null {
  const keys = [...JUDGE_ROLE, 'base_url'];
  const text = file.text(keys);
  if (text === null) {
    if (provider !== 'local') return null;
    throw file.error(
      JUDGE_ROLE,
      'has the provider local but no base_url: give the address of its OpenAI-compatible API, such as http://127.0.0.1:11434/v1',
    );
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw file.error(keys, 'is no http or https address');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw file.error(keys, 'may hold neither a name and password nor a query: keys come from the environment alone');
  }
  if (provider !== 'local' && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw file.error(keys, 'would send the key for the model unencrypted: use https');
  }
  return text.replace(/\/+$/, '');
}

function judgeModel(file: ConfigFile): ModelSettings | null {
  const provider = file.choice([...JUDGE_ROLE, 'provider'], MODEL_PROVIDERS);
  const separation = file.choice([...JUDGE_ROLE, 'separation_level'], ['context', 'provider']);
  const maxTokens = file.number([...JUDGE_ROLE, 'max_tokens'], { min: 1, max: 100_000, integer: true });
  const temperature = file.number([...JUDGE_ROLE, 'temperature'], { min: 0, max: 2 });
  const model = file.text([...JUDGE_ROLE, 'model']);
  const tier = file.text([...JUDGE_ROLE, 'tier']);
  if (provider === null) {
    if (model === null) return null;
    throw file.error(JUDGE_ROLE, `names a model but no provider: give ${MODEL_PROVIDERS.join(' or ')}`);
  }
  if (model === null) throw file.error(JUDGE_ROLE, 'names a provider but no model: give the name of the model');
  if (separation === 'provider') refuseSharedProvider(file, provider);
  return {
    provider,
    model,
    tier: tier ?? 'default',
    baseUrl: baseUrl(file, provider),
    maxTokens: maxTokens ?? 1500,
    // Some models refuse the setting altogether: `temperature:` without a value leaves it out.
    temperature: file.isWritten([...JUDGE_ROLE, 'temperature']) ? temperature : 0.2,
  };
}

/**
 * @param env as `process.env`
 * @param path of `config.yaml`; a missing file has nothing set
 * @throws VaglioConfigError naming the variable, or the file and the line; UserError `unreadable`
 */
export async function loadConfig(env: Env, path: string): Promise<Config> {
  try {
    return readSettings(env, await readConfigFile(path));
  } catch (error) {
    throw asConfigError(error);
  }
}

function readSettings(env: Env, file: ConfigFile): Config {
  refuseSecrets(file);
  refuseGuardSettings(file);
  const unknown = file.names(JUDGE).find((name) => !JUDGE_SETTINGS.includes(name));
  if (unknown !== undefined) {
    throw file.error([...JUDGE, unknown], `is no setting of the judge: there are ${JUDGE_SETTINGS.join(', ')}`);
  }
  const kind = file.choice([...JUDGE, 'kind'], CONFIGURED_KINDS);
  return {
    file,
    constitution: readConstitutionConfig(file),
    judge: {
      kind: oneOf(env, 'METNOS_JUDGE_KIND', CONFIGURED_KINDS) ?? kind ?? 'rule-based-v1',
      threshold: threshold(env, 'METNOS_JUDGE_THRESHOLD', file, [...JUDGE, 'threshold']),
      thresholdLlm: threshold(env, 'METNOS_JUDGE_THRESHOLD_LLM', file, [...JUDGE, 'threshold_llm']),
      safeVerbShortcut: oneOf(env, 'METNOS_SAFE_VERB_SHORTCUT', ['always']) !== null,
      structure: file.choice(['vaglio', 'structure'], ['on', 'off']) !== 'off',
      dailyCalls: file.number([...JUDGE, 'daily_calls'], { min: 0, max: 1_000_000, integer: true }) ?? 1000,
      timeoutMs: file.number([...JUDGE, 'timeout_ms'], { min: 1, max: 600_000, integer: true }) ?? 10_000,
      model: judgeModel(file),
    },
  };
}
