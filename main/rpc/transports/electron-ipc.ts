import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { getWSConnectionHandler } from '@trpc/server/adapters/ws';
import type { IpcMain, IpcMainEvent, WebContents } from 'electron';
import { IPC_CHANNELS } from '../../../shared/rpc/bridge.ts';
import type { Services } from '../../engine/services.ts';
import { appRouter } from '../router.ts';
import { reportInternal } from './report.ts';

const OPEN = 1;
const CLOSED = 3;
/** As for the WebSocket: far above any request of the panel. */
const MAX_MESSAGE_CHARS = 16 * 1024 * 1024;
/** A panel needs one; a few may overlap while it reconnects. */
const MAX_SOCKETS = 8;

/** The part of a `ws` socket that tRPC's adapter uses, over one connection number of one window. */
class IpcSocket extends EventEmitter {
  readonly OPEN = OPEN;
  readyState = OPEN;
  readonly #deliver: (text: string) => void;
  readonly #gone: () => void;

  constructor(deliver: (text: string) => void, gone: () => void) {
    super();
    this.#deliver = deliver;
    this.#gone = gone;
  }

  send(text: string): void {
    if (this.readyState === OPEN) this.#deliver(text);
  }

  /** The adapter takes a Buffer; a string would hang without a word. */
  receive(text: string): void {
    if (this.readyState === OPEN) this.emit('message', Buffer.from(text, 'utf8'), false);
  }

  close(): void {
    if (this.readyState === CLOSED) return;
    this.readyState = CLOSED;
    this.#gone();
    this.emit('close');
  }

  terminate(): void {
    this.close();
  }
}

/**
 * Serves the router to the panel's own windows over Electron IPC.
 *
 * @param options.fromPanel says whether a frame's URL is the panel's own
 * @returns ends every connection and stops listening
 */
export function serveElectronIpc(options: {
  ipcMain: Pick<IpcMain, 'on' | 'removeListener'>;
  services: Services;
  fromPanel: (url: string) => boolean;
  log: (line: string) => void;
}): () => void {
  const { ipcMain, services, fromPanel, log } = options;
  const windows = new Map<WebContents, Map<number, IpcSocket>>();
  const connected = getWSConnectionHandler({
    wss: undefined as never,
    router: appRouter,
    createContext: () => ({ scope: 'operator' as const, services, room: () => Promise.resolve() }),
    onError: reportInternal(log),
  });

  /** The frame may be gone by the time its message arrives; then `senderFrame` is null and nobody is answered. */
  const trusted = ({ senderFrame }: IpcMainEvent): boolean =>
    senderFrame !== null && senderFrame.parent === null && fromPanel(senderFrame.url);

  const socketsOf = (sender: WebContents): Map<number, IpcSocket> => {
    const known = windows.get(sender);
    if (known) return known;
    const sockets = new Map<number, IpcSocket>();
    windows.set(sender, sockets);
    const closeAll = (): void => {
      for (const socket of [...sockets.values()]) socket.close();
    };
    // A reloaded page starts its numbers again and never says good-bye.
    sender.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) closeAll();
    });
    sender.on('render-process-gone', closeAll);
    sender.once('destroyed', () => {
      closeAll();
      windows.delete(sender);
    });
    return sockets;
  };

  const onOpen = (event: IpcMainEvent, id: unknown): void => {
    if (!trusted(event) || typeof id !== 'number' || !Number.isSafeInteger(id)) return;
    const { sender } = event;
    const sockets = socketsOf(sender);
    const post = (channel: string, ...rest: string[]): void => {
      if (!sender.isDestroyed()) sender.send(channel, id, ...rest);
    };
    if (sockets.has(id) || sockets.size >= MAX_SOCKETS) {
      post(IPC_CHANNELS.closed);
      return;
    }
    const socket = new IpcSocket(
      (text) => post(IPC_CHANNELS.toWindow, text),
      () => {
        sockets.delete(id);
        post(IPC_CHANNELS.closed);
      },
    );
    sockets.set(id, socket);
    const request = { url: '/trpc', headers: { host: 'ipc' } } as unknown as IncomingMessage;
    connected(socket as never, request);
    post(IPC_CHANNELS.opened);
  };

  const find = (event: IpcMainEvent, id: unknown): IpcSocket | undefined =>
    trusted(event) && typeof id === 'number' ? windows.get(event.sender)?.get(id) : undefined;

  const onMessage = (event: IpcMainEvent, id: unknown, text: unknown): void => {
    const socket = find(event, id);
    if (!socket) return;
    if (typeof text === 'string' && text.length <= MAX_MESSAGE_CHARS) socket.receive(text);
    else socket.close();
  };
  const onClose = (event: IpcMainEvent, id: unknown): void => find(event, id)?.close();

  ipcMain.on(IPC_CHANNELS.open, onOpen);
  ipcMain.on(IPC_CHANNELS.toEngine, onMessage);
  ipcMain.on(IPC_CHANNELS.close, onClose);
  return () => {
    ipcMain.removeListener(IPC_CHANNELS.open, onOpen);
    ipcMain.removeListener(IPC_CHANNELS.toEngine, onMessage);
    ipcMain.removeListener(IPC_CHANNELS.close, onClose);
    for (const sockets of windows.values()) for (const socket of [...sockets.values()]) socket.close();
    windows.clear();
  };
}
