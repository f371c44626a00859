import { configure } from '@testing-library/react';
import { connectionOpened, useConnection } from '../rpc/connection.store.ts';
import { forgetAnswers } from '../rpc/hooks.ts';
import { type Observer, setTransport } from '../rpc/transport.ts';

// A busy machine is no failure.
configure({ asyncUtilTimeout: 5000 });

export type Handlers = Record<string, (input: never) => unknown>;

/** An error as the engine sends one: code, field or file, sentence. */
export function engineError(userCode: string, message: string, subject: string | null = null): Error {
  return Object.assign(new Error(message), { data: { userCode, subject } });
}

/**
 * A stand-in for the engine in component tests: handlers by method name, and `emit` for events of a
 * subscription. A method without a handler never answers. Every call is kept in `calls`.
 */
export function installFakeRpc(handlers: Handlers) {
  forgetAnswers();
  useConnection.setState({ state: 'connecting', epoch: 0 });
  const calls: { path: string; input: unknown }[] = [];
  const observers = new Map<string, Set<Observer>>();

  function answer(path: string, input: unknown): Promise<unknown> {
    calls.push({ path, input });
    const handler = handlers[path];
    if (!handler) return new Promise(() => {});
    return Promise.resolve().then(() => handler(input as never));
  }
  setTransport({
    query: answer,
    mutation: answer,
    subscribe(path, input, observer) {
      calls.push({ path, input });
      const set = observers.get(path) ?? new Set();
      observers.set(path, set.add(observer));
      return () => set.delete(observer);
    },
  });
  connectionOpened();
  return {
    calls,
    inputsOf: (path: string) => calls.filter((each) => each.path === path).map((each) => each.input),
    emit(path: string, event: unknown) {
      for (const each of observers.get(path) ?? []) each.onEvent(event);
    },
    fail(path: string, error: unknown) {
      for (const each of observers.get(path) ?? []) each.onError(error);
    },
  };
}
