import type { Port, VaglioBridge } from '../../shared/rpc/bridge.ts';

declare global {
  interface Window {
    /** There only inside Electron; the preload script puts it. */
    readonly vaglio?: VaglioBridge;
  }
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 3;

/** The part of the WebSocket interface that the RPC client uses, over the window's bridge. */
export function bridgeSocket(bridge: VaglioBridge): typeof WebSocket {
  class BridgeSocket extends EventTarget {
    static readonly OPEN = OPEN;
    // The client compares with the constant on the instance.
    readonly OPEN = OPEN;
    readyState = CONNECTING;
    readonly #port: Port;

    constructor() {
      super();
      this.#port = bridge.connect({
        open: () => {
          this.readyState = OPEN;
          this.dispatchEvent(new Event('open'));
        },
        message: (text) => this.dispatchEvent(new MessageEvent('message', { data: text })),
        close: () => this.#closed(),
      });
    }

    send(text: string): void {
      this.#port.send(text);
    }

    close(): void {
      this.#port.close();
      this.#closed();
    }

    #closed(): void {
      if (this.readyState === CLOSED) return;
      this.readyState = CLOSED;
      this.dispatchEvent(new CloseEvent('close', { code: 1000 }));
    }
  }
  return BridgeSocket as unknown as typeof WebSocket;
}
