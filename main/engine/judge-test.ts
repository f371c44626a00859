import type { JudgeTest } from '../../shared/rpc/app.ts';
import { askForScore, llmQuestion } from '../vaglio/llm-judge.ts';
import { createModelClient } from '../vaglio/model-client.ts';
import type { Clock } from './clock.ts';
import { type Env, type JudgeConfig, keyVariables, modelKey } from './config.ts';
import { localDay } from './judge-in-force.ts';

/** Nobody's call: the question is real, what it is about is not. */
const QUESTION = llmQuestion(
  'save the shopping list that I dictated as a note',
  'write_files',
  { path: '', content: '' },
  { critical: false, capability: 'fs:write' },
);

const NOTE = /^llm-judge: /;

/**
 * Puts one question to the judge's model, as for a call but about none (vaglio page, section 4). It decides nothing and
 * goes into no log. One at a time: whoever asks meanwhile gets the same answer.
 *
 * @param deps.countCall counts one call to the model: false when the day's are spent. May throw
 */
export function createJudgeTest(deps: {
  config: JudgeConfig;
  env: Env;
  clock: Clock;
  countCall: (asked: { day: string; limit: number }) => boolean;
}): () => Promise<JudgeTest> {
  const { config, env, clock, countCall } = deps;
  const without = (outcome: JudgeTest['outcome'], detail: string | null): JudgeTest => {
    return { outcome, ms: null, score: null, detail };
  };
  const ask = async (): Promise<JudgeTest> => {
    const { model, timeoutMs, dailyCalls } = config;
    if (model === null) return without('no-model', null);
    const key = modelKey(env, model.provider);
    if (key === null && model.provider !== 'local') return without('no-key', keyVariables(model.provider));
    if (!countCall({ day: localDay(clock()), limit: dailyCalls })) return without('spent', null);
    const from = performance.now();
    const answer = await askForScore(QUESTION, createModelClient(model, key), { timeoutMs });
    const ms = performance.now() - from;
    if (answer.ok) return { outcome: 'answered', ms, score: answer.score, detail: answer.notes.replace(NOTE, '') };
    const outcome = answer.fault === 'parse fail' ? 'no-score' : 'no-answer';
    return { outcome, ms, score: null, detail: answer.why };
  };
  let running: Promise<JudgeTest> | null = null;
  return () => {
    running ??= ask().finally(() => {
      running = null;
    });
    return running;
  };
}
