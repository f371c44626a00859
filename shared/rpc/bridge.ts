/** What the window's preload script puts at `window.vaglio`; absent in a browser. */
export interface VaglioBridge {
  host: 'electron';
  /** Opens one connection to the engine. The three functions are called later, never during this call. */
  connect(events: PortEvents): Port;
}

export interface PortEvents {
  open: () => void;
  message: (text: string) => void;
  close: () => void;
}

export interface Port {
  send(text: string): void;
  close(): void;
}

/** The only channels there are between window and engine; each message starts with the connection's number. */
export const IPC_CHANNELS = {
  open: 'vaglio:open',
  opened: 'vaglio:opened',
  toEngine: 'vaglio:to-engine',
  toWindow: 'vaglio:to-window',
  close: 'vaglio:close',
  closed: 'vaglio:closed',
} as const;
