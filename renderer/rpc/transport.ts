/** What the panel needs of a connection: three ways to speak, by the method's name (`grants.list`). */
export interface Transport {
  query(path: string, input: unknown, signal?: AbortSignal): Promise<unknown>;
  mutation(path: string, input: unknown): Promise<unknown>;
  subscribe(path: string, input: unknown, observer: Observer): () => void;
}

export interface Observer<E = unknown> {
  onEvent: (event: E) => void;
  onError: (error: unknown) => void;
}

let current: Transport | null = null;

/** Set once at start; tests set one of their own. */
export function setTransport(transport: Transport | null): void {
  current = transport;
}

/** The transport in use. Throws when there is none: nothing is silently dropped. */
export function transport(): Transport {
  if (!current) throw new Error('no connection to the engine has been set up');
  return current;
}
