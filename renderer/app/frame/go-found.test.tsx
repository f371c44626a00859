import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { i18n } from '../i18n/i18n.ts';
import { GoDialog } from './go-dialog.tsx';

afterEach(async () => {
  cleanup();
  await act(() => i18n.changeLanguage('en'));
});

const grant = (id: number, more: Partial<GrantView> = {}): GrantView => ({
  id,
  channel: 'telegram',
  sender_id: 'anna',
  capability: 'fs:read',
  target: `~/notes/${id}/*`,
  granted_at: '2026-11-01T00:00:00Z',
  expires_at: null,
  granted_by: null,
  revoked_at: null,
  state: 'active',
  no_effect: null,
  expires_ms: null,
  granted_ms: 1,
  bad_expiry: false,
  uses: null,
  last_used_ms: null,
  revoked_reason: null,
  ...more,
});
const index = { phase: 'following', problem: null, detail: null };
const turnsState = { phase: 'following', problem: null, detail: null, line_problem: null };
const stats = (names: readonly string[], more: object = {}) => ({
  by_executor: names.map((executor) => ({ executor, total: 3 })),
  index: { ...index, ...more },
});
const turn = (key: string, intent: string) => ({ key, intent, sender: 'anna', channel: 'telegram' });
const turns = (rows: readonly object[], more: object = {}, isMore = false) => ({
  rows,
  more: isMore,
  state: { ...turnsState, ...more },
});
const nothing: Handlers = {
  'grants.list': () => ({ grants: [], problem: null }),
  'audit.stats': () => stats([]),
  'turns.page': () => turns([]),
};

async function show(handlers: Handlers) {
  const fake = installFakeRpc({ ...nothing, ...handlers });
  const root = createRootRoute({});
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <GoDialog open onClose={() => {}} />,
  });
  const others = ['/grants', '/audit', '/turns'].map((path) =>
    createRoute({ getParentRoute: () => root, path, component: () => null }),
  );
  const router = createRouter({ routeTree: root.addChildren([page, ...others]), history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  const field = await screen.findByRole('combobox');
  return { fake, router, field, type: (value: string) => fireEvent.change(field, { target: { value } }) };
}

const said = () => screen.queryAllByRole('option').map((each) => each.textContent);

test('a grant is found by target, sender and capability, and leads to itself', async () => {
  const mail = grant(2, { capability: 'mail:send', target: 'roberto@example.com', channel: 'cli' });
  const { type, field, router } = await show({
    'grants.list': () => ({ grants: [grant(1), mail], problem: null }),
  });
  type('anna mail:send');
  await waitFor(() => expect(said()).toEqual(['roberto@example.com  mail:send · anna / cli']));
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/grants'));
  expect(router.state.location.search).toEqual({
    channel: 'cli',
    sender: 'anna',
    capability: 'mail:send',
    text: 'roberto@example.com',
  });
});

test('an executor leads to its rows in the audit', async () => {
  const { type, field, router } = await show({ 'audit.stats': () => stats(['read_files', 'shell_exec']) });
  type('shell');
  await waitFor(() => expect(said()).toEqual(['shell_exec  3 verdicts']));
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/audit'));
  expect(router.state.location.search).toEqual({ executor: 'shell_exec' });
});

test('a turn is found by its intent and is opened', async () => {
  const { type, field, router, fake } = await show({ 'turns.page': () => turns([turn('log/7', 'pay the rent')]) });
  type('rent');
  await waitFor(() => expect(said()).toEqual(['pay the rent  anna · telegram']));
  expect(fake.inputsOf('turns.page')).toEqual([{ filter: { text: 'rent' }, limit: 5 }]);
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/turns'));
  expect(router.state.location.search).toEqual({ turn: 'log/7' });
});

test('of very many only some are drawn, and the rest is one step away', async () => {
  const many = Array.from({ length: 5000 }, (_, n) => grant(n));
  const { type, field, router, fake } = await show({
    'grants.list': () => ({ grants: many, problem: null }),
    'audit.stats': () => stats(Array.from({ length: 900 }, (_, n) => `notes_${n}`)),
    'turns.page': () => turns([turn('a', 'my notes')], {}, true),
  });
  type('note');
  type('notes');
  await waitFor(() => expect(said()).toHaveLength(5 + 1 + 5 + 1 + 1));
  expect(screen.getByRole('status').textContent).toBe('895 more executors: type more of the name.');
  expect(fake.inputsOf('grants.list')).toHaveLength(1);
  for (let step = 0; step < 5; step++) fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('All 5000 grants that match');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.search).toEqual({ text: 'notes' }));
});

test('nothing is asked for before a letter is typed', async () => {
  const { fake } = await show({});
  expect(said().length).toBeGreaterThan(9);
  expect(fake.calls).toEqual([]);
});

test('what fails says so in the list, and Enter looks again there', async () => {
  let fails = true;
  const { type, field } = await show({
    'grants.list': () =>
      fails ? { grants: [], problem: 'grants.db is locked' } : { grants: [grant(1)], problem: null },
    'audit.stats': () => {
      throw engineError('unreadable', 'no index');
    },
    'turns.page': () => turns([], { problem: 'unreadable', detail: 'the folder may not be read' }),
  });
  type('anna');
  await waitFor(() =>
    expect(said()).toEqual([
      'The grants cannot be read. grants.db is lockedLook again',
      'Executors were not searched: The file cannot be readLook again',
      'Not all turns can be read. the folder may not be readLook again',
    ]),
  );
  fails = false;
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(said()[0]).toBe('~/notes/1/*  fs:read · anna / telegram'));
});

test('while a log is still being read it says that there may be more', async () => {
  const { type } = await show({
    'audit.stats': () => stats([], { phase: 'indexing' }),
    'turns.page': () => turns([], { phase: 'reading' }),
  });
  type('zzz');
  await waitFor(() =>
    expect(said()).toEqual([
      'The verdict log is still being read: there may be more.Look again',
      'The turns are still being read: there may be more.Look again',
    ]),
  );
});

test('what was found for other letters is not offered for these', async () => {
  const { type } = await show({
    'turns.page': ({ filter }: { filter: { text: string } }) =>
      filter.text === 'rent' ? turns([turn('a', 'pay the rent')]) : new Promise(() => {}),
  });
  type('rent');
  await waitFor(() => expect(said()).toEqual(['pay the rent  anna · telegram']));
  type('rented');
  expect(said()).toEqual([]);
  expect(screen.getByRole('status').textContent).toContain('Looking through the turns…');
});

test('texts from outside stay text, and hidden characters show', async () => {
  const { type } = await show({ 'turns.page': () => turns([turn('a', '<b>pay</b> \u202Ethe rent')]) });
  type('rent');
  await waitFor(() => expect(said()).toEqual(['<b>pay</b> RLOthe rent  anna · telegram']));
  expect(screen.getByRole('img', { name: /202E/ })).toBeTruthy();
});

test('in Italian too', async () => {
  await i18n.changeLanguage('it');
  const { type } = await show({ 'audit.stats': () => stats(['shell_exec']) });
  type('shell');
  await waitFor(() => expect(said()).toEqual(['shell_exec  3 verdetti']));
  expect(screen.getByText('Esecutori')).toBeTruthy();
});
