import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getWSConnectionHandler } from '@trpc/server/adapters/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Services } from '../../engine/services.ts';
import { appRouter } from '../router.ts';
import { reportInternal } from './report.ts';

export const RPC_PATH = '/trpc';
/** Far above any request of the panel, far below what would hurt. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Bytes that may wait for a slow client before its streams pause. */
const HIGH_WATER_BYTES = 1024 * 1024;
const ROOM_POLL_MS = 10;

export interface LoopbackWs {
  /** Ends every connection at once. */
  close(): void;
}

/** Resolves when little enough waits in the socket; at once when it is gone. */
async function room(socket: WebSocket): Promise<void> {
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > HIGH_WATER_BYTES) await sleep(ROOM_POLL_MS);
}

/** Answers an upgrade with a plain refusal. */
function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/**
 * Serves the router at `/trpc` of an HTTP server that someone else guards.
 *
 * @param admit says whether a request for the upgrade comes from the panel; called before anything is parsed
 */
export function serveLoopbackWs(options: {
  server: Server;
  services: Services;
  admit: (request: IncomingMessage) => boolean;
  log: (line: string) => void;
}): LoopbackWs {
  const { server, services, admit, log } = options;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const connected = getWSConnectionHandler({
    wss: sockets,
    router: appRouter,
    createContext: ({ res }) => ({ scope: 'operator' as const, services, room: () => room(res) }),
    keepAlive: { enabled: true, pingMs: 30_000, pongWaitMs: 5_000 },
    onError: reportInternal(log),
  });
  server.on('upgrade', (request, socket, head) => {
    if (!admit(request)) refuse(socket, '403 Forbidden');
    else if (request.url !== RPC_PATH) refuse(socket, '404 Not Found');
    else sockets.handleUpgrade(request, socket, head, (client) => connected(client, request));
  });
  return {
    close: () => {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}
