import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { IndexState } from '../../../shared/rpc/audit.ts';
import { readVerdictSearch } from '../../app/links.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { verdict } from '../../verdicts/verdict.fixture.ts';
import { useLive } from './live.store.ts';
import { LiveList } from './live-list.logic.ts';
import { LivePage } from './live-page.tsx';

const index = (more: Partial<IndexState> = {}): IndexState => ({
  phase: 'following',
  files: 2,
  lines: 859,
  unreadable: 0,
  unreadable_at: [],
  events: 0,
  problem: null,
  detail: null,
  ...more,
});
const guard = verdict(3, {
  approved: false,
  blocked_by: 'guard',
  score: 0,
  rule: '(^|/)\\.ssh(/|$)',
  reason: "guard: forbidden path violato: pattern '(^|/)\\.ssh(/|$)' in args",
  intent: 'read my <b>keys</b>',
});

beforeEach(() => {
  // The list shows what fits; without a layout nothing would.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  useLive.setState({
    list: new LiveList(),
    index: null,
    filter: {},
    paused: false,
    away: false,
    open: null,
    current: null,
    loading: true,
    problem: null,
    older: 'idle',
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function show(handlers: Handlers, at = '/live') {
  const fake = installFakeRpc({
    'audit.page': () => ({ rows: [guard, verdict(2), verdict(1)], more: false, index: index() }),
    'audit.raw': () => ({ text: '{"raw":  1}', problem: null }),
    ...handlers,
  });
  const root = createRootRoute({});
  const live = createRoute({
    getParentRoute: () => root,
    path: '/live',
    validateSearch: readVerdictSearch,
    component: () => (
      <TooltipProvider>
        <LivePage />
      </TooltipProvider>
    ),
  });
  const router = createRouter({
    routeTree: root.addChildren([live]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  render(<RouterProvider router={router as never} />);
  return { fake, router };
}
const rows = () => screen.getAllByRole('row').filter((each) => each.hasAttribute('data-seq'));
const found = () => waitFor(() => expect(rows().length).toBeGreaterThan(0));

test('shows the newest first, with outcome and phase in words', async () => {
  show({});
  await found();
  expect(rows().map((row) => row.dataset.seq)).toEqual(['3', '2', '1']);
  expect(rows()[0]?.textContent).toContain('Denied');
  expect(rows()[0]?.textContent).toContain('Guard');
  expect(rows()[0]?.textContent).toContain('read my <b>keys</b>');
  expect(rows()[1]?.textContent).toContain('Approved');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Live');
});

test('Space pauses, what arrives is counted, and the pill lets it in', async () => {
  const { fake } = show({});
  await found();
  fireEvent.keyDown(document.body, { key: ' ' });
  act(() => fake.emit('audit.live', { rows: [], index: index() }));
  act(() => fake.emit('audit.live', { rows: [verdict(4), verdict(5)], index: index() }));
  const pill = await screen.findByText('2 new verdicts');
  expect(rows()).toHaveLength(3);
  fireEvent.click(pill);
  await waitFor(() => expect(rows().map((row) => row.dataset.seq)).toEqual(['5', '4', '3', '2', '1']));
  expect(useLive.getState().paused).toBe(false);
});

test('the keys choose a row, open and close it', async () => {
  show({});
  await found();
  const grid = screen.getByRole('grid');
  fireEvent.keyDown(grid, { key: 'ArrowDown' });
  expect(grid.getAttribute('aria-activedescendant')).toBe('verdict-3');
  fireEvent.keyDown(grid, { key: 'Enter' });
  const panel = screen.getByRole('complementary');
  expect(panel.textContent).toContain('The guard stopped it: an argument names a protected path.');
  expect(panel.textContent).toContain(guard.reason);
  expect(panel.textContent).toContain('Your SSH keys');
  await waitFor(() => expect(screen.getByTestId('raw').textContent).toBe('{"raw":  1}'));
  fireEvent.keyDown(grid, { key: 'Escape' });
  expect(screen.queryByRole('complementary')).toBeNull();
});

test('a filter stands in the address and goes to the engine', async () => {
  const { fake, router } = show({}, '/live?phase=guard');
  await found();
  expect(fake.inputsOf('audit.page')[0]).toMatchObject({ filter: { blocked_by: 'guard' } });
  fireEvent.click(screen.getByRole('radio', { name: 'Denied' }));
  await waitFor(() => expect(router.state.location.search).toEqual({ phase: 'guard', outcome: 'denied' }));
  await waitFor(() =>
    expect(fake.inputsOf('audit.page').at(-1)).toMatchObject({ filter: { blocked_by: 'guard', outcome: 'denied' } }),
  );
});

test('without a folder it says where it looks', async () => {
  show({
    'audit.page': () => ({ rows: [], more: false, index: index({ problem: 'missing' }) }),
    'app.health': () => ({
      resources: [{ name: 'verdict-log', path: '/home/x/vaglio', state: 'missing', advice: '', detail: null }],
    }),
  });
  expect(await screen.findByText('No verdicts yet')).toBeTruthy();
  expect(await screen.findByText('/home/x/vaglio')).toBeTruthy();
});

test('a filter that nothing matches can be taken away', async () => {
  const { router } = show({ 'audit.page': () => ({ rows: [], more: false, index: index() }) }, '/live?text=zzz');
  await screen.findByText('No verdict matches');
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement);
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test('a failed page names the cause and is tried again', async () => {
  let fail = true;
  show({
    'audit.page': () => {
      if (fail) throw engineError('damaged', '/x/panel.db is damaged', '/x/panel.db');
      return { rows: [verdict(1)], more: false, index: index() };
    },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('/x/panel.db is damaged');
  fail = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await found();
});

test('unreadable lines are counted, with where they are', async () => {
  const broken = index({
    unreadable: 1,
    unreadable_at: [{ file: '2026-11.jsonl', line: 12, offset: 3400, why: 'invalid-json' }],
  });
  show({ 'audit.page': () => ({ rows: [verdict(1)], more: false, index: broken }) });
  fireEvent.click(await screen.findByText('1 unreadable line'));
  expect(await screen.findByText('2026-11.jsonl, line 12, byte 3400')).toBeTruthy();
  expect(screen.getByText('no valid JSON')).toBeTruthy();
});
