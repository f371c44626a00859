/**
 * The operator at the command line (agents page, "Two doors, two rights"): through the engine that runs, or, when none
 * does, through an engine of its own over the same files. Both ways lead to the one router.
 */
import type { Contract } from '../../shared/rpc/all.ts';
import type { InputOf, Method, OutputOf } from '../../shared/rpc/contract.ts';
import { type ErrorCode, UserError } from '../engine/errors.ts';
import { resolvePaths } from '../engine/paths.ts';
import type { OperatorAnswer, OperatorRequest } from '../rpc/transports/operator-calls.ts';
import type { CliContext } from './context.ts';
import { printable } from './printable.ts';

type VerbOf<D extends keyof Contract> = keyof Contract[D] & string;
type MethodOf<D extends keyof Contract, V extends VerbOf<D>> = Contract[D][V] extends Method ? Contract[D][V] : never;

export interface Operator {
  /** Process id of the engine that answers; null: the files are read and written from here. */
  enginePid: number | null;
  /** @throws UserError as the method says; Error for a fault of the engine */
  query<D extends keyof Contract, V extends VerbOf<D>>(
    domain: D,
    verb: V,
    input: InputOf<MethodOf<D, V>>,
  ): Promise<OutputOf<MethodOf<D, V>>>;
  /** As `query`, for what changes something. */
  mutate: Operator['query'];
}

type Call = (request: OperatorRequest) => Promise<unknown>;

function operatorOver(call: Call, enginePid: number | null): Operator {
  const asking =
    (kind: OperatorRequest['kind']) =>
    async (domain: string, verb: string, input: unknown): Promise<never> => {
      const answer = (await call({ method: `${domain}.${verb}`, kind, input })) as OperatorAnswer | null;
      if (answer === null) throw new UserError('unreadable', 'The engine went away before it answered. Try again.');
      if (answer.ok) return answer.value as never;
      const { message, userCode, subject } = answer.error;
      throw userCode === 'internal'
        ? new Error(message)
        : new UserError(userCode satisfies ErrorCode, message, subject);
    };
  return { enginePid, query: asking('query'), mutate: asking('mutation') };
}

/**
 * Runs `work` as the operator, and leaves nothing behind.
 *
 * @throws UserError when neither the engine nor the files can be reached, and what `work` throws
 */
export async function asOperator<T>(ctx: CliContext, work: (operator: Operator) => Promise<T>): Promise<T> {
  const { env, home, clock } = ctx;
  const { reachInstance } = await import('../host/instance-lock.ts');
  const reached = await reachInstance(resolvePaths(env, home).lockFile);
  if (reached.kind === 'running') return work(operatorOver(reached.call, reached.pid));
  try {
    const [{ createEngine }, { createOperatorCalls }] = await Promise.all([
      import('../engine/engine.ts'),
      import('../rpc/transports/operator-calls.ts'),
    ]);
    const log = (line: string): void => ctx.err(printable(`warning: ${line}`));
    const engine = await createEngine({ env, home, clock, host: 'cli', demo: false, log });
    try {
      return await work(operatorOver(createOperatorCalls({ services: engine.services, log }), null));
    } finally {
      await engine.close();
    }
  } finally {
    reached.release();
  }
}
