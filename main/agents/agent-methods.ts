import type { z } from 'zod';
import type { DecideAnswer, DecideRequest } from '../../shared/domain/decision.ts';
import { readDecideRequest } from '../../shared/domain/read-request.ts';
import { type AgentContract, type AgentMethod, agentContract } from '../../shared/rpc/agent.ts';
import type { InputOf, OutputOf } from '../../shared/rpc/contract.ts';
import { UserError } from '../engine/errors.ts';
import type { Line } from '../pipeline/port.ts';
import { mayCall } from '../rpc/scopes.ts';
import { RPC_ERRORS, type RpcError } from './json-rpc.ts';
import type { Caller, Repeats } from './repeats.ts';

/** What of the line an agent may reach, and the scales beside it. */
export interface AgentLine extends Pick<Line, 'decide' | 'await' | 'cancel' | 'tryOut'> {
  /** @throws UserError `bad-input` naming the field */
  evaluate(
    asked: InputOf<AgentContract['evaluate']>,
    options: { signal: AbortSignal },
  ): Promise<OutputOf<AgentContract['evaluate']>>;
}

/** Takes what agents report of their turns (pipeline page, "Turns"). */
export interface TurnReports {
  /** False when it was not kept. */
  step(report: InputOf<AgentContract['turn.step']>): boolean;
  end(report: InputOf<AgentContract['turn.end']>): boolean;
}

export type Answered = { result: unknown } | { error: RpcError };
/** The answer itself where nothing has to be waited for. */
export type AnswerAgent = (method: string, params: unknown, caller: Caller) => Answered | Promise<Answered>;

type Handlers = {
  [M in AgentMethod]: (
    input: InputOf<AgentContract[M]>,
    caller: Caller,
  ) => OutputOf<AgentContract[M]> | Promise<OutputOf<AgentContract[M]>>;
};

const MAX_ISSUES = 10;

function issuesText(error: z.ZodError): string {
  const lines = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const field = path.map(String).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
  const more = error.issues.length - lines.length;
  return `${lines.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Thrown for a `request_id` that another request has. */
class RepeatConflict extends Error {}

/**
 * Answers the methods of the agent door: scope, then schema, then call (house-style page, "One contract"). It never
 * rejects, and a fault of ours goes out without its inside.
 *
 * @param deps.log one line about a fault; never a value of an argument
 */
export function createAgentMethods(deps: {
  line: AgentLine;
  turns: TurnReports;
  repeats: Repeats;
  version: string;
  log: (line: string) => void;
}): AnswerAgent {
  const { line, turns, repeats, version, log } = deps;
  const decide = (request: DecideRequest, caller: Caller) => line.decide(request, caller);

  const handlers: Handlers = {
    decide: (request, caller) => {
      const { request_id } = request;
      if (request_id === undefined) return decide(request, caller);
      const holds = async (given: DecideAnswer): Promise<boolean> => {
        const { decision } = await line.tryOut(request);
        return decision === 'allowed' || (given.decision === 'approved' && decision === 'approval_required');
      };
      const answer = repeats.answer({ ...request, request_id }, caller, async (all) => decide(request, all), holds);
      if (answer === null) throw new RepeatConflict();
      return answer;
    },
    evaluate: (asked, { signal }) => line.evaluate(asked, { signal }),
    await: ({ token, wait_s }, { signal }) =>
      line.await(token, { signal, ...(wait_s === undefined ? {} : { wait_s }) }),
    cancel: ({ id }) => ({ cancelled: line.cancel(id) }),
    'turn.step': (report) => ({ kept: turns.step(report) }),
    'turn.end': (report) => ({ kept: turns.end(report) }),
    ping: () => ({ version, pid: process.pid }),
  };

  const failed = (method: string, error: unknown): Answered => {
    if (error instanceof RepeatConflict) {
      const message = 'request_id was used for another request. Each request has one of its own.';
      return { error: { code: RPC_ERRORS.conflict, message } };
    }
    if (error instanceof UserError) {
      const code = error.code === 'bad-input' ? RPC_ERRORS.invalidParams : RPC_ERRORS.internal;
      return { error: { code, message: error.message } };
    }
    log(`engine fault in ${method}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    const message = 'The engine failed at this request. Its own output says more.';
    return { error: { code: RPC_ERRORS.internal, message } };
  };

  return (method, params, caller) => {
    const known = Object.hasOwn(agentContract, method) ? (method as AgentMethod) : null;
    // The one place where this door checks a scope; it runs before the params are even looked at.
    if (known === null || !mayCall('agent', agentContract[known].scope)) {
      return { error: { code: RPC_ERRORS.unknownMethod, message: 'There is no such method at this door.' } };
    }
    try {
      const input =
        known === 'decide' ? readDecideRequest(params ?? {}) : agentContract[known].input.safeParse(params ?? {});
      if (!input.success) return { error: { code: RPC_ERRORS.invalidParams, message: issuesText(input.error) } };
      const result = handlers[known](input.data as never, caller);
      if (!(result instanceof Promise)) return { result };
      return result.then(
        (value) => ({ result: value }),
        (error: unknown) => failed(known, error),
      );
    } catch (error) {
      return failed(known, error);
    }
  };
}
