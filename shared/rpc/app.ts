import { z } from 'zod';
import { resourceHealthSchema } from '../domain/health.ts';
import { judgeKindSchema } from '../domain/verdict.ts';
import { method } from './contract.ts';

export const languageSchema = z.enum(['en', 'it']);
export const themeSchema = z.enum(['system', 'light', 'dark']);

/** What the panel remembers of its own look. Kept by us, since a port that changes loses a browser's own store. */
export const preferencesSchema = z.object({
  language: languageSchema.nullable(),
  theme: themeSchema,
  /** Notices of waiting calls on the desktop; in a browser they also need its permission. */
  notifications: z.boolean(),
  /** Whether turns are read from the transcripts that Claude Code itself keeps. */
  claude_transcripts: z.boolean(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** Where the value in force comes from: a variable of the environment wins over the file, the file over the default. */
export const settingSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('environment'), variable: z.string() }),
  z.object({ kind: z.literal('file'), line: z.number().int() }),
  z.object({ kind: z.literal('default') }),
]);
export type SettingSource = z.infer<typeof settingSourceSchema>;

function setting<T extends z.ZodType>(value: T) {
  return z.object({
    value,
    source: settingSourceSchema,
    /** Way to it in config.yaml, with dots; null: it cannot be set there. */
    key: z.string().nullable(),
    /** null: no variable sets it. */
    variable: z.string().nullable(),
  });
}

/** What the person set for guard and judge, as it was read at the start. Holds no key. */
export const judgeSettingsSchema = z.object({
  kind: setting(judgeKindSchema),
  threshold: setting(z.number()),
  threshold_llm: setting(z.number()),
  daily_calls: setting(z.number().int()),
  timeout_ms: setting(z.number().int()),
  /** The shortcut for verbs that only read counts for the rule-based judge too. */
  safe_verb_shortcut: setting(z.boolean()),
  /** The structural layer above the guard's core, which nothing switches off. */
  structure: setting(z.boolean()),
  /** The role `judge`; null: no model is configured. */
  model: setting(
    z
      .object({
        provider: z.string(),
        model: z.string(),
        tier: z.string(),
        /** null: the provider's own address. */
        base_url: z.string().nullable(),
        /** Whether one of the variables holds a key. */
        has_key: z.boolean(),
        needs_key: z.boolean(),
        key_variables: z.array(z.string()),
      })
      .nullable(),
  ),
});
export type JudgeSettings = z.infer<typeof judgeSettingsSchema>;

/** What became of one real question to the judge's model. */
export const judgeTestSchema = z.object({
  outcome: z.enum(['answered', 'no-model', 'no-key', 'spent', 'no-answer', 'no-score']),
  /** From question to answer; null when nothing was asked. */
  ms: z.number().nullable(),
  /** In [0, 1]. */
  score: z.number().nullable(),
  /** The model's own words, or what failed; never a word of the provider's, never a key. */
  detail: z.string().nullable(),
});
export type JudgeTest = z.infer<typeof judgeTestSchema>;

export const appContract = {
  info: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      version: z.string(),
      host: z.enum(['electron', 'browser', 'serve', 'cli']),
      demo: z.boolean(),
      home: z.string(),
      platform: z.string(),
      threshold: z.number(),
      preferences: preferencesSchema,
    }),
  }),
  health: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ resources: z.array(resourceHealthSchema) }),
  }),
  setPreferences: method({
    kind: 'mutation',
    scope: 'operator',
    input: preferencesSchema.partial(),
    output: preferencesSchema,
  }),
  settings: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({
      judge: judgeSettingsSchema,
      config_file: z.string(),
      /** Days that our own database keeps the line's answers; 0: none is kept. */
      decisions_days: z.number(),
    }),
  }),
  /** One real question to the judge's model; it counts as one of the day's calls, and no verdict comes of it. */
  testJudge: method({ kind: 'mutation', scope: 'operator', input: z.object({}), output: judgeTestSchema }),
  /** Older answers go at the next daily clean-up. @throws what panel.db throws when it cannot be written */
  setRetention: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ decisions_days: z.number().int().min(0).max(3650) }),
    output: z.object({ decisions_days: z.number() }),
  }),
};
