import { z } from 'zod';
import { vaglioResultSchema } from '../domain/constitution.ts';
import { decideAnswerSchema, decideRequestSchema } from '../domain/decision.ts';
import { method } from './contract.ts';
import { evaluateInputSchema } from './proposals.ts';

/** Whose turn, and which one. */
const turnKey = {
  channel: z.string().min(1).max(200),
  sender_id: z.string().min(1).max(200),
  turn_id: z.string().min(1).max(200),
};
const amount = z.number().min(0).optional();
const done = z.object({ kept: z.boolean() });

/**
 * All that the agent door offers (agents page, "Two doors, two rights"). It stands apart from the operator's
 * contract, so that no router holds both; names are those of the JSON-RPC methods.
 */
export const agentContract = {
  /** One proposed step. With `wait_s` it is held while a person decides; a caller that leaves withdraws its card. */
  decide: method({ kind: 'mutation', scope: 'agent', input: decideRequestSchema, output: decideAnswerSchema }),
  /** Weighs one action (constitution page): asked for by the user, or the agent's own idea. Kept in the journal. */
  evaluate: method({ kind: 'mutation', scope: 'agent', input: evaluateInputSchema, output: vaglioResultSchema }),
  /** What became of a card that `decide` did not wait for; `approved` is given once. */
  await: method({
    kind: 'mutation',
    scope: 'agent',
    input: z.object({
      token: z.string().min(1).max(200),
      /** Seconds to hold; absent or 0: the state as it is now. */
      wait_s: z.number().min(0).max(86_400).optional(),
    }),
    output: decideAnswerSchema,
  }),
  /** Withdraws a request by its `request_id` or its card's token; false when none is unanswered. */
  cancel: method({
    kind: 'mutation',
    scope: 'agent',
    input: z.object({ id: z.string().min(1).max(200) }),
    output: z.object({ cancelled: z.boolean() }),
  }),
  /** How a step that was decided went. Holds no value of an argument. */
  'turn.step': method({
    kind: 'mutation',
    scope: 'agent',
    input: z.object({
      ...turnKey,
      step: z.number().int().min(0),
      executor: z.string().min(1).max(500),
      ok: z.boolean(),
      error: z.string().max(2000).optional(),
      /** What the person asked for; the first one that is given counts. */
      intent: z.string().max(10_000).optional(),
      exec_ms: amount,
      llm_latency_ms: amount,
      llm_in_tokens: amount,
      llm_out_tokens: amount,
    }),
    output: done,
  }),
  /** The turn is over: it is written to the turn log (files page). */
  'turn.end': method({
    kind: 'mutation',
    scope: 'agent',
    input: z.object({
      ...turnKey,
      final_kind: z.enum(['answer', 'ask', 'error', 'loop_break']),
      final_message: z.string().max(100_000).optional(),
    }),
    output: done,
  }),
  ping: method({
    kind: 'query',
    scope: 'agent',
    input: z.object({}),
    output: z.object({ version: z.string(), pid: z.number().int() }),
  }),
};
export type AgentContract = typeof agentContract;
export type AgentMethod = keyof AgentContract;
