import type { z } from 'zod';
import { type Contract, contract } from '../../shared/rpc/all.ts';
import { type Observer, transport } from './transport.ts';

/**
 * The engine's methods, typed from the one contract: `rpc.grants.list({})`. A query takes a signal, a
 * subscription an observer and gives back what stops it. Rejects with the transport's error; see
 * `toProblem` for what a person is told.
 */
interface Entry {
  kind: 'query' | 'mutation' | 'subscription';
  input: z.ZodType;
  output: z.ZodType;
}
export interface QueryCall<I, O> {
  (input: I, signal?: AbortSignal): Promise<O>;
  readonly path: string;
}
export interface MutationCall<I, O> {
  (input: I): Promise<O>;
  readonly path: string;
}
export interface SubscriptionCall<I, O> {
  (input: I, observer: Observer<O>): () => void;
  readonly path: string;
}
type CallOf<M extends Entry> = M['kind'] extends 'query'
  ? QueryCall<z.input<M['input']>, z.infer<M['output']>>
  : M['kind'] extends 'mutation'
    ? MutationCall<z.input<M['input']>, z.infer<M['output']>>
    : SubscriptionCall<z.input<M['input']>, z.infer<M['output']>>;

export type Client = {
  readonly [D in keyof Contract]: {
    readonly [V in keyof Contract[D]]: Contract[D][V] extends Entry ? CallOf<Contract[D][V]> : never;
  };
};

function callFor(path: string, kind: Entry['kind']): unknown {
  const call = {
    query: (input: unknown, signal?: AbortSignal) => transport().query(path, input, signal),
    mutation: (input: unknown) => transport().mutation(path, input),
    subscription: (input: unknown, observer: Observer) => transport().subscribe(path, input, observer),
  }[kind];
  return Object.assign(call, { path });
}

function build(): Client {
  const client: Record<string, Record<string, unknown>> = {};
  for (const [domain, methods] of Object.entries(contract)) {
    const calls: Record<string, unknown> = {};
    for (const [verb, entry] of Object.entries(methods)) calls[verb] = callFor(`${domain}.${verb}`, entry.kind);
    client[domain] = calls;
  }
  return client as Client;
}

export const rpc: Client = build();
