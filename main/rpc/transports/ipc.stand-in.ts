import { EventEmitter } from 'node:events';

/** A window's web contents, as far as the IPC transport uses it. */
export class WebContentsStandIn extends EventEmitter {
  readonly toWindow = new EventEmitter();
  gone = false;

  send(channel: string, ...args: unknown[]): void {
    const copy = structuredClone(args);
    setImmediate(() => this.toWindow.emit(channel, {}, ...copy));
  }

  isDestroyed(): boolean {
    return this.gone;
  }

  navigate(): void {
    this.emit('did-start-navigation', { isMainFrame: true, isSameDocument: false });
  }
}

interface Frame {
  url: string;
  parent: Frame | null;
}

/** An `ipcMain` and the `ipcRenderer` of one window, whose messages are copied and arrive later, as in Electron. */
export function ipcPair(frame: Frame | null = { url: 'app://vaglio/index.html', parent: null }) {
  const ipcMain = new EventEmitter();
  const sender = new WebContentsStandIn();
  const ipcRenderer = {
    on: (channel: string, listener: (...args: unknown[]) => void) => sender.toWindow.on(channel, listener),
    send: (channel: string, ...args: unknown[]) => {
      const copy = structuredClone(args);
      setImmediate(() => ipcMain.emit(channel, { sender, senderFrame: frame }, ...copy));
    },
  };
  return { ipcMain, ipcRenderer, sender };
}
