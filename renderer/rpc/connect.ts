import { createTRPCUntypedClient, createWSClient, wsLink } from '@trpc/client';
import { connectionLost, connectionOpened } from './connection.store.ts';
import { setTransport, type Transport } from './transport.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5000;

/** Doubles from a quarter of a second up to 5 s; in ms. */
export function retryDelay(attempt: number): number {
  return Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempt, 10));
}

/** The engine's door in browser mode: same host and port as the page. */
export function socketUrl(location: { protocol: string; host: string }): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/trpc`;
}

/**
 * The client closes a socket whose other end no longer answers, and the browser then waits up to a
 * minute for the good-bye of that end. The person is told at once.
 */
export function tellingSocket(Base: typeof WebSocket): typeof WebSocket {
  let newest: WebSocket | null = null;
  return class extends Base {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      newest = this;
    }
    override close(code?: number, reason?: string): void {
      if (newest === this) connectionLost();
      super.close(code, reason);
    }
  };
}

/** Opens the connection to the engine and keeps it up. Call it once. */
export function connect(options: { url: string; WebSocket?: typeof WebSocket }): void {
  const client = createWSClient({
    url: options.url,
    WebSocket: tellingSocket(options.WebSocket ?? WebSocket),
    retryDelayMs: retryDelay,
    keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 4000 },
    onOpen: connectionOpened,
    onClose: connectionLost,
    onError: connectionLost,
  });
  const trpc = createTRPCUntypedClient({ links: [wsLink({ client })] });
  const transport: Transport = {
    query: (path, input, signal) => trpc.query(path, input, signal ? { signal } : {}),
    mutation: (path, input) => trpc.mutation(path, input),
    subscribe(path, input, observer) {
      const running = trpc.subscription(path, input, { onData: observer.onEvent, onError: observer.onError });
      return () => running.unsubscribe();
    },
  };
  setTransport(transport);
}
