import { z } from 'zod';

/** One thing on disk that the panel reads or writes, and how it fares. */
export const resourceHealthSchema = z.object({
  name: z.enum(['verdict-log', 'turn-log', 'grants', 'approvals', 'pairings', 'panel-db', 'config', 'agent-door']),
  path: z.string(),
  state: z.enum(['ok', 'missing', 'unreadable', 'locked', 'damaged', 'newer', 'read-only', 'failed']),
  /** Stable code that the panel translates; with `detail` as the untranslated cause. */
  advice: z.string(),
  detail: z.string().nullable(),
});
export type ResourceHealth = z.infer<typeof resourceHealthSchema>;
