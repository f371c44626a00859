import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Turn } from '../../../shared/domain/turn.ts';
import { readTurnsSearch } from '../../app/links.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { turnOf, turnRow, turnStep, turnsState } from './turn.fixture.ts';
import { useTurns } from './turns.store.ts';
import { TurnsPage } from './turns-page.tsx';

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  useTurns.setState({ rows: [], more: false, filter: {}, state: null, loading: true, problem: null, older: 'idle' });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const now = Date.now();
const running = turnRow('live', now, { final_kind: null, end_ms: null, last_ms: now, intent: 'sort <b>invoices</b>' });
const choices = { channels: [{ name: 'cli', count: 2 }], senders: [], outcomes: [], executors: [] };

function show(handlers: Handlers = {}, at = '/turns') {
  const turns: Record<string, Turn> = {
    live: turnOf(running, [turnStep(0)], { final_message: null, place: null }),
    old: turnOf(turnRow('old', 10), [turnStep(0)]),
  };
  const fake = installFakeRpc({
    'turns.page': () => ({ rows: [running, turnRow('old', 10)], more: false, state: turnsState({ turns: 2 }) }),
    'turns.get': ({ key }: { key: string }) => turns[key],
    'turns.choices': () => choices,
    'turns.values': () => ({
      raw_args: { text: '{"path": "~/secret.txt"}', left: 0 },
      resolved_args: { text: '{"path": "/home/anna/secret.txt"}', left: 3 },
      result: { text: null, left: 0 },
      other: { text: null, left: 0 },
      problem: null,
    }),
    ...handlers,
  });
  const root = createRootRoute({});
  const page = createRoute({
    getParentRoute: () => root,
    path: '/turns',
    validateSearch: readTurnsSearch,
    component: () => (
      <TooltipProvider>
        <TurnsPage />
      </TooltipProvider>
    ),
  });
  const history = createMemoryHistory({ initialEntries: [at] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  render(<RouterProvider router={router as never} />);
  return { fake, router, turns };
}
const rows = () => screen.getAllByRole('row').filter((each) => each.hasAttribute('data-turn'));
const found = () => waitFor(() => expect(rows().length).toBeGreaterThan(0));
const steps = () => screen.getAllByRole('listitem').filter((each) => each.hasAttribute('data-step'));

test('lists the newest first, with what was asked as text, and how each stands in words', async () => {
  show();
  await found();
  expect(rows().map((row) => row.dataset.turn)).toEqual(['live', 'old']);
  expect(rows()[0]?.textContent).toContain('sort <b>invoices</b>');
  expect(rows()[0]?.textContent).toContain('Running');
  expect(rows()[1]?.textContent).toContain('Answered');
});

test('a turn is opened in the address; a running one grows as it runs, and is read again only when it has', async () => {
  const { fake, router, turns } = show();
  await found();
  fireEvent.click(rows()[0] as HTMLElement);
  await waitFor(() => expect(steps()).toHaveLength(1));
  expect(router.state.location.search).toEqual({ turn: 'live' });
  expect(screen.getByText('Running. New steps appear here as they are decided.')).toBeTruthy();
  const grown = { ...running, steps: 2, last_ms: now + 1000 };
  turns.live = turnOf(grown, [turnStep(0), turnStep(1, { executor: 'send_messages' })], { final_message: null });
  act(() => fake.emit('turns.live', { rows: [grown], reset: false, state: turnsState() }));
  await waitFor(() => expect(steps()).toHaveLength(2));
  expect(steps()[1]?.textContent).toContain('send_messages');
  const asked = fake.inputsOf('turns.get').length;
  act(() => fake.emit('turns.live', { rows: [grown], reset: false, state: turnsState() }));
  expect(fake.inputsOf('turns.get')).toHaveLength(asked);
});

test('a step says what is known of each stage; its values are asked for when a person wants them', async () => {
  const refused = turnStep(0, {
    outcome: 'refused',
    error: 'vaglio rifiuta: guard: no',
    verdict: { seq: 7, sure: false },
    stages: turnStep(0).stages.map((each) =>
      each.stage === 'vaglio'
        ? { ...each, state: 'ended', reason: 'guard: no' }
        : each.stage === 'approval'
          ? { ...each, state: 'not-reached' }
          : each,
    ),
  });
  const { fake } = show({ 'turns.get': () => turnOf(turnRow('old', 10_000), [refused]) }, '/turns?turn=old');
  await waitFor(() => expect(steps()).toHaveLength(1));
  const states = within(steps()[0] as HTMLElement)
    .getAllByRole('img')
    .map((each) => each.dataset.state);
  expect(states).toEqual(['passed', 'passed', 'unknown', 'ended', 'not-reached']);
  expect(screen.getByRole('img', { name: 'Policy: The log does not say' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: /read_files/ }));
  const link = await screen.findByRole('link', { name: 'Its verdict' });
  expect(link.getAttribute('href')).toBe('#/audit?from=9&to=17&row=7');
  expect(link.parentElement?.textContent).toContain('Likely');
  expect(fake.inputsOf('turns.values')).toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Show values' }));
  expect(await screen.findByText('{"path": "/home/anna/secret.txt"}')).toBeTruthy();
  expect(screen.getByText('3 more characters are in the file.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Hide values' }));
  expect(screen.queryByText(/secret/)).toBeNull();
});

test('filters stand in the address and go to the engine', async () => {
  const { fake, router } = show({}, '/turns?sender=anna');
  await found();
  expect(fake.inputsOf('turns.page')[0]).toMatchObject({ filter: { sender: 'anna' } });
  fireEvent.click(screen.getByRole('button', { name: 'With a refused step' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ sender: 'anna', refused: true }));
  await waitFor(() =>
    expect(fake.inputsOf('turns.page').at(-1)).toMatchObject({ filter: { sender: 'anna', refused: true } }),
  );
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test('a turn that is gone is told, and the list stays', async () => {
  show(
    {
      'turns.get': () => {
        throw engineError('not-found', 'This turn is no longer there.');
      },
    },
    '/turns?turn=lost',
  );
  expect(await screen.findByText('This turn is no longer there')).toBeTruthy();
  await found();
});

test('no folder yet: says what a turn is and where it looks', async () => {
  show({
    'turns.page': () => ({ rows: [], more: false, state: turnsState({ turns: 0, problem: 'missing' }) }),
    'app.health': () => ({
      resources: [{ name: 'turn-log', path: '/home/x/turns', state: 'missing', advice: '', detail: null }],
    }),
  });
  expect(await screen.findByText('No turns yet')).toBeTruthy();
  expect(await screen.findByText('/home/x/turns')).toBeTruthy();
});

test('a page that cannot be had names the cause and is tried again', async () => {
  let fail = true;
  show({
    'turns.page': () => {
      if (fail) throw engineError('unreadable', 'The turns are not being read', 'turns');
      return { rows: [running], more: false, state: turnsState() };
    },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('The turns are not being read');
  fail = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await found();
});
