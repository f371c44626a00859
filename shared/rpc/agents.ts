import { z } from 'zod';
import { decisionKindSchema } from '../domain/decision.ts';
import { method } from './contract.ts';

/** The agents that we can put a hook into (agents page, "Adapters"). */
export const agentClientSchema = z.enum(['claude-code', 'codex', 'gemini']);
export type AgentClient = z.infer<typeof agentClientSchema>;

/** What became of a call that has to be denied, played through the hook as the agent starts it. */
export const agentProbeSchema = z.object({
  /** Unix time, ms. */
  at: z.number(),
  /** `guarded`: denied by the guard; `denied`: denied since something failed; `open`: it would have run; `absent`: no hook. */
  state: z.enum(['guarded', 'denied', 'open', 'absent']),
  /** One English sentence. */
  detail: z.string(),
  /** Calls of the last day that the agent noted itself and did not ask about; null where it keeps no notes. */
  unasked: z.object({ calls: z.number().int(), of: z.number().int(), sessions: z.number().int() }).nullable(),
});
export type AgentProbe = z.infer<typeof agentProbeSchema>;

export const agentViewSchema = z.object({
  client: agentClientSchema,
  title: z.string(),
  /** Of its settings file. */
  path: z.string(),
  installed: z.boolean(),
  /** Why its settings cannot be read, or why it does not run the hook; null when all is well. */
  problem: z.string().nullable(),
  /** The last call that it asked about; null when none is kept. */
  last: z.object({ at: z.number(), executor: z.string(), decision: decisionKindSchema, rule: z.string() }).nullable(),
  /** null: never probed. */
  probe: agentProbeSchema.nullable(),
});
export type AgentView = z.infer<typeof agentViewSchema>;

const changeSchema = z.object({
  path: z.string(),
  /** A line each, `+`, `-` or a space before it; empty: it is so already. */
  diff: z.array(z.string()),
  written: z.boolean(),
  /** Path of the copy of what was there. */
  backup: z.string().nullable(),
  /** What the person has to know or do, English sentences. */
  notes: z.array(z.string()),
});
const changeInput = z.object({
  client: agentClientSchema,
  /** Absolute folder; absent: for all that this user does. */
  project: z.string().max(4096).optional(),
  /** Shows what would change, and changes nothing. */
  dry_run: z.boolean().optional(),
});

/** Hooks in the settings of the agents (agents page, "Adapters"). */
export const agentsContract = {
  list: method({
    kind: 'query',
    scope: 'operator',
    input: z.object({}),
    output: z.object({ agents: z.array(agentViewSchema) }),
  }),
  install: method({ kind: 'mutation', scope: 'operator', input: changeInput, output: changeSchema }),
  uninstall: method({ kind: 'mutation', scope: 'operator', input: changeInput, output: changeSchema }),
  probe: method({
    kind: 'mutation',
    scope: 'operator',
    input: z.object({ client: agentClientSchema }),
    output: agentProbeSchema,
  }),
};
