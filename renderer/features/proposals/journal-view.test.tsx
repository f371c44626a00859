import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { JournalView } from './journal-view.tsx';
import { rowOf } from './proposal.fixture.ts';

afterEach(cleanup);

function open(handlers: Handlers = {}) {
  const rows = [
    rowOf(3, 'publish'),
    rowOf(2, 'block', {
      guard: { passes: false, contradicted_article: 'law.3.tracciabilita', reason: 'it is the record' },
    }),
    rowOf(1, 'defer', { terms: null }),
  ];
  const rpc = installFakeRpc({
    'proposals.list': () => ({ rows, more: false, problem: null }),
    'proposals.answer': ({ id, answer }: { id: number; answer: string }) => ({ ...rowOf(id, 'publish'), answer }),
    ...handlers,
  });
  render(
    <TooltipProvider>
      <JournalView />
    </TooltipProvider>,
  );
  return rpc;
}
const detail = () => screen.getByRole('complementary');
const openRow = async (kind: string) => fireEvent.click(await screen.findByRole('button', { name: new RegExp(kind) }));

test('a proposal shows the fit per end with its sentence, and every term of the formula', async () => {
  open();
  await openRow('idea_3');
  const panel = within(detail());
  expect(panel.getByText('it gets you out')).toBeTruthy();
  expect(panel.getByText(/below 0.50, counts as 0/)).toBeTruthy();
  expect(panel.getByRole('img', { name: /hidden character/ })).toBeTruthy();
  const table = within(panel.getByRole('table', { name: 'Terms of the formula' }));
  const cells = (name: RegExp) => table.getByRole('row', { name }).textContent;
  expect(cells(/t\.health/)).toBe('t.health0.500.800.40');
  expect(cells(/t\.family/)).toBe('t.family0.500.300.00');
  expect(cells(/^− bother cost/)).toBe('− bother cost0.02');
  expect(cells(/^Alignment/)).toBe('Alignment0.38');
  expect(cells(/Threshold/)).toBe('Threshold θ0.30');
});

test.each([
  ['Useful', 'publish'],
  ['Dismiss', 'dismiss'],
  ['Don’t propose again', 'never'],
])('%s is sent once', async (name, answer) => {
  const rpc = open();
  await openRow('idea_3');
  const button = within(detail()).getByRole('button', { name });
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(rpc.inputsOf('proposals.answer')).toEqual([{ id: 3, answer }]));
});

test('what a law stopped says which, and cannot be answered', async () => {
  open();
  await openRow('idea_2');
  const panel = within(detail());
  expect(panel.getByText('Law 3: what happens can be traced')).toBeTruthy();
  expect(panel.queryByRole('button', { name: /Dismiss|again/ })).toBeNull();
});

test('what nobody judged says so', async () => {
  open();
  await openRow('idea_1');
  expect(within(detail()).getByText(/Nothing is published unseen/)).toBeTruthy();
  expect(within(detail()).queryByRole('table')).toBeNull();
});

test('an answer that was not kept is told', async () => {
  open({
    'proposals.answer': () => {
      throw engineError('locked', 'panel.db is locked.');
    },
  });
  await openRow('idea_3');
  fireEvent.click(within(detail()).getByRole('button', { name: 'Dismiss' }));
  expect((await within(detail()).findByRole('alert')).textContent).toContain('panel.db is locked.');
});

test('the filter asks the engine, and an empty answer says why', async () => {
  const rpc = open({ 'proposals.list': () => ({ rows: [], more: false, problem: null }) });
  await screen.findByText('The agent has proposed nothing yet');
  fireEvent.click(screen.getByRole('button', { name: 'Not answered' }));
  await screen.findByText('Nothing fits this filter');
  fireEvent.click(screen.getByRole('button', { name: 'Also what you asked for' }));
  await waitFor(() => expect(rpc.inputsOf('proposals.list').at(-1)).toEqual({ limit: 100, answered: false }));
});

test('a journal that cannot be read is told', async () => {
  open({ 'proposals.list': () => ({ rows: [], more: false, problem: 'panel.db is damaged.' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('panel.db is damaged.');
});
