import type { Port, PortEvents } from '../rpc/bridge.ts';

/** How long a connection may take to open, ms: an engine that refuses says nothing. */
const OPEN_LIMIT_MS = 3000;

type Listener = (event: { type: string; data?: string; code?: number }) => void;

export interface Timers {
  set: (run: () => void, ms: number) => unknown;
  clear: (timer: unknown) => void;
}

/** The part of a WebSocket that tRPC's client reads (platform page, trap "tRPC"). */
interface PortSocket {
  readonly OPEN: 1;
  readonly readyState: number;
  binaryType: string;
  addEventListener(type: string, listener: Listener): void;
  removeEventListener(type: string, listener: Listener): void;
  send(text: string): void;
  close(): void;
}

/**
 * A class to give to `createWSClient({ WebSocket })` that looks like a WebSocket and speaks over a
 * port of the preload bridge.
 *
 * @param connect `window.vaglio.connect`
 * @param timers `setTimeout` and `clearTimeout`
 */
export function portSocketClass(connect: (events: PortEvents) => Port, timers: Timers) {
  return class implements PortSocket {
    static readonly CONNECTING = 0;
    static readonly OPEN = 1;
    static readonly CLOSING = 2;
    static readonly CLOSED = 3;
    // The client compares with the instance's constants, not with the class's.
    readonly OPEN = 1;
    binaryType = 'arraybuffer';
    readyState = 0;
    readonly #listeners = new Map<string, Set<Listener>>();
    readonly #port: Port;
    readonly #limit: unknown;

    constructor() {
      this.#limit = timers.set(() => this.#end('error'), OPEN_LIMIT_MS);
      this.#port = connect({
        // Listeners are added in the microtasks after construction, so `open` waits for the next task.
        open: () => timers.set(() => this.#opened(), 0),
        message: (text) => this.#emit('message', { data: text }),
        close: () => this.#end('close'),
      });
    }

    addEventListener(type: string, listener: Listener): void {
      const listeners = this.#listeners.get(type) ?? new Set();
      this.#listeners.set(type, listeners.add(listener));
    }

    removeEventListener(type: string, listener: Listener): void {
      this.#listeners.get(type)?.delete(listener);
    }

    send(text: string): void {
      if (this.readyState !== 1) throw new Error('the connection to the engine is not open');
      this.#port.send(text);
    }

    close(): void {
      this.#end('close');
    }

    #opened(): void {
      if (this.readyState !== 0) return;
      timers.clear(this.#limit);
      this.readyState = 1;
      this.#emit('open', {});
    }

    #end(why: 'close' | 'error'): void {
      if (this.readyState === 3) return;
      timers.clear(this.#limit);
      this.readyState = 3;
      this.#port.close();
      if (why === 'error') this.#emit('error', {});
      this.#emit('close', { code: 1006 });
    }

    #emit(type: string, fields: { data?: string; code?: number }): void {
      for (const listener of [...(this.#listeners.get(type) ?? [])]) listener.call(this, { type, ...fields });
    }
  };
}
