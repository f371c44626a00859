import { z } from 'zod';
import { resourceHealthSchema } from '../domain/health.ts';
import { method } from './contract.ts';

export const languageSchema = z.enum(['en', 'it']);
export const themeSchema = z.enum(['system', 'light', 'dark']);

/** What the panel remembers of its own look. Kept by us, since a port that changes loses a browser's own store. */
export const preferencesSchema = z.object({ language: languageSchema.nullable(), theme: themeSchema });
export type Preferences = z.infer<typeof preferencesSchema>;

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
};
