import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTRPCClient, createTRPCUntypedClient, createWSClient, TRPCClientError, wsLink } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { portSocketClass } from '../../../shared/lib/port-socket.ts';
import { contract } from '../../../shared/rpc/all.ts';
import { IPC_CHANNELS } from '../../../shared/rpc/bridge.ts';
import type { Method } from '../../../shared/rpc/contract.ts';
import { createBridge } from '../../app/bridge.ts';
import { UserError } from '../../engine/errors.ts';
import type { Services } from '../../engine/services.ts';
import type { AppRouter } from '../router.ts';
import { sampleServices } from '../services.stand-in.ts';
import { serveElectronIpc } from './electron-ipc.ts';
import { ipcPair } from './ipc.stand-in.ts';
import { serveLoopbackWs } from './loopback-ws.ts';

const REQUEST = { channel: 'web', sender_id: 'anna', intent: 'x', executor: 'read_files', args: { path: '/tmp/x' } };
const INPUTS: Record<string, unknown> = {
  'app.setPreferences': { language: 'it' },
  'app.setRetention': { decisions_days: 90 },
  'approvals.list': { status: 'pending' },
  'approvals.resolve': { token: 't1', choice: { kind: 'similar', target: '~/notes/*', expires_at: null } },
  'approvals.checkSimilar': { token: 't1', target: '~/notes/*', expires_at: null },
  'approvals.unsilence': { id: 'x' },
  'audit.page': { limit: 50 },
  'audit.raw': { seq: 1 },
  'audit.stats': { range: '7d' },
  'audit.counts': { by: ['executor', 'day'] },
  'audit.acts': { limit: 2 },
  'audit.acknowledge': { ids: [1] },
  'agents.install': { client: 'codex', project: '/home/anna/work', dry_run: true },
  'agents.uninstall': { client: 'gemini' },
  'agents.probe': { client: 'claude-code' },
  'grants.preview': { channel: 'web', sender_id: 'anna', capability: 'fs:read', target: '~/\u202e/*' },
  'grants.record': { channel: 'web', sender_id: 'anna', capability: 'fs:read', target: '~/é "quoted" \u202e' },
  'grants.revoke': { ids: [1, 2] },
  'grants.restore': { id: 1 },
  'level.preview': { scope: { kind: 'default' }, to: 'Full' },
  'level.unfreeze': { confirmation: 'c' },
  'line.try': { request: REQUEST },
  'line.tryMany': { text: JSON.stringify(REQUEST), supposed: { level: 'Full' } },
  'line.decisions': { limit: 5 },
  'policy.calls': { level: 'Full', capability: 'fs:read', limit: 5 },
  'policy.compare': { scope: { kind: 'pairing', channel: 'web', sender_id: '\u202e' }, to: 'Full' },
  'turns.page': { limit: 2 },
  'turns.get': { key: 't1' },
  'turns.values': { key: 't1', index: 0 },
  'turns.raw': { key: 't1' },
  'turns.ofVerdict': { seq: 1, ts: 1.5, executor: 'read_files', intent: 'read' },
  'proposals.evaluate': { action: { kind: 'read_files', note: '\u202e' }, flow: 'reactive' },
  'proposals.list': { limit: 2 },
  'proposals.answer': { id: 1, answer: 'never' },
  'proposals.allowAgain': { fingerprint: 'f' },
  'proposals.calibration': { theta: 0.5 },
  'proposals.checkTelos': { text: '# x' },
  'proposals.saveTelos': { text: '# x', version: 'none' },
  'level.set': { scope: { kind: 'pairing', channel: 'web', sender_id: 'anna' }, to: 'ReadOnly' },
};
const methods = Object.entries(contract).flatMap(([domain, verbs]) =>
  Object.entries(verbs as Record<string, Method>).map(([verb, { kind }]) => ({
    domain,
    verb,
    kind,
    path: `${domain}.${verb}`,
  })),
);

const timers = {
  set: (run: () => void, ms: number) => setTimeout(run, ms),
  clear: (timer: unknown) => clearTimeout(timer as number),
};
const toSocketClass = (connect: Parameters<typeof portSocketClass>[0]) =>
  portSocketClass(connect, timers) as unknown as typeof globalThis.WebSocket;

interface Door {
  url: string;
  WebSocket: typeof globalThis.WebSocket;
  close(): void;
}

async function openWs(services: Services, log: (line: string) => void): Promise<Door> {
  const server = createServer();
  const rpc = serveLoopbackWs({ server, services, admit: () => true, log });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    rpc.close();
    server.close();
  };
  return { url: `ws://127.0.0.1:${port}/trpc`, WebSocket: WebSocket as unknown as Door['WebSocket'], close };
}

async function openIpc(services: Services, log: (line: string) => void): Promise<Door> {
  const { ipcMain, ipcRenderer } = ipcPair();
  const fromPanel = (url: string): boolean => url.startsWith('app://vaglio/');
  const close = serveElectronIpc({ ipcMain: ipcMain as never, services, fromPanel, log });
  return { url: 'vaglio://ipc', WebSocket: toSocketClass(createBridge(ipcRenderer as never).connect), close };
}

describe.each([
  ['the loopback WebSocket', openWs],
  ['Electron IPC', openIpc],
])('over %s', (_, open) => {
  const listening = { now: 0 };
  let services: Services;
  let log: ReturnType<typeof vi.fn<(line: string) => void>>;
  let door: Door;
  let socket: ReturnType<typeof createWSClient>;

  beforeEach(async () => {
    listening.now = 0;
    services = sampleServices(listening);
    log = vi.fn<(line: string) => void>();
    door = await open(services, log);
    socket = createWSClient({ url: door.url, WebSocket: door.WebSocket });
  });
  afterEach(async () => {
    await socket.close();
    door.close();
  });

  const typed = () => createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });

  test.each(methods.filter(({ kind }) => kind !== 'subscription'))(
    '$path answers as its service does',
    async (method) => {
      const client = createTRPCUntypedClient({ links: [wsLink({ client: socket })] });
      const input = INPUTS[method.path] ?? {};
      const service = (services as unknown as Record<string, Record<string, (input: unknown) => unknown>>)[
        method.domain
      ];
      const expected = await service?.[method.verb]?.(input);
      const answer = await (method.kind === 'query'
        ? client.query(method.path, input)
        : client.mutation(method.path, input));
      expect(expected).toBeDefined();
      expect(answer).toEqual(expected);
    },
  );

  test.each(methods.filter(({ kind }) => kind === 'subscription'))(
    '$path streams until the client stops',
    async ({ path }) => {
      const client = createTRPCUntypedClient({ links: [wsLink({ client: socket })] });
      let running: { unsubscribe(): void } | undefined;
      const event = await new Promise((onData, onError) => {
        running = client.subscription(path, {}, { onData, onError });
      });
      expect(event).toBeTypeOf('object');
      expect(listening.now).toBe(1);
      running?.unsubscribe();
      await vi.waitFor(() => expect(listening.now).toBe(0));
    },
  );

  test('a client that goes away ends its streams', async () => {
    await new Promise((onData, onError) => typed().audit.live.subscribe({}, { onData, onError }));
    expect(listening.now).toBe(1);
    await socket.close();
    await vi.waitFor(() => expect(listening.now).toBe(0));
  });

  test('an error for a person arrives with its code; a fault of ours only in our log', async () => {
    services.grants.restore = () => {
      throw new UserError('refused', 'Grant 1 expired.', 'expires_at');
    };
    services.app.health = () => {
      throw new Error('inside');
    };
    const refused = await typed()
      .grants.restore.mutate({ id: 1 })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TRPCClientError);
    expect(refused).toMatchObject({
      message: 'Grant 1 expired.',
      data: { userCode: 'refused', subject: 'expires_at' },
    });
    expect(log).not.toHaveBeenCalled();
    const failed = await typed()
      .app.health.query({})
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({ data: { userCode: 'internal' } });
    expect(JSON.stringify((failed as TRPCClientError<AppRouter>).shape)).not.toContain('inside');
    expect(log).toHaveBeenCalledWith(expect.stringContaining('app.health: Error: inside'));
  });
});

describe('who is let in over Electron IPC', () => {
  async function attempt(frame: Parameters<typeof ipcPair>[0]): Promise<string> {
    const { ipcMain, ipcRenderer, sender } = ipcPair(frame);
    const seen: string[] = [];
    for (const channel of Object.values(IPC_CHANNELS)) sender.toWindow.on(channel, () => seen.push(channel));
    serveElectronIpc({
      ipcMain: ipcMain as never,
      services: sampleServices(),
      fromPanel: (url) => url.startsWith('app://vaglio/'),
      log: () => undefined,
    });
    ipcRenderer.send(IPC_CHANNELS.open, 1);
    ipcRenderer.send(IPC_CHANNELS.toEngine, 1, '{"id":1,"method":"query","params":{"path":"app.health","input":{}}}');
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => setImmediate(done));
    return seen.join();
  }
  const panel = { url: 'app://vaglio/index.html', parent: null };

  test.each([
    ['another site', { url: 'https://evil.example/', parent: null }],
    ['a look-alike', { url: 'app://vaglio.evil/index.html', parent: null }],
    ['a file', { url: 'file:///tmp/x.html', parent: null }],
    ['a frame inside the panel', { url: 'app://vaglio/index.html', parent: panel }],
    ['a frame that is gone', null],
  ])('%s gets no answer', async (_, frame) => {
    expect(await attempt(frame)).toBe('');
  });

  test('the panel gets one', async () => {
    expect(await attempt(panel)).toBe(`${IPC_CHANNELS.opened},${IPC_CHANNELS.toWindow}`);
  });
});

test('a page that is left or crashes ends its connections; the next one starts its numbers again', async () => {
  const listening = { now: 0 };
  const { ipcMain, ipcRenderer, sender } = ipcPair();
  serveElectronIpc({
    ipcMain: ipcMain as never,
    services: sampleServices(listening),
    fromPanel: () => true,
    log: () => undefined,
  });
  for (const leave of [() => sender.navigate(), () => sender.emit('render-process-gone')]) {
    const socket = createWSClient({
      url: 'x',
      WebSocket: toSocketClass(createBridge(ipcRenderer as never).connect),
      retryDelayMs: () => 1e6,
    });
    const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket })] });
    await new Promise((onData, onError) => client.level.changed.subscribe({}, { onData, onError }));
    expect(listening.now).toBe(1);
    leave();
    await vi.waitFor(() => expect(listening.now).toBe(0));
  }
});

test('a socket that nobody opens gives up after 3 s', () => {
  vi.useFakeTimers();
  try {
    const close = vi.fn();
    const Socket = toSocketClass(() => ({ send: () => undefined, close }));
    const socket = new Socket('x');
    const seen: string[] = [];
    for (const type of ['open', 'error', 'close']) socket.addEventListener(type, () => seen.push(type));
    vi.advanceTimersByTime(2999);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['error', 'close']);
    expect(close).toHaveBeenCalledOnce();
    expect(() => socket.send('late')).toThrow('not open');
  } finally {
    vi.useRealTimers();
  }
});

test('a stream waits for a client that does not read', async () => {
  let sent = 0;
  const services = sampleServices();
  services.grants.changed = async function* () {
    for (; sent < 100_000; sent++) yield { version: sent, filler: 'x'.repeat(1000) } as { version: number };
  };
  const door = await openWs(services, () => undefined);
  const socket = new WebSocket(door.url);
  await new Promise((done) => socket.once('open', done));
  socket.pause();
  socket.send('{"id":1,"method":"subscription","params":{"path":"grants.changed","input":{}}}');
  let before = -1;
  await vi.waitFor(
    async () => {
      const now = sent;
      const isStill = now > 0 && now === before;
      before = now;
      expect(isStill).toBe(true);
    },
    { interval: 200, timeout: 60_000 },
  );
  expect(sent).toBeLessThan(100_000);
  socket.terminate();
  door.close();
});
