import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PendingRow } from '../../shared/domain/approval.ts';
import type { ApprovalsRepository } from '../db/approvals.ts';
import { createChanges } from '../engine/changes.ts';
import { formatInstant } from '../policy/dates.ts';
import { createApprovals } from './approvals.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const YEAR = 365 * 86_400_000;

function row(lifeMs: number): PendingRow {
  return {
    token: '991b8239f3b34c9f',
    channel: 'telegram',
    sender_id: 'roberto',
    capability_class: 'mail:send',
    action_verb: 'invii',
    target_summary: 'riepilogo',
    created_at: formatInstant(Date.now()),
    expires_at: formatInstant(Date.now() + lifeMs),
    status: 'pending',
    decision_at: null,
    decision_by_channel: null,
    decision_by_sender: null,
    request_extra: null,
  };
}

/** A desk over one waiting row; counts how often the file was looked at. */
function deskOver(lifeMs: number) {
  const looked = vi.fn(() => [row(lifeMs)]);
  const stored = looked();
  looked.mockImplementation(() => stored);
  looked.mockClear();
  const repository = new Proxy({} as ApprovalsRepository, {
    get: (_, name) => (name === 'pending' ? looked : () => new Map()),
  });
  const approvals = createApprovals({
    repository,
    clock: () => Date.now(),
    changes: createChanges(),
    world: { home: '/home/me' } as never,
    recordGrant: () => {
      throw new Error('no grant is made here');
    },
    checkGrant: () => undefined,
    forbids: () => null,
    policyVersion: () => '1',
  });
  return { approvals, looked };
}

test('a card that waits for a year does not keep the engine busy', async () => {
  const { approvals, looked } = deskOver(YEAR);
  const end = new AbortController();
  const events = approvals.watch({}, end.signal)[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ pending: 1 });
  const waits = events.next();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looked.mock.calls.length).toBeLessThanOrEqual(2);
  end.abort();
  await waits;
  approvals.close();
});

test('a card that runs out is told of by itself', async () => {
  const { approvals } = deskOver(5000);
  const end = new AbortController();
  const events = approvals.watch({}, end.signal)[Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ pending: 1 });
  const next = events.next();
  await vi.advanceTimersByTimeAsync(5100);
  expect((await next).value).toMatchObject({ pending: 0, cards: [] });
  end.abort();
  approvals.close();
});
