import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { useToasts } from '../../ui/toast.store.ts';
import { Toaster } from '../../ui/toast.tsx';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { NO_FILTER } from './grants.logic.ts';
import { GrantsView } from './grants-view.tsx';

function grant(id: number, more: Partial<GrantView> = {}): GrantView {
  return {
    id,
    channel: 'telegram',
    sender_id: 'roberto',
    capability: 'fs:read',
    target: `~/Documents/${id}/*`,
    granted_at: '2026-11-01T10:00:00Z',
    expires_at: null,
    granted_by: null,
    revoked_at: null,
    state: 'active',
    no_effect: null,
    expires_ms: null,
    granted_ms: 1_793_527_200_000 + id,
    bad_expiry: false,
    uses: 0,
    last_used_ms: null,
    revoked_reason: null,
    ...more,
  };
}

let stored: GrantView[] = [];

/** An engine in small: what is revoked leaves the list, what is restored is a new row. */
function engine(more: Handlers = {}) {
  return installFakeRpc({
    'grants.list': () => ({ grants: stored.filter((each) => each.state === 'active'), problem: null }),
    'grants.revoke': ({ ids }: { ids: number[] }) => ({
      results: ids.map((id) => {
        const before = stored.find((each) => each.id === id && each.state === 'active');
        stored = stored.map((each) => (each.id === id ? { ...each, state: 'revoked' as const } : each));
        return { id, changed: before !== undefined };
      }),
    }),
    'grants.restore': ({ id }: { id: number }) => {
      const old = stored.find((each) => each.id === id);
      const made = { ...grant(stored.length + 1), target: old?.target ?? '' };
      stored = [...stored, made];
      return made;
    },
    ...more,
  });
}

function open() {
  return render(
    <TooltipProvider>
      <GrantsView start={NO_FILTER} />
      <Toaster />
    </TooltipProvider>,
  );
}

const row = (target: string) => {
  const found = screen.getByText(target).closest('tr');
  if (!found) throw new Error(`no row for ${target}`);
  return within(found);
};

beforeEach(() => {
  stored = [grant(1), grant(2), grant(3)];
});
afterEach(() => {
  cleanup();
  useToasts.setState({ messages: [] });
  vi.useRealTimers();
});

test('one press revokes at once; Undo makes a new grant on the same terms', async () => {
  const fake = engine();
  open();
  await screen.findByText('~/Documents/2/*');
  fireEvent.click(row('~/Documents/2/*').getByRole('button', { name: /^Revoke/ }));
  await waitFor(() => expect(screen.queryByText('~/Documents/2/*')).toBeNull());
  expect(fake.inputsOf('grants.revoke')).toEqual([{ ids: [2] }]);

  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('~/Documents/2/*');
  expect(fake.inputsOf('grants.restore')).toEqual([{ id: 2 }]);
  expect(stored.find((each) => each.id === 2)?.state).toBe('revoked');
});

test('a selection by shift is revoked in one call and undone row by row', async () => {
  const fake = engine();
  open();
  await screen.findByText('~/Documents/3/*');
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select grant 3' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select grant 1' }), { shiftKey: true });
  fireEvent.click(screen.getByRole('button', { name: 'Revoke 3' }));
  await screen.findByText('No active grants');
  expect(fake.inputsOf('grants.revoke')).toEqual([{ ids: [3, 2, 1] }]);

  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('~/Documents/1/*');
  expect(fake.inputsOf('grants.restore')).toHaveLength(3);
});

test('what was revoked by somebody else meanwhile offers no Undo', async () => {
  engine({ 'grants.revoke': () => ({ results: [{ id: 1, changed: false }] }) });
  open();
  await screen.findByText('~/Documents/1/*');
  fireEvent.click(row('~/Documents/1/*').getByRole('button', { name: /^Revoke/ }));
  await screen.findByText(/Already revoked/);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('a revocation that failed says so, and the grant is still shown', async () => {
  engine({
    'grants.revoke': () => {
      throw engineError('locked', '/home/u/grants.db is in use by another program.', '/home/u/grants.db');
    },
  });
  open();
  await screen.findByText('~/Documents/1/*');
  fireEvent.click(row('~/Documents/1/*').getByRole('button', { name: /^Revoke/ }));
  await screen.findByText('Not revoked. The grant is still active.');
  expect(screen.getByText('/home/u/grants.db is in use by another program.')).toBeDefined();
  expect(screen.getByText('~/Documents/1/*')).toBeDefined();
});

test('a tick of the engine lists again', async () => {
  const fake = engine();
  open();
  await screen.findByText('~/Documents/1/*');
  stored = stored.filter((each) => each.id !== 1);
  act(() => fake.emit('grants.changed', { version: 2 }));
  await waitFor(() => expect(screen.queryByText('~/Documents/1/*')).toBeNull());
});

test('a grant that runs out leaves the list by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  stored = [grant(1), grant(2, { expires_ms: Date.now() + 60_000 })];
  const fake = engine();
  open();
  await screen.findByText('~/Documents/2/*');
  const listed = fake.inputsOf('grants.list').length;
  act(() => vi.advanceTimersByTime(60_001));
  await waitFor(() => expect(screen.queryByText('~/Documents/2/*')).toBeNull());
  expect(screen.getByText('~/Documents/1/*')).toBeDefined();
  expect(fake.inputsOf('grants.list')).toHaveLength(listed);
});

test('each row says how often it was used and when; what is not known is not called never', async () => {
  stored = [
    grant(1, { uses: 1234, last_used_ms: Date.now() - 7_200_000 }),
    grant(2),
    grant(3, { uses: null, last_used_ms: null }),
  ];
  engine();
  open();
  await screen.findByText('~/Documents/1/*');
  const cells = (id: number) =>
    row(`~/Documents/${id}/*`)
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  expect(cells(1)).toEqual(expect.arrayContaining(['2 hours ago', '1,234']));
  expect(cells(2)).toEqual(expect.arrayContaining(['never', '0']));
  expect(cells(3).filter((text) => text === 'not known')).toHaveLength(2);
});

test('grants unused for long are suggested, and revoked with that reason only when asked', async () => {
  const unused = [grant(2), grant(3)];
  const fake = engine({
    'grants.stale': () => ({
      after_days: 90,
      grants: unused.map((each) => ({ grant: each, unused_since_ms: Date.now() - 8_640_000_000 })),
      problem: null,
    }),
  });
  open();
  const suggestion = await screen.findByRole('region', { name: /^2 grants were not used through Vaglio for 90 days/ });
  expect(within(suggestion).queryByRole('button', { name: /^Revoke/ })).toBeNull();
  fireEvent.click(within(suggestion).getByRole('button', { name: 'Show them' }));
  fireEvent.click(within(suggestion).getByRole('button', { name: 'Revoke grant 2: fs:read ~/Documents/2/*' }));
  await waitFor(() => expect(fake.inputsOf('grants.revoke')).toEqual([{ ids: [2], reason: 'stale' }]));
  fireEvent.click(within(suggestion).getByRole('button', { name: 'Revoke all 2' }));
  await waitFor(() => expect(fake.inputsOf('grants.revoke').at(-1)).toEqual({ ids: [2, 3], reason: 'stale' }));
});

test('nothing is suggested where every grant was used', async () => {
  const fake = engine({ 'grants.stale': () => ({ after_days: 90, grants: [], problem: null }) });
  open();
  await screen.findByText('~/Documents/1/*');
  await waitFor(() => expect(fake.inputsOf('grants.stale').length).toBeGreaterThan(0));
  expect(screen.queryByText(/not used through Vaglio/)).toBeNull();
});

test('a row without effect is shown, marked, with the reason', async () => {
  stored = [grant(10, { capability: 'mail:send', target: 'anna@example.com', no_effect: 'always' })];
  engine();
  open();
  await screen.findByText('anna@example.com');
  expect(row('anna@example.com').getByText('No effect')).toBeDefined();
  expect(row('anna@example.com').getByText('Asks every time; no grant lifts that.')).toBeDefined();
});

test('an expiry that is no date is shown as it stands in the file', async () => {
  stored = [grant(1, { bad_expiry: true, expires_at: 'next\u202esummer', state: 'expired' })];
  installFakeRpc({ 'grants.list': () => ({ grants: stored, problem: null }) });
  render(
    <TooltipProvider>
      <GrantsView start={{ ...NO_FILTER, all: true }} />
    </TooltipProvider>,
  );
  await screen.findByText('Unreadable expiry');
  expect(screen.getByText(/“next⟨RLO⟩summer” is no date/)).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Revoke/ })).toBeNull();
});

test('a file that cannot be read is named, and no empty list is claimed', async () => {
  installFakeRpc({
    'grants.list': () => ({ grants: [], problem: '/home/u/grants.db is damaged. Restore it from a backup.' }),
  });
  open();
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByText(/\/home\/u\/grants\.db is damaged/)).toBeDefined();
  expect(screen.queryByText('No active grants')).toBeNull();
  expect(screen.queryByText(/^0 active/)).toBeNull();
});

test('J and K go from row to row and X ticks', async () => {
  engine();
  open();
  await screen.findByText('~/Documents/3/*');
  const box = (id: number) => screen.getByRole('checkbox', { name: `Select grant ${id}` });
  box(3).focus();
  fireEvent.keyDown(box(3), { key: 'j' });
  expect(document.activeElement).toBe(box(2));
  fireEvent.keyDown(box(2), { key: 'x' });
  expect(box(2).getAttribute('aria-checked')).toBe('true');
  fireEvent.keyDown(box(2), { key: 'k' });
  expect(document.activeElement).toBe(box(3));
});

test('a grant that another one contains is suggested, and revoking it leaves the wider one', async () => {
  stored = [grant(1, { target: '~/notes/a/*' }), grant(2, { target: '~/notes/**' })];
  const capabilities = [{ name: 'fs:read', target_kind: 'path_glob' }];
  const fake = engine({ 'policy.matrix': () => ({ capabilities }) });
  open();
  const suggestion = await screen.findByRole('region', { name: '1 grant is contained in another' });
  fireEvent.click(within(suggestion).getByRole('button', { name: 'Show them' }));
  expect(suggestion.textContent).toContain('in grant 2, ~/notes/**');
  fireEvent.click(within(suggestion).getByRole('button', { name: /^Revoke/ }));
  await waitFor(() => expect(fake.inputsOf('grants.revoke')).toEqual([{ ids: [1] }]));
  await waitFor(() => expect(screen.queryByRole('region', { name: /contained/ })).toBeNull());
});
