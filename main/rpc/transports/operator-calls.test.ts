import { expect, test, vi } from 'vitest';
import { UserError } from '../../engine/errors.ts';
import { sampleServices } from '../services.stand-in.ts';
import { createOperatorCalls } from './operator-calls.ts';

function setUp() {
  const services = sampleServices();
  const log = vi.fn();
  return { services, log, call: createOperatorCalls({ services, log }) };
}

test('a query and a mutation reach their service and answer as the contract says', async () => {
  const { call } = setUp();
  expect(await call({ method: 'app.info', kind: 'query', input: {} })).toMatchObject({
    ok: true,
    value: { version: '0.0.0' },
  });
  expect(await call({ method: 'grants.revoke', kind: 'mutation', input: { ids: [1, 2] } })).toEqual({
    ok: true,
    value: {
      results: [
        { id: 1, changed: true },
        { id: 2, changed: false },
      ],
    },
  });
});

test.each([
  ['no call', 7, 'bad-input'],
  ['no method', { kind: 'query', input: {} }, 'bad-input'],
  ['an unknown method', { method: 'grants.all', kind: 'query', input: {} }, 'not-found'],
  ['a stream', { method: 'grants.changed', kind: 'query', input: {} }, 'not-found'],
  ['a change asked for as a query', { method: 'grants.revoke', kind: 'query', input: { ids: [1] } }, 'not-found'],
  ['input that does not fit', { method: 'grants.revoke', kind: 'mutation', input: { ids: ['1'] } }, 'bad-input'],
])('%s is an error with its code, and changes nothing', async (_, request, userCode) => {
  const { call, services } = setUp();
  const revoke = vi.spyOn(services.grants, 'revoke');
  expect(await call(request)).toMatchObject({ ok: false, error: { userCode } });
  expect(revoke).not.toHaveBeenCalled();
});

test('an error for a person arrives with its code, a fault of ours without its inside', async () => {
  const { call, services, log } = setUp();
  services.grants.list = () => {
    throw new UserError('locked', 'grants.db is locked.', 'grants.db');
  };
  services.app.info = () => {
    throw new Error('secret');
  };
  expect(await call({ method: 'grants.list', kind: 'query', input: {} })).toEqual({
    ok: false,
    error: { message: 'grants.db is locked.', userCode: 'locked', subject: 'grants.db' },
  });
  const answer = await call({ method: 'app.info', kind: 'query', input: {} });
  expect(answer).toMatchObject({ ok: false, error: { userCode: 'internal' } });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(log.mock.calls.join()).toContain('secret');
});
