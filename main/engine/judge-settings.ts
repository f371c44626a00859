import type { JudgeSettings, SettingSource } from '../../shared/rpc/app.ts';
import { type Config, type Env, KEY_VARIABLES, modelKey } from './config.ts';
import type { ConfigFile, ConfigKeys } from './config-file.ts';

const JUDGE = ['vaglio', 'judge'];
const ROLE = ['llm_roles', 'judge'];

/** Where a setting can be made. */
interface Place {
  keys?: ConfigKeys;
  variable?: string;
}

function sourceOf(env: Env, file: ConfigFile, { keys, variable }: Place): SettingSource {
  if (variable !== undefined && env[variable] !== undefined) return { kind: 'environment', variable };
  if (keys !== undefined && file.isSet(keys)) return { kind: 'file', line: file.line(keys) };
  return { kind: 'default' };
}

/**
 * What is in force for guard and judge, each with where it comes from and where it can be changed (vaglio page, sections
 * 3 and 4). No key is in it.
 *
 * @param env as `process.env`, the one that `config` was made from
 */
export function judgeSettings({ judge, file }: Config, env: Env): JudgeSettings {
  const from = <T>(value: T, place: Place) => ({
    value,
    source: sourceOf(env, file, place),
    key: place.keys?.join('.') ?? null,
    variable: place.variable ?? null,
  });
  const { model } = judge;
  return {
    kind: from(judge.kind, { keys: [...JUDGE, 'kind'], variable: 'METNOS_JUDGE_KIND' }),
    threshold: from(judge.threshold, { keys: [...JUDGE, 'threshold'], variable: 'METNOS_JUDGE_THRESHOLD' }),
    threshold_llm: from(judge.thresholdLlm, {
      keys: [...JUDGE, 'threshold_llm'],
      variable: 'METNOS_JUDGE_THRESHOLD_LLM',
    }),
    daily_calls: from(judge.dailyCalls, { keys: [...JUDGE, 'daily_calls'] }),
    timeout_ms: from(judge.timeoutMs, { keys: [...JUDGE, 'timeout_ms'] }),
    safe_verb_shortcut: from(judge.safeVerbShortcut, { variable: 'METNOS_SAFE_VERB_SHORTCUT' }),
    structure: from(judge.structure, { keys: ['vaglio', 'structure'] }),
    model: from(
      model && {
        provider: model.provider,
        model: model.model,
        tier: model.tier,
        base_url: model.baseUrl,
        has_key: modelKey(env, model.provider) !== null,
        needs_key: model.provider !== 'local',
        key_variables: [...KEY_VARIABLES[model.provider]],
      },
      { keys: ROLE },
    ),
  };
}
