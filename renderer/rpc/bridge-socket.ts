import { portSocketClass } from '../../shared/lib/port-socket.ts';
import type { VaglioBridge } from '../../shared/rpc/bridge.ts';

declare global {
  interface Window {
    /** There only inside Electron; the preload script puts it. */
    readonly vaglio?: VaglioBridge;
  }
}

/** The part of the WebSocket interface that the RPC client uses, over the window's bridge. */
export function bridgeSocket(bridge: VaglioBridge): typeof WebSocket {
  const timers = {
    set: (run: () => void, ms: number) => window.setTimeout(run, ms),
    clear: (timer: unknown) => window.clearTimeout(timer as number),
  };
  return portSocketClass((events) => bridge.connect(events), timers) as unknown as typeof WebSocket;
}
