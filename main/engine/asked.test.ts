import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { DecideRequest } from '../../shared/domain/decision.ts';
import { LineHome } from './line-home.fixture.ts';

const at = new LineHome();
const code = (expected: string) => expect.objectContaining({ code: expected });
/** What a service throws, be it at once or later. */
const failing = async (work: () => unknown): Promise<unknown> => work();

describe('asked, while the caller waits', () => {
  const waiting = (more: Partial<DecideRequest> = {}, signal?: AbortSignal) =>
    at.decide({ wait_s: 600, ...more }, signal);

  test('approved once: it may run, and no grant was made', async () => {
    const answer = waiting();
    const token = await at.cardOpen();
    expect(await at.approvals.resolve({ token, choice: { kind: 'once' } })).toMatchObject({
      card: { status: 'approved', decided_by: { channel: 'panel', sender_id: 'operator' } },
      grant: null,
    });
    expect(await answer).toMatchObject({ decision: 'approved', decided_by: 'person', rule: 'approval:person' });
    expect(await at.grants()).toEqual([]);
    expect(await at.decide()).toMatchObject({ decision: 'approval_required' });
  });

  test('rejected, and not asked again in this session', async () => {
    const answer = waiting();
    await at.approvals.resolve({ token: await at.cardOpen(), choice: { kind: 'no-session' } });
    expect(await answer).toMatchObject({ decision: 'rejected', refusal: { instead: expect.any(String) } });
    expect(await waiting({ args: { path: '~/notes/b.txt' } })).toMatchObject({
      decision: 'rejected',
      rule: 'approval:session',
    });
    expect(await at.decide({ args: { path: '~/other/b.txt' } })).toMatchObject({ decision: 'approval_required' });
    const { silences } = await at.approvals.silenced({});
    expect(silences).toMatchObject([{ target: '~/notes/*', rejected: 1 }]);
    await at.approvals.unsilence({ id: silences[0]?.id ?? '' });
    expect(await at.decide({ args: { path: '~/notes/b.txt' } })).toMatchObject({ decision: 'approval_required' });
  });

  test('expired when nobody decides', async () => {
    const answer = waiting();
    const token = await at.cardOpen();
    at.now += 10 * 60_000;
    expect(
      await failing(() => at.approvals.resolve({ token, choice: { kind: 'once' } })).catch((error) => error),
    ).toEqual(code('refused'));
    expect(await answer).toMatchObject({ decision: 'expired', decided_by: 'timeout' });
    expect(await at.history()).toMatchObject([{ status: 'expired', args_text: null }]);
  });

  test('withdrawn when the caller leaves, and never reported as approved', async () => {
    const caller = new AbortController();
    const answer = waiting({}, caller.signal);
    const token = await at.cardOpen();
    caller.abort();
    expect(await answer).toMatchObject({ decision: 'withdrawn', decided_by: 'caller' });
    expect(await at.history()).toMatchObject([{ token, status: 'withdrawn' }]);
    expect(
      await failing(() => at.approvals.resolve({ token, choice: { kind: 'once' } })).catch((error) => error),
    ).toEqual(code('conflict'));
  });

  test('an approval that comes together with the caller leaving serves nobody', async () => {
    const caller = new AbortController();
    const answer = waiting({}, caller.signal);
    const token = await at.cardOpen();
    caller.abort();
    await failing(() => at.approvals.resolve({ token, choice: { kind: 'once' } })).catch(() => undefined);
    expect(await answer).toMatchObject({ decision: 'withdrawn' });
    expect((await at.engine.line.await(token)).decision).not.toBe('approved');
  });

  test('cancelled by its request id', async () => {
    const answer = waiting({ request_id: 'r1' });
    await at.cardOpen();
    expect(at.engine.line.inFlight()).toMatchObject([{ executor: 'read_files', capability: 'fs:read' }]);
    expect(at.engine.line.cancel('r1')).toBe(true);
    expect(await answer).toMatchObject({ decision: 'withdrawn' });
    expect(at.engine.line.cancel('r1')).toBe(false);
    expect(at.engine.line.inFlight()).toEqual([]);
  });

  test('approved, but the level was lowered meanwhile', async () => {
    const answer = waiting({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    const token = await at.cardOpen();
    await at.toLevel('ReadOnly');
    expect(
      await failing(() => at.approvals.resolve({ token, choice: { kind: 'once' } })).catch((error) => error),
    ).toMatchObject({
      code: 'refused',
      message: expect.stringContaining('fs:write is denied at ReadOnly'),
    });
    await at.approvals.resolve({ token, choice: { kind: 'no' } });
    expect(await answer).toMatchObject({ decision: 'rejected' });
  });

  test('approved, but the file is another one now: asks again', async () => {
    const path = at.write('~/notes/a.txt', 'as it was shown');
    const answer = waiting();
    const first = await at.cardOpen();
    expect((await at.cards())[0]).toMatchObject({ bytes: 15 });
    writeFileSync(path, 'something else');
    await at.approvals.resolve({ token: first, choice: { kind: 'once' } });
    const second = await at.cardOpen();
    expect(second).not.toBe(first);
    await at.approvals.resolve({ token: second, choice: { kind: 'once' } });
    expect(await answer).toMatchObject({ decision: 'approved' });
  });

  test('denied with the reason when the engine stops, and the card stays', async () => {
    const answer = waiting();
    const token = await at.cardOpen();
    await at.restart();
    expect(await answer).toMatchObject({ decision: 'denied', reason: expect.stringContaining('stopping') });
    expect(await at.cards()).toMatchObject([{ token, status: 'pending', waiting: false }]);
    expect(await at.decisions()).toMatchObject([{ decision: 'denied', decided_by: 'error', approval_token: token }]);
  });

  test('freeze denies what is denied at ReadOnly and lets the rest wait', async () => {
    const writing = waiting({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    await at.cardOpen();
    const reading = waiting();
    while ((await at.cards()).filter((card) => card.waiting).length < 2)
      await new Promise((resolve) => setTimeout(resolve, 5));
    const { frozen } = await at.level.freeze({});
    expect(await writing).toMatchObject({ decision: 'denied', rule: 'policy:frozen' });
    expect(frozen?.requests.map(({ capability, fate }) => [capability, fate])).toEqual([
      ['fs:write', 'denied'],
      ['fs:read', 'still-asks'],
    ]);
    expect(await at.decide({ executor: 'write_files', args: { path: '~/a', content: '' } })).toMatchObject({
      decision: 'denied',
      rule: 'policy:frozen',
      reason: expect.stringContaining('frozen'),
    });
    await at.approvals.resolve({ token: (await at.cards())[0]?.token ?? '', choice: { kind: 'once' } });
    expect(await reading).toMatchObject({ decision: 'approved' });
  });
});

describe('asked, and the caller comes back for it', () => {
  test('an approval is given once', async () => {
    const { approval } = await at.decide();
    const token = approval?.token ?? '';
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'approval_required', approval: { token } });
    await at.approvals.resolve({ token, choice: { kind: 'once' } });
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'approved' });
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'denied', rule: 'approval:used' });
  });

  test('the guard and the level are asked again', async () => {
    const { approval } = await at.decide({ executor: 'write_files', args: { path: '~/notes/a.txt', content: 'x' } });
    const token = approval?.token ?? '';
    await at.approvals.resolve({ token, choice: { kind: 'once' } });
    await at.toLevel('ReadOnly');
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'denied', rule: 'policy:level' });
  });

  test('also after the engine was started anew', async () => {
    const { approval } = await at.decide();
    const token = approval?.token ?? '';
    await at.approvals.resolve({ token, choice: { kind: 'once' } });
    await at.restart();
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'approved', capability: 'fs:read' });
  });

  test('an unknown token is denied', async () => {
    expect(await at.engine.line.await('0'.repeat(32))).toMatchObject({ decision: 'denied', rule: 'approval:unknown' });
  });

  test('leaving the wait leaves the card', async () => {
    const { approval } = await at.decide();
    const token = approval?.token ?? '';
    const caller = new AbortController();
    const answer = at.engine.line.await(token, { wait_s: 60, signal: caller.signal });
    await at.cardOpen();
    caller.abort();
    expect(await answer).toMatchObject({ decision: 'approval_required' });
    expect(await at.cards()).toHaveLength(1);
    expect(at.engine.line.cancel(token)).toBe(true);
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'withdrawn' });
  });
});

describe('this and similar', () => {
  const invoice = { executor: 'write_files', args: { path: '~/Documents/fatture-2026/04-Acme.pdf', content: 'x' } };
  const similar = (target: string, expires_at: string | null = null) => ({
    kind: 'similar' as const,
    target,
    expires_at,
  });

  test('proposes the files beside it; edited and bound in time, the next one passes without a card', async () => {
    const { approval } = await at.decide(invoice);
    const [card] = await at.cards();
    expect(card?.similar).toEqual({ capability: 'fs:write', target: '~/Documents/fatture-2026/*' });
    const token = approval?.token ?? '';
    const { grant } = await at.approvals.resolve({
      token,
      choice: similar('~/Documents/fatture-2026/*.pdf', '2027-01-30T00:00:00Z'),
    });
    expect(grant).toMatchObject({ target: '~/Documents/fatture-2026/*.pdf', expires_at: '2027-01-30T00:00:00Z' });
    expect(await at.engine.line.await(token)).toMatchObject({ decision: 'approved' });
    const next = { ...invoice, args: { path: '~/Documents/fatture-2026/05-Beta.pdf', content: 'x' } };
    expect(await at.decide(next)).toMatchObject({ decision: 'allowed', grant_id: grant?.id });
    at.now = Date.UTC(2027, 0, 30);
    expect(await at.decide(next)).toMatchObject({ decision: 'approval_required' });
  });

  test.each([
    ['that does not cover this very target', '~/Documents/altro/*', 'refused'],
    ['that reaches a forbidden path', '~/**/.ssh/*', 'refused'],
    ['as wide as the home folder', '~/**', 'confirmation-needed'],
    ['that is no path', 'Documents/*', 'bad-input'],
  ])('a pattern %s is refused, and nothing changes', async (_, target, expected) => {
    const { approval } = await at.decide(invoice);
    const token = approval?.token ?? '';
    const check = await at.approvals.checkSimilar({ token, target, expires_at: null });
    expect(check).toMatchObject({ ok: false, needs_confirmation: expected === 'confirmation-needed' });
    await expect(failing(() => at.approvals.resolve({ token, choice: similar(target) }))).rejects.toEqual(
      code(expected),
    );
    expect(await at.cards()).toHaveLength(1);
    expect(await at.grants()).toEqual([]);
  });

  test('is never offered for what always asks', async () => {
    const mail = { executor: 'send_messages', args: { to: 'nonna@example.com', subject: 'foto', body: '...' } };
    const { approval, capability } = await at.decide(mail);
    expect(capability).toBe('mail:send');
    expect((await at.cards())[0]?.similar).toBeNull();
    const choice = similar('nonna@example.com');
    await expect(failing(() => at.approvals.resolve({ token: approval?.token ?? '', choice }))).rejects.toEqual(
      code('refused'),
    );
    expect(await at.grants()).toEqual([]);
  });
});
