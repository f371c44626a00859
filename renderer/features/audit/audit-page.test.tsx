import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, act as settle, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Integrity } from '../../../shared/domain/integrity.ts';
import type { IndexState } from '../../../shared/rpc/audit.ts';
import { readAuditSearch } from '../../app/links.ts';
import { type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { useToasts } from '../../ui/toast.store.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { verdict } from '../../verdicts/verdict.fixture.ts';
import { act } from './act.fixture.ts';
import { useAudit } from './audit.store.ts';
import { AuditPage } from './audit-page.tsx';

const index = (more: Partial<IndexState> = {}): IndexState => ({
  phase: 'following',
  files: 1,
  lines: 3,
  unreadable: 0,
  unreadable_at: [],
  events: 0,
  problem: null,
  detail: null,
  ...more,
});
const integrity = (more: Partial<Integrity> = {}): Integrity => ({
  state: 'verified',
  verified_to: 30,
  checked_at: 31,
  since: 1,
  lines: 3,
  acts: 1,
  findings: [],
  acknowledged: [],
  progress: null,
  ...more,
});

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000);
  useToasts.setState({ messages: [] });
  useAudit.setState({
    rows: [],
    rowsMore: false,
    acts: [],
    actsMore: false,
    search: {},
    index: null,
    loading: true,
    problem: null,
    older: 'idle',
    fresh: 0,
    outdated: false,
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function show(handlers: Handlers = {}, at = '/audit') {
  const fake = installFakeRpc({
    'audit.page': () => ({ rows: [verdict(30), verdict(20), verdict(10)], more: false, index: index() }),
    'audit.acts': () => ({ rows: [act(5, 25)], more: false }),
    'audit.raw': () => ({ text: '{"raw":  1}', problem: null }),
    'audit.integrity': () => integrity(),
    'turns.ofVerdict': () => ({ found: { key: 't1', index: 2, intent: 'x', sure: false } }),
    ...handlers,
  });
  const root = createRootRoute({});
  const page = createRoute({
    getParentRoute: () => root,
    path: '/audit',
    validateSearch: readAuditSearch,
    component: () => (
      <TooltipProvider>
        <AuditPage />
      </TooltipProvider>
    ),
  });
  const history = createMemoryHistory({ initialEntries: [at] });
  const router = createRouter({ routeTree: root.addChildren([page]), history });
  render(<RouterProvider router={router as never} />);
  return { fake, router };
}
const rows = () => screen.getAllByRole('row').filter((each) => each.dataset.seq || each.dataset.act);
const found = () => waitFor(() => expect(rows().length).toBeGreaterThan(0));

test('verdicts and operator acts by time', async () => {
  show();
  await found();
  expect(rows().map((row) => row.dataset.seq ?? `act ${row.dataset.act}`)).toEqual(['30', 'act 5', '20', '10']);
  expect(rows()[1]?.textContent).toContain('Grant made');
  expect(rows()[1]?.textContent).toContain('fs:write ~/Documents/*');
});

test('a filter about verdicts leaves the acts out and says so; the engine gets all of it', async () => {
  const { fake } = show({}, '/audit?from=5&to=40&min=0.25&max=0.75&text=note&executor=read_files&outcome=approved');
  await found();
  expect(fake.inputsOf('audit.page')[0]).toMatchObject({
    filter: {
      from_ts: 5,
      to_ts: 40,
      min_score: 0.25,
      max_score: 0.75,
      text: 'note',
      executor: 'read_files',
      outcome: 'approved',
    },
  });
  expect(fake.inputsOf('audit.acts')).toHaveLength(0);
  expect(screen.getByText('Operator acts are left out: the filter is about verdicts.')).toBeTruthy();
  expect(screen.getByText('0.25 up to 0.75')).toBeTruthy();
});

test('acts alone, of one kind, in a time', async () => {
  const { fake } = show({}, '/audit?show=acts&act=revoke&from=5');
  await found();
  expect(rows()).toHaveLength(1);
  expect(fake.inputsOf('audit.acts')[0]).toEqual({ limit: 200, kind: 'revoke', from_ts: 5 });
  expect(fake.inputsOf('audit.page')).toHaveLength(0);
  expect((screen.getByRole('button', { name: 'Export' }) as HTMLButtonElement).disabled).toBe(true);
});

test('an act opens with all its facts', async () => {
  show();
  await found();
  fireEvent.click(rows()[1] as HTMLElement);
  const panel = screen.getByRole('complementary');
  expect(panel.textContent).toContain('telegram:roberto');
  expect(panel.textContent).toContain('grants.db, row 5');
});

test('a verdict opens in the address, and leads to its turn', async () => {
  const { router } = show();
  await found();
  fireEvent.click(rows()[2] as HTMLElement);
  await waitFor(() => expect(router.state.location.search).toEqual({ row: 20 }));
  const link = await screen.findByRole('link', { name: 'Step 3 of its turn' });
  expect(link.getAttribute('href')).toBe('#/turns?turn=t1&step=2');
  expect(link.parentElement?.textContent).toContain('Likely');
});

test('a link to a verdict further down loads down to it', async () => {
  show(
    {
      'audit.page': ({ before }: { before?: number }) =>
        before === undefined
          ? { rows: [verdict(30)], more: true, index: index() }
          : { rows: [verdict(before - 10)], more: before > 20, index: index() },
    },
    '/audit?row=10&show=verdicts',
  );
  const panel = await screen.findByRole('complementary');
  expect(panel.textContent).toContain('intent 10');
});

test('what arrives is counted, and shown when a person asks', async () => {
  let more: ReturnType<typeof verdict>[] = [];
  const { fake } = show({
    'audit.page': () => ({ rows: [...more, verdict(30)], more: false, index: index() }),
  });
  await found();
  more = [verdict(41)];
  settle(() => fake.emit('audit.live', { rows: [verdict(41)], index: index() }));
  expect(rows().map((row) => row.dataset.seq)).not.toContain('41');
  fireEvent.click(await screen.findByText('1 new verdict'));
  await waitFor(() => expect(rows()[0]?.dataset.seq).toBe('41'));
  expect(screen.queryByTestId('fresh')).toBeNull();
});

test('says to when the record is verified, or which file and line changed', async () => {
  show();
  const record = await screen.findByTestId('record');
  expect(record.textContent).toContain('Verified to 1 Jan 1970');
  cleanup();
  const finding = {
    id: 1,
    kind: 'changed',
    file: '2026-11.jsonl',
    line: 12,
    last_line: 12,
    found_at: 31,
    detail: 'x',
    acknowledged_at: null,
    acknowledged_by: null,
  } as const;
  show({ 'audit.integrity': () => integrity({ state: 'finding', findings: [finding] }) });
  const bad = await screen.findByTestId('record');
  expect(bad.textContent).toContain('The record found 1 change');
  expect(bad.textContent).toContain('2026-11.jsonl, line 12: changed');
});

test('Verify compares anew, and says what came of it', async () => {
  let state: Integrity['state'] = 'unchecked';
  let done = (_: Integrity): void => undefined;
  show({
    'audit.integrity': () => integrity({ state }),
    'audit.verify': () =>
      new Promise<Integrity>((resolve) => {
        done = resolve;
      }),
  });
  await found();
  expect((await screen.findByTestId('record')).textContent).toContain('Not compared with the record yet');
  fireEvent.click(screen.getByRole('button', { name: 'Verify' }));
  await waitFor(() => expect(screen.getByTestId('record').dataset.state).toBe('checking'));
  expect((screen.getByRole('button', { name: 'Verify' }) as HTMLButtonElement).disabled).toBe(true);
  state = 'verified';
  settle(() => done(integrity()));
  await waitFor(() => expect(screen.getByTestId('record').dataset.state).toBe('verified'));
});

test('an export is streamed into the file that was chosen, and can be called off', async () => {
  const written: string[] = [];
  const sink = {
    write: async (chunk: Uint8Array) => void written.push(new TextDecoder().decode(chunk)),
    close: vi.fn(async () => undefined),
    abort: vi.fn(async () => undefined),
  };
  vi.stubGlobal('showSaveFilePicker', async () => ({ createWritable: async () => sink }));
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined;
  const fetched = vi.fn(async (_url: string, { signal }: { signal: AbortSignal }) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        feed = controller;
        signal.addEventListener('abort', () => controller.error(new DOMException('stopped', 'AbortError')));
      },
    });
    return new Response(body, { headers: { 'Vaglio-Rows': '3' } });
  });
  vi.stubGlobal('fetch', fetched);
  show({}, '/audit?executor=read_files');
  await found();
  const start = async () => {
    fireEvent.keyDown(screen.getByRole('button', { name: 'Export' }), { key: 'Enter' });
    fireEvent.click(await screen.findByRole('menuitem', { name: 'JSON lines' }));
    await screen.findByText(/0 rows|of 3 rows/);
  };
  await start();
  expect(fetched.mock.calls[0]?.[0]).toBe('/export?format=jsonl&executor=read_files');
  await settle(async () => feed?.enqueue(new TextEncoder().encode('{"a":1}\n{"a":2}\n')));
  await screen.findByText(/^2 of 3 rows/);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel the export' }));
  await waitFor(() => expect(useToasts.getState().messages.at(-1)?.text).toContain('Export cancelled'));
  expect([sink.abort.mock.calls.length > 0, sink.close.mock.calls.length]).toEqual([true, 0]);
  await start();
  await settle(async () => {
    feed?.enqueue(new TextEncoder().encode('{"a":1}\n{"a":2}\n{"a":3}\n'));
    feed?.close();
  });
  await waitFor(() => expect(useToasts.getState().messages.at(-1)?.text).toBe('3 rows exported'));
  expect(sink.close).toHaveBeenCalledOnce();
});

test('a filter that nothing matches can be taken away', async () => {
  const empty = { 'audit.page': () => ({ rows: [], more: false, index: index() }) };
  const { router } = show(empty, '/audit?text=zzz&show=verdicts');
  const box = (await screen.findByText('No verdict matches')).closest('div') as HTMLElement;
  fireEvent.click(
    within(box.parentElement as HTMLElement).getAllByRole('button', { name: 'Clear filters' })[0] as HTMLElement,
  );
  await waitFor(() => expect(router.state.location.search).toEqual({ show: 'verdicts' }));
});
