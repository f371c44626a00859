/**
 * Browser mode: the panel's files and its RPC on 127.0.0.1, for the person who holds the one-time link
 * (platform page, "Two hosts, one panel"; quality page, "What nobody may do"). Plain Node, no Electron.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../engine/errors.ts';
import type { Services } from '../engine/services.ts';
import { serveLoopbackWs } from '../rpc/transports/loopback-ws.ts';
import { contentPolicy, GUARD_HEADERS } from './content-policy.ts';
import { sendExport } from './export-route.ts';
import { BAD_LINK_PAGE, ENTERED_PAGE, NO_SESSION_PAGE, NOT_FOUND_PAGE } from './pages.ts';
import { createSessions } from './sessions.ts';
import { readStatic } from './static-files.ts';

const ADDRESS = '127.0.0.1';
const HTML = 'text/html; charset=utf-8';

export interface BrowserHost {
  port: number;
  /** A fresh link that lets one browser in, once. */
  newLink(): string;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

/**
 * @param options.port 0 for any free one
 * @param options.rendererDir folder of the built panel
 * @throws UserError `conflict` when the port is taken
 */
export async function startBrowserHost(options: {
  services: Services;
  rendererDir: string;
  port: number;
  log: (line: string) => void;
}): Promise<BrowserHost> {
  const server = createServer({ requestTimeout: 20_000, headersTimeout: 10_000 });
  const port = await listen(server, options.port);
  server.on('error', (error) => options.log(`browser host: ${error.message}`));
  const sessions = createSessions(port);
  const hosts = [`${ADDRESS}:${port}`, `localhost:${port}`];
  const origins = hosts.map((host) => `http://${host}`);
  const policy = contentPolicy(hosts.map((host) => `ws://${host}`));

  const fromOurHost = ({ headers }: IncomingMessage): boolean => hosts.includes((headers.host ?? '').toLowerCase());
  const fromOurOrigin = ({ headers }: IncomingMessage): boolean => origins.includes(headers.origin ?? '');

  const send = (response: ServerResponse, status: number, type: string, body: string | Buffer, extra = {}): void => {
    const headers = { 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), 'Cache-Control': 'no-store' };
    response.writeHead(status, { ...GUARD_HEADERS, 'Content-Security-Policy': policy, ...headers, ...extra });
    response.end(response.req.method === 'HEAD' ? undefined : body);
  };

  const enter = (request: IncomingMessage, response: ServerResponse, query: string): void => {
    const { headers } = request;
    // A browser that looks ahead, or asks for the head alone, must not use the link up.
    const isVisit =
      request.method === 'GET' && !/prefetch/.test(String(headers['sec-purpose'] ?? headers.purpose ?? ''));
    const cookie = isVisit ? sessions.redeem(new URLSearchParams(query).get('token') ?? '') : null;
    if (cookie === null) {
      if (sessions.isSession(headers.cookie)) send(response, 303, HTML, '', { Location: '/' });
      else send(response, 403, HTML, BAD_LINK_PAGE);
    } else if (headers['sec-fetch-site'] === 'cross-site')
      send(response, 200, HTML, ENTERED_PAGE, { 'Set-Cookie': cookie });
    else send(response, 303, HTML, '', { Location: '/', 'Set-Cookie': cookie });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    if (!fromOurHost(request)) return send(response, 403, 'text/plain', 'This name does not lead to the panel.\n');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, 'text/plain', 'Only GET and HEAD.\n', { Allow: 'GET, HEAD' });
    if (!isOwnRequest(request, fromOurOrigin)) return send(response, 403, 'text/plain', 'Not for other sites.\n');
    if (path === '/enter') return enter(request, response, query);
    if (!sessions.isSession(request.headers.cookie)) return send(response, 401, HTML, NO_SESSION_PAGE);
    if (path === '/export') {
      const headers = { ...GUARD_HEADERS, 'Content-Security-Policy': policy };
      if (await sendExport(options.services.audit, query, response, headers)) return;
      return send(response, 400, 'text/plain', 'This is not a filter, or not a format.\n');
    }
    const file = await readStatic(options.rendererDir, path);
    if (file === null) return send(response, 404, HTML, NOT_FOUND_PAGE);
    const caching = file.immutable ? 'private, max-age=31536000, immutable' : 'no-store';
    return send(response, 200, file.type, file.body, { 'Cache-Control': caching });
  };

  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      options.log(`browser host: ${error instanceof Error ? error.stack : String(error)}`);
      response.destroy();
    });
  });
  server.on('clientError', (_, socket) => socket.destroy());
  const rpc = serveLoopbackWs({
    server,
    services: options.services,
    admit: (request) => fromOurHost(request) && fromOurOrigin(request) && sessions.isSession(request.headers.cookie),
    log: options.log,
  });

  return {
    port,
    newLink: () => `http://${ADDRESS}:${port}/enter?token=${sessions.newToken()}`,
    close: () =>
      new Promise((done) => {
        rpc.close();
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Another site may lead a person here by a link, and may do nothing else: no fetch, no script, no frame. */
function isOwnRequest(request: IncomingMessage, fromOurOrigin: (request: IncomingMessage) => boolean): boolean {
  const { headers } = request;
  if (headers.origin !== undefined && !fromOurOrigin(request)) return false;
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'none' || site === 'same-origin') return true;
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const what = error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${error.code})`;
      const hint = 'Choose another with --port N, or leave --port out to get a free one.';
      fail(new UserError('conflict', `Port ${port} ${what}. ${hint}`, 'port', { cause: error }));
    });
    server.listen({ port, host: ADDRESS, exclusive: true }, () => done((server.address() as AddressInfo).port));
  });
}
