import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Port, PortEvents } from '../../shared/rpc/bridge.ts';
import { engineError, installFakeRpc } from '../test/fake-rpc.ts';
import { bridgeSocket } from './bridge-socket.ts';
import { rpc } from './client.ts';
import { retryDelay, socketUrl, tellingSocket } from './connect.ts';
import { connectionLost, connectionOpened, useConnection } from './connection.store.ts';
import { useQuery, useSubscription } from './hooks.ts';
import { toProblem } from './problem.ts';

afterEach(cleanup);

test('every method of the contract can be called by its name', async () => {
  const fake = installFakeRpc({ 'grants.list': () => ({ grants: [], problem: null }) });
  expect(await rpc.grants.list({ all: true })).toEqual({ grants: [], problem: null });
  expect(fake.calls).toEqual([{ path: 'grants.list', input: { all: true } }]);
  expect(rpc.audit.live.path).toBe('audit.live');
});

test('a query is asked again after a reconnect and keeps its answer meanwhile', async () => {
  let version = '1';
  installFakeRpc({ 'app.info': () => ({ version }) });
  const { result } = renderHook(() => useQuery(rpc.app.info, {}));
  expect(result.current.loading).toBe(true);
  await waitFor(() => expect(result.current.data?.version).toBe('1'));
  version = '2';
  act(connectionLost);
  expect(result.current.data?.version).toBe('1');
  act(connectionOpened);
  await waitFor(() => expect(result.current.data?.version).toBe('2'));
});

test('a query whose input changed does not show the answer to the old one', async () => {
  installFakeRpc({ 'audit.raw': ({ seq }: { seq: number }) => ({ text: String(seq), problem: null }) });
  const { result, rerender } = renderHook(({ seq }) => useQuery(rpc.audit.raw, { seq }), { initialProps: { seq: 1 } });
  await waitFor(() => expect(result.current.data?.text).toBe('1'));
  rerender({ seq: 2 });
  expect(result.current.data).toBeUndefined();
  await waitFor(() => expect(result.current.data?.text).toBe('2'));
});

test('a failed query keeps the last answer beside the problem', async () => {
  let fail = false;
  installFakeRpc({
    'grants.list': () => {
      if (fail) throw engineError('locked', 'grants.db is locked', '/x/grants.db');
      return { grants: [], problem: null };
    },
  });
  const { result } = renderHook(() => useQuery(rpc.grants.list, {}));
  await waitFor(() => expect(result.current.data).toBeDefined());
  fail = true;
  act(() => result.current.refetch());
  await waitFor(() => expect(result.current.problem?.code).toBe('locked'));
  expect(result.current.data).toEqual({ grants: [], problem: null });
});

test('a subscription starts anew after a reconnect, from where it stands then', async () => {
  const fake = installFakeRpc({});
  let after = 1;
  const events: unknown[] = [];
  renderHook(() =>
    useSubscription(
      rpc.audit.live,
      () => ({ after }),
      (event) => events.push(event),
    ),
  );
  fake.emit('audit.live', 'one');
  after = 7;
  act(connectionLost);
  fake.emit('audit.live', 'while lost');
  act(connectionOpened);
  fake.emit('audit.live', 'two');
  expect(fake.inputsOf('audit.live')).toEqual([{ after: 1 }, { after: 7 }]);
  expect(events).toEqual(['one', 'two']);
});

test('a loss before the first success is still the start', () => {
  useConnection.setState({ state: 'connecting', epoch: 0 });
  connectionLost();
  expect(useConnection.getState().state).toBe('connecting');
});

test.each([
  [
    engineError('locked', 'grants.db is locked', 'grants.db'),
    { code: 'locked', subject: 'grants.db', message: 'grants.db is locked' },
  ],
  [engineError('internal', 'The engine failed'), { code: 'internal', subject: null, message: null }],
  [new Error('WebSocket closed'), { code: 'offline', subject: null, message: null }],
  [new TypeError('x is not a function'), { code: 'internal', subject: null, message: null }],
  ['odd', { code: 'internal', subject: null, message: null }],
])('%s is told as %j', (error, expected) => {
  expect(toProblem(error)).toEqual(expected);
});

test('tries again soon and then less often, never later than every 5 s', () => {
  const delays = [0, 1, 2, 3, 4, 5, 100].map(retryDelay);
  expect(delays).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test('a socket that is given up is a loss at once, an old one is not', () => {
  const close = vi.fn();
  class Base {
    close(...args: unknown[]) {
      close(...args);
    }
  }
  const Socket = tellingSocket(Base as unknown as typeof WebSocket);
  const old = new Socket('ws://x');
  const newest = new Socket('ws://x');
  useConnection.setState({ state: 'open', epoch: 1 });
  old.close();
  expect(useConnection.getState().state).toBe('open');
  newest.close(3000, 'no answer');
  expect(useConnection.getState().state).toBe('lost');
  expect(close).toHaveBeenLastCalledWith(3000, 'no answer');
});

test('the socket is at the page’s own place', () => {
  expect(socketUrl({ protocol: 'http:', host: '127.0.0.1:4000' })).toBe('ws://127.0.0.1:4000/trpc');
  expect(socketUrl({ protocol: 'https:', host: 'x' })).toBe('wss://x/trpc');
});

test('the bridge of the window looks like a socket', async () => {
  let events: PortEvents | undefined;
  const port: Port = { send: vi.fn(), close: vi.fn() };
  const Socket = bridgeSocket({
    host: 'electron',
    connect: (given) => {
      events = given;
      return port;
    },
  });
  const socket = new Socket('vaglio://ipc');
  const seen: string[] = [];
  socket.addEventListener('open', () => seen.push('open'));
  socket.addEventListener('message', (event) => seen.push(String(event.data)));
  socket.addEventListener('close', () => seen.push('close'));
  expect(socket.readyState).toBe(0);
  events?.open();
  await vi.waitFor(() => expect(socket.readyState).toBe(socket.OPEN));
  socket.send('to the engine');
  events?.message('from the engine');
  events?.close();
  socket.close();
  expect(seen).toEqual(['open', 'from the engine', 'close']);
  expect(port.send).toHaveBeenCalledWith('to the engine');
  expect(socket.readyState).toBe(3);
});
