import type { PasswdLookup } from '../vaglio/expand-user.ts';
import { type Evaluation, evaluate, type JudgeOptions } from '../vaglio/judge.ts';
import { evaluateAsync } from '../vaglio/llm-judge.ts';
import { createModelClient, type ModelClient } from '../vaglio/model-client.ts';
import { type StructureMode, structureLayer } from '../vaglio/structure-layer.ts';
import type { Clock } from './clock.ts';
import { type ConfiguredKind, type Env, type JudgeConfig, keyVariables, modelKey } from './config.ts';

/** A tool call as a judge takes it (vaglio page, section 1). */
export interface JudgedCall {
  intent: string;
  executor: string;
  args: unknown;
  context: unknown;
}

/** Guard and judge as the person configured them. */
export interface JudgeInForce {
  readonly kind: ConfiguredKind;
  /**
   * The answer itself from the rule-based judge, a promise of it from the LLM judge; it never rejects.
   * @param given.home what `~` means for this call, when it is not the engine's home
   * @param given.signal gives up the question to the model
   */
  evaluate(call: JudgedCall, given?: { home?: string; signal?: AbortSignal }): Evaluation | Promise<Evaluation>;
  /**
   * The same guard with the rule-based judge, at once: no model is asked and nothing is counted.
   * @param given.threshold in [0, 1]; absent: the one in force. At 0 only the guard refuses
   */
  tryOut(call: JudgedCall, given?: { threshold?: number }): Evaluation;
}

/** `YYYY-MM-DD` of the local day. */
export function localDay(ms: number): string {
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function clientOf({ model }: JudgeConfig, env: Env, log: (line: string) => void): ModelClient | null {
  if (model === null) {
    log('The LLM judge has no model: give llm_roles.judge in config.yaml. Until then every score is 0.5.');
    return null;
  }
  const key = modelKey(env, model.provider);
  if (key === null && model.provider !== 'local') {
    const variables = keyVariables(model.provider);
    log(`The LLM judge has no key for ${model.provider}: set ${variables}. Until then every score is 0.5.`);
    return null;
  }
  return createModelClient(model, key);
}

/**
 * @param deps.countCall counts one call to the model: false when the day's are spent. May throw. Never called for the
 *   rule-based judge
 * @param deps.log one line about a fault that a verdict only hints at; holds nothing of a call
 */
export function createJudgeInForce(deps: {
  config: JudgeConfig;
  env: Env;
  home: string;
  clock: Clock;
  passwd: PasswdLookup;
  countCall: (asked: { day: string; limit: number }) => boolean;
  log: (line: string) => void;
  /** Weaker than the configuration only where the caller compares with the original program. */
  structure?: StructureMode;
  /** Absolute paths of the panel's own files, for the structural layer. */
  control?: readonly string[];
}): JudgeInForce {
  const { config, env, home, clock, passwd, countCall, log } = deps;
  const { kind, threshold, safeVerbShortcut, thresholdLlm, timeoutMs, dailyCalls } = config;
  const layer = structureLayer(config.structure ? (deps.structure ?? 'on') : 'off', deps.control);
  const options: JudgeOptions = { threshold, home, clock, passwd, safeVerbShortcut, layer };
  const tryOut: JudgeInForce['tryOut'] = ({ intent, executor, args, context }, given) =>
    evaluate(intent, executor, args, context, { ...options, threshold: given?.threshold ?? threshold });
  const homed = (given?: { home?: string }) => (given?.home === undefined ? options : { ...options, home: given.home });
  switch (kind) {
    case 'rule-based-v1':
      return {
        kind,
        tryOut,
        evaluate: ({ intent, executor, args, context }, given) =>
          evaluate(intent, executor, args, context, homed(given)),
      };
    case 'llm-v1': {
      const takeCall = (): boolean => countCall({ day: localDay(clock()), limit: dailyCalls });
      let lastFault: string | null = null;
      const onFault = (why: string): void => {
        if (why !== lastFault) log(`The LLM judge did not answer: ${why}.`);
        lastFault = why;
      };
      const llm = { client: clientOf(config, env, log), threshold: thresholdLlm, timeoutMs, takeCall, onFault };
      return {
        kind,
        tryOut,
        evaluate: ({ intent, executor, args, context }, given) =>
          evaluateAsync(intent, executor, args, context, { ...homed(given), llm, signal: given?.signal }),
      };
    }
    default:
      return kind satisfies never;
  }
}
