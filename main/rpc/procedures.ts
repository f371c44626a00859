import {
  initTRPC,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCSubscriptionProcedure,
} from '@trpc/server';
import { z } from 'zod';
import type { Method, Scope } from '../../shared/rpc/contract.ts';
import { UserError } from '../engine/errors.ts';
import type { Services } from '../engine/services.ts';
import { describeError, statusOf } from './error-shape.ts';
import { mayCall } from './scopes.ts';

/** Who calls, over what. Made once per connection by a transport. */
export interface RpcContext {
  /** The door's right. Fixed by the transport, never by what a client sends. */
  scope: Scope;
  services: Services;
  /** Resolves when the connection can take another event; keeps a slow client from filling our memory. */
  room: () => Promise<void>;
}

interface Meta {
  scope: Scope;
}

const t = initTRPC
  .context<RpcContext>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const { message, userCode, subject } = describeError(error);
      return { ...shape, message, data: { ...shape.data, userCode, subject } };
    },
  });

export const router = t.router;

/** The one place where this router checks a scope; it runs before the input is even looked at. */
const scoped = t.procedure.use(({ ctx, meta, path, next }) => {
  if (!mayCall(ctx.scope, meta?.scope)) {
    throw toTrpcError(new UserError('refused', `${path} is not open at this door.`, path));
  }
  return next();
});

function toTrpcError(error: unknown): TRPCError {
  if (error instanceof TRPCError) return error;
  const code = error instanceof UserError ? statusOf(error.code) : 'INTERNAL_SERVER_ERROR';
  return new TRPCError({ code, cause: error, message: error instanceof Error ? error.message : String(error) });
}

type Entry<K extends Method['kind'], I extends z.ZodType, O extends z.ZodType> = Omit<Method<I, O>, 'kind'> & {
  kind: K;
};
type Answer<O extends z.ZodType> = z.infer<O> | Promise<z.infer<O>>;
type Call<I extends z.ZodType, O extends z.ZodType> = (services: Services, input: z.infer<I>) => Answer<O>;
interface Def<I extends z.ZodType, O> {
  meta: Meta;
  input: z.input<I>;
  output: O;
}

function answering<I extends z.ZodType, O extends z.ZodType>(call: Call<I, O>) {
  return async ({ ctx, input }: { ctx: RpcContext; input: unknown }): Promise<never> => {
    try {
      return (await call(ctx.services, input as z.infer<I>)) as never;
    } catch (error) {
      throw toTrpcError(error);
    }
  };
}

/**
 * A contract entry with what answers it, as a procedure: scope, then input schema, then call, then
 * output schema (house-style page, "One contract"). A `UserError` of the call reaches the client with
 * its code, anything else as `internal`.
 */
export function query<I extends z.ZodType, O extends z.ZodType>(entry: Entry<'query', I, O>, call: Call<I, O>) {
  const procedure = scoped.meta({ scope: entry.scope }).input(entry.input).output(entry.output);
  return procedure.query(answering(call)) as unknown as TRPCQueryProcedure<Def<I, z.infer<O>>>;
}

/** As {@link query}, for what changes something. */
export function mutation<I extends z.ZodType, O extends z.ZodType>(entry: Entry<'mutation', I, O>, call: Call<I, O>) {
  const procedure = scoped.meta({ scope: entry.scope }).input(entry.input).output(entry.output);
  return procedure.mutation(answering(call)) as unknown as TRPCMutationProcedure<Def<I, z.infer<O>>>;
}

/** As {@link query}, for a stream; each event passes the output schema. The signal ends when the client goes. */
export function subscription<I extends z.ZodType, O extends z.ZodType>(
  entry: Entry<'subscription', I, O>,
  call: (services: Services, input: z.infer<I>, signal: AbortSignal) => AsyncIterable<z.infer<O>>,
) {
  async function* events({ ctx, input, signal }: { ctx: RpcContext; input: unknown; signal: AbortSignal | undefined }) {
    const ended = signal ?? new AbortController().signal;
    try {
      for await (const event of call(ctx.services, input as z.infer<I>, ended)) {
        if (ended.aborted) return;
        yield entry.output.parse(event) as z.infer<O>;
        await ctx.room();
      }
    } catch (error) {
      if (ended.aborted) return;
      throw error instanceof z.ZodError
        ? toTrpcError(new Error('an event does not fit its schema'))
        : toTrpcError(error);
    }
  }
  const procedure = scoped.meta({ scope: entry.scope }).input(entry.input).subscription(events);
  return procedure as unknown as TRPCSubscriptionProcedure<Def<I, AsyncIterable<z.infer<O>>>>;
}
