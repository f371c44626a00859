import type { z } from 'zod';

/** Who may call a method (agents page: two doors, two rights). */
export type Scope = 'operator' | 'agent';

/**
 * One method of the one contract: its kind, who may call it, and both schemas. `scope` has no
 * default on purpose: a method without one does not compile (house style, "One contract").
 */
export interface Method<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  kind: 'query' | 'mutation' | 'subscription';
  scope: Scope;
  input: I;
  /** For a subscription: the schema of one event. */
  output: O;
}

export type InputOf<M extends Method> = z.infer<M['input']>;
export type OutputOf<M extends Method> = z.infer<M['output']>;

/** Keeps the literal types of an entry and checks its shape. */
export function method<I extends z.ZodType, O extends z.ZodType, K extends Method['kind']>(
  entry: { kind: K } & Omit<Method<I, O>, 'kind'>,
): { kind: K } & Omit<Method<I, O>, 'kind'> {
  return entry;
}
