import type { IpcRenderer, IpcRendererEvent } from 'electron';
import { IPC_CHANNELS, type PortEvents, type VaglioBridge } from '../../shared/rpc/bridge.ts';

/**
 * What the preload script gives to the panel's page: connections to the engine over fixed channels, and
 * no way to send on any other. Runs sandboxed, so it may use nothing but its argument.
 */
export function createBridge(ipc: Pick<IpcRenderer, 'on' | 'send'>): VaglioBridge {
  const open = new Map<number, PortEvents>();
  let last = 0;
  ipc.on(IPC_CHANNELS.opened, (_: IpcRendererEvent, id: number) => open.get(id)?.open());
  ipc.on(IPC_CHANNELS.toWindow, (_: IpcRendererEvent, id: number, text: string) => open.get(id)?.message(text));
  ipc.on(IPC_CHANNELS.closed, (_: IpcRendererEvent, id: number) => {
    const events = open.get(id);
    open.delete(id);
    events?.close();
  });
  return {
    host: 'electron',
    connect: (events) => {
      last += 1;
      const id = last;
      open.set(id, events);
      ipc.send(IPC_CHANNELS.open, id);
      return {
        send: (text) => ipc.send(IPC_CHANNELS.toEngine, id, String(text)),
        close: () => {
          if (open.delete(id)) ipc.send(IPC_CHANNELS.close, id);
        },
      };
    },
  };
}
