import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape } from '@trpc/server';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { contract } from '../../shared/rpc/all.ts';
import type { Method } from '../../shared/rpc/contract.ts';
import { UserError } from '../engine/errors.ts';
import { openStream } from './open-stream.stand-in.ts';
import { query, type RpcContext, router } from './procedures.ts';
import { appRouter } from './router.ts';
import { sampleServices } from './services.stand-in.ts';

const entries = Object.entries(contract).flatMap(([domain, verbs]) =>
  Object.entries(verbs as Record<string, Method>).map(([verb, entry]) => ({ path: `${domain}.${verb}`, entry })),
);

function context(scope: RpcContext['scope'], services = sampleServices()): RpcContext {
  return { scope, services, room: () => Promise.resolve() };
}

async function call(path: string, input: unknown, ctx: RpcContext, type: Method['kind'] = 'query') {
  const signal = new AbortController().signal;
  return callTRPCProcedure({
    router: appRouter,
    path,
    type,
    ctx,
    signal,
    batchIndex: 0,
    getRawInput: async () => input,
  });
}

async function failure(run: () => Promise<unknown>) {
  const error = await run().then(
    () => expect.unreachable('the call went through'),
    (cause: unknown) => getTRPCErrorFromUnknown(cause),
  );
  const shape = getTRPCErrorShape({
    config: appRouter._def._config,
    error,
    type: 'query',
    path: 'x',
    input: null,
    ctx: undefined,
  });
  return { message: shape.message, ...shape.data };
}

test('every method of the contract has a procedure of its kind and scope, and there is no other', () => {
  const procedures = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: string; meta?: { scope?: string } } }
  >;
  expect(Object.keys(procedures).sort()).toEqual(entries.map(({ path }) => path).sort());
  for (const { path, entry } of entries) {
    expect(procedures[path]?._def, path).toMatchObject({ type: entry.kind, meta: { scope: entry.scope } });
    expect(['operator', 'agent'], path).toContain(entry.scope);
  }
});

test.each(entries.filter(({ entry }) => entry.scope === 'operator'))(
  'the agent door cannot call $path, whatever the input',
  async ({ path, entry }) => {
    const error = await failure(() => call(path, Symbol('not even looked at'), context('agent'), entry.kind));
    expect(error).toMatchObject({ code: 'FORBIDDEN', userCode: 'refused', subject: path });
  },
);

test('a procedure without a scope is closed to everybody', async () => {
  const procedure = query({ ...contract.app.health, scope: undefined as never }, () => ({ resources: [] }));
  const bare = router({ bare: procedure });
  const run = () =>
    callTRPCProcedure({
      router: bare,
      path: 'bare',
      type: 'query',
      ctx: context('operator'),
      signal: undefined,
      batchIndex: 0,
      getRawInput: async () => ({}),
    });
  expect(await failure(run)).toMatchObject({ userCode: 'refused' });
});

test('input that does not fit is named by its field and never reaches the service', async () => {
  const services = sampleServices();
  const revoke = vi.spyOn(services.grants, 'revoke');
  const error = await failure(() => call('grants.revoke', { ids: ['1'] }, context('operator', services), 'mutation'));
  expect(error).toMatchObject({ code: 'BAD_REQUEST', userCode: 'bad-input', subject: 'ids.0' });
  expect(revoke).not.toHaveBeenCalled();
});

test('an error for a person arrives with its code and subject', async () => {
  const services = sampleServices();
  services.grants.record = () => {
    throw new UserError('bad-input', 'expires_at lies in the past.', 'expires_at');
  };
  const input = { channel: 'c', sender_id: 's', capability: 'fs:read', target: '~/x' };
  const error = await failure(() => call('grants.record', input, context('operator', services), 'mutation'));
  expect(error).toMatchObject({
    message: 'expires_at lies in the past.',
    userCode: 'bad-input',
    subject: 'expires_at',
    code: 'BAD_REQUEST',
  });
  expect(error).not.toHaveProperty('stack');
});

test.each([
  ['throws something unforeseen', () => Promise.reject(new Error('secret /home/anna/x'))],
  ['answers what does not fit the output schema', () => Promise.resolve({ text: 7 } as never)],
])('a service that %s is shown without its inside', async (_, raw) => {
  const services = sampleServices();
  services.audit.raw = raw;
  const error = await failure(() => call('audit.raw', { seq: 1 }, context('operator', services)));
  expect(error).toMatchObject({ userCode: 'internal', subject: null, code: 'INTERNAL_SERVER_ERROR' });
  expect(JSON.stringify(error)).not.toContain('secret');
});

test('an unknown method is not found, and names of the prototype are unknown methods', async () => {
  for (const path of ['grants.grantAll', 'constructor', '__proto__.x', 'grants', 'grants.__proto__']) {
    expect(await failure(() => call(path, {}, context('operator'))), path).toMatchObject({ userCode: 'not-found' });
  }
});

test('a stream waits for room, checks each event, and ends with its signal', async () => {
  const listening = { now: 0 };
  const services = sampleServices(listening);
  const events = [{ version: 1 }, { version: 2 }, { version: 'three' } as never];
  services.grants.changed = (_, signal) => openStream<{ version: number }>(listening)(events, signal);
  const room = vi.fn(() => Promise.resolve());
  const stream = (await call(
    'grants.changed',
    {},
    { scope: 'operator', services, room },
    'subscription',
  )) as AsyncIterable<unknown>;
  const seen: unknown[] = [];
  const error = await failure(async () => {
    for await (const event of stream) seen.push(event);
  });
  expect(seen).toEqual([{ version: 1 }, { version: 2 }]);
  expect(room).toHaveBeenCalledTimes(2);
  expect(error).toMatchObject({ userCode: 'internal' });
  expect(listening.now).toBe(0);
});

test('whatever is sent, the agent door reaches no service and nobody gets the inside of a fault', async () => {
  const services = sampleServices();
  const reached = vi.fn();
  const watched = Object.fromEntries(
    Object.entries(services).map(([domain, verbs]) => [
      domain,
      new Proxy(verbs, {
        get: (target, verb, receiver) => {
          reached();
          return Reflect.get(target, verb, receiver);
        },
      }),
    ]),
  ) as unknown as RpcContext['services'];
  const paths = fc.oneof(fc.constantFrom(...entries.map(({ path }) => path)), fc.string());
  const kinds = fc.constantFrom('query', 'mutation', 'subscription');
  await fc.assert(
    fc.asyncProperty(paths, kinds, fc.anything(), async (path, kind, input) => {
      const error = await failure(() => call(path, input, context('agent', watched), kind));
      expect(['refused', 'not-found', 'bad-input']).toContain(error.userCode);
      const answer = await call(path, input, context('operator', services), kind).then(
        () => null,
        (cause: unknown) => failure(() => Promise.reject(cause)),
      );
      expect(['bad-input', 'not-found', undefined]).toContain(answer?.userCode);
    }),
    { numRuns: 500 },
  );
  expect(reached).not.toHaveBeenCalled();
});
