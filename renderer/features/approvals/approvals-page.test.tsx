import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ApprovalCard } from '../../../shared/domain/approval.ts';
import { card } from '../../app/approvals/approval.fixture.ts';
import { forgetApprovals, takeWatched } from '../../app/approvals/approvals.store.ts';
import { readApprovalsSearch } from '../../app/links.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { useToasts } from '../../ui/toast.store.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { ApprovalsPage } from './approvals-page.tsx';

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: false });
  forgetApprovals();
  useToasts.setState({ messages: [] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Lets so many ms pass, and what follows from them be drawn. */
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function show(cards: ApprovalCard[], handlers: Handlers = {}, at = '/approvals') {
  const fake = installFakeRpc({
    'approvals.resolve': ({ token }: { token: string }) => ({ card: card({ token }), grant: null, problem: null }),
    'approvals.silenced': () => ({ silences: [] }),
    'policy.matrix': () => ({
      capabilities: [
        { name: 'fs:write', critical: true, default_approval: 'per_target', target_kind: 'path_glob', description: '' },
      ],
      cells: [],
    }),
    'approvals.checkSimilar': () => ({ ok: true, problem: null, needs_confirmation: false }),
    ...handlers,
  });
  takeWatched({ pending: cards.length, cards, problem: null });
  const root = createRootRoute({});
  const page = createRoute({
    getParentRoute: () => root,
    path: '/approvals',
    validateSearch: readApprovalsSearch,
    component: () => (
      <TooltipProvider>
        <ApprovalsPage />
      </TooltipProvider>
    ),
  });
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [at] }),
  });
  render(<RouterProvider router={router as never} />);
  await pass(50);
  return fake;
}
const article = (token: string) => document.querySelector<HTMLElement>(`[data-token="${token}"]`) as HTMLElement;
const button = (name: string | RegExp, token = 'aa') => within(article(token)).getByRole('button', { name });

/** A press as a browser sends one. */
function press(element: HTMLElement) {
  fireEvent.pointerDown(element);
  fireEvent.click(element);
}

test('half a second of clicks and keys on a new card decides nothing; later one press does', async () => {
  const fake = await show([card()]);
  for (let ms = 0; ms < 400; ms += 10) {
    for (const name of ['This time', 'No', /don’t ask again/]) {
      press(button(name));
      fireEvent.keyDown(button(name), { key: 'Enter' });
      fireEvent.click(button(name));
    }
    await pass(10);
  }
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
  await pass(600);
  press(button('This time'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([{ token: 'aa', choice: { kind: 'once' } }]);
  expect(article('aa')).toBeNull();
});

test('a press that began in the first half second and ends after it decides nothing', async () => {
  const fake = await show([card()]);
  await pass(300);
  fireEvent.pointerDown(button('This time'));
  await pass(1000);
  fireEvent.click(button('This time'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
});

test('a key that is held down decides nothing', async () => {
  const fake = await show([card()]);
  await pass(1000);
  const held = fireEvent.keyDown(button('This time'), { key: 'Enter', repeat: true });
  // The browser clicks unless the key was refused.
  expect(held).toBe(false);
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
});

test('the window’s focus closes every card for half a second', async () => {
  const fake = await show([card()]);
  await pass(1000);
  fireEvent.focus(window);
  await pass(100);
  press(button('This time'));
  await pass(100);
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
  await pass(500);
  press(button('This time'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toHaveLength(1);
});

test('when a card above goes, a click on what moved under the pointer decides nothing', async () => {
  const fake = await show([card(), card({ token: 'bb' })]);
  await pass(1000);
  act(() => takeWatched({ pending: 1, cards: [card({ token: 'bb' })], problem: null }));
  await pass(100);
  press(button('This time', 'bb'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
  await pass(600);
  press(button('This time', 'bb'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([{ token: 'bb', choice: { kind: 'once' } }]);
});

test('nothing has the focus by itself, and Esc decides nothing', async () => {
  const fake = await show([card()]);
  await pass(1000);
  expect(document.activeElement?.closest('[data-token]')).toBeNull();
  fireEvent.keyDown(article('aa'), { key: 'Escape' });
  fireEvent.keyDown(document.body, { key: 'Enter' });
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
  expect(article('aa')).not.toBeNull();
});

test('oldest first, each with its three lines', async () => {
  await show([card({ token: 'old' }), card({ token: 'new', capability: 'code:exec', object: 'df -h', similar: null })]);
  expect(screen.getAllByRole('article').map((each) => each.dataset.token)).toEqual(['old', 'new']);
  const text = article('old').textContent;
  expect(text).toContain('Let it write or change this?');
  expect(text).toContain('telegram / roberto');
  expect(text).toContain('~/Documents/fatture-2026/04-Acme.pdf');
  expect(text).toContain('Cannot be undone');
  expect(text).toContain('fs:write');
  expect(article('new').textContent).toContain('Let it run this command?');
  expect(within(article('new')).queryByRole('button', { name: /similar/ })).toBeNull();
});

test('the time left runs, and a card whose time is over cannot be decided', async () => {
  const fake = await show([card({ expires_ms: Date.now() + 3000 })]);
  expect(article('aa').textContent).toMatch(/0:0[23] left/);
  await pass(3000);
  expect(article('aa').textContent).toContain('Ran out');
  press(button('This time'));
  press(button('No'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
});

test('20,000 characters are shown whole, with what cannot be seen as marks', async () => {
  const object = `rm \u202e${'x'.repeat(20_000)}\u200bEND`;
  await show([card({ capability: 'code:exec', object, similar: null })]);
  const box = within(article('aa')).getByTestId('card-object');
  expect(box.textContent).toContain('x'.repeat(20_000));
  expect(box.textContent?.endsWith('END')).toBe(true);
  expect(within(box).getByRole('img', { name: /RIGHT-TO-LEFT OVERRIDE/ })).toBeTruthy();
  expect(within(box).getByRole('img', { name: /ZERO WIDTH SPACE/ })).toBeTruthy();
});

test('what does not fit its box can be approved once its end was on screen', async () => {
  const heights = vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(1000);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(240);
  const fake = await show([card()]);
  await pass(1000);
  expect((button('This time') as HTMLButtonElement).disabled).toBe(true);
  expect((button('No') as HTMLButtonElement).disabled).toBe(false);
  expect(article('aa').textContent).toContain('Read to the end');
  const box = within(article('aa')).getByTestId('card-object');
  box.scrollTop = 760;
  fireEvent.scroll(box);
  await pass(1000);
  press(button('This time'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toHaveLength(1);
  heights.mockRestore();
  vi.restoreAllMocks();
});

test.each([
  ['a request that cannot be read', card({ problem: 'The stored request cannot be read.' }), 'It cannot be approved'],
  ['a command too long for a page', card({ object: 'x'.repeat(200_001) }), 'Too long to be shown whole'],
])('%s can be refused, not approved', async (_, one, says) => {
  const fake = await show([one]);
  await pass(1000);
  expect(article('aa').textContent).toContain(says);
  expect((button('This time') as HTMLButtonElement).disabled).toBe(true);
  press(button('No'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toEqual([{ token: 'aa', choice: { kind: 'no' } }]);
});

test('this and similar: the proposed pattern is edited, bound in time, checked, and then signed', async () => {
  const fake = await show([card()]);
  await pass(1000);
  press(button('This and similar…'));
  await pass(1000);
  const input = within(article('aa')).getByRole('textbox') as HTMLInputElement;
  expect(input.value).toBe('~/Documents/fatture-2026/*');
  fireEvent.change(input, { target: { value: '~/Documents/fatture-2026/0*' } });
  fireEvent.keyDown(input, { key: 'Enter' });
  fireEvent.click(within(article('aa')).getByRole('radio', { name: '2 months' }));
  await pass(1000);
  expect(fake.inputsOf('approvals.checkSimilar').at(-1)).toMatchObject({
    token: 'aa',
    target: '~/Documents/fatture-2026/0*',
  });
  expect(fake.inputsOf('approvals.resolve')).toEqual([]);
  press(button('Approve and grant'));
  await pass(10);
  const [sent] = fake.inputsOf('approvals.resolve') as { choice: { target: string; expires_at: string } }[];
  expect(sent?.choice).toMatchObject({ kind: 'similar', target: '~/Documents/fatture-2026/0*' });
  const days = (Date.parse(sent?.choice.expires_at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(58);
  expect(days).toBeLessThan(63);
});

test('a pattern that the engine refuses cannot be signed, one as wide as the home folder needs a yes', async () => {
  const fake = await show([card()], {
    'approvals.checkSimilar': ({ target }: { target: string }) =>
      target === '~/**'
        ? { ok: false, problem: 'wide', needs_confirmation: true }
        : { ok: false, problem: 'It does not cover this very target.', needs_confirmation: false },
  });
  await pass(1000);
  press(button('This and similar…'));
  await pass(1000);
  const input = within(article('aa')).getByRole('textbox');
  fireEvent.change(input, { target: { value: '~/Music/*' } });
  await pass(1000);
  expect(article('aa').textContent).toContain('It does not cover this very target.');
  expect((button('Approve and grant') as HTMLButtonElement).disabled).toBe(true);
  fireEvent.change(input, { target: { value: '~/**' } });
  await pass(1000);
  expect((button('Approve and grant') as HTMLButtonElement).disabled).toBe(true);
  fireEvent.click(within(article('aa')).getByRole('checkbox'));
  await pass(1000);
  press(button('Approve and grant'));
  await pass(10);
  expect(fake.inputsOf('approvals.resolve')).toMatchObject([{ choice: { target: '~/**', confirm_broad: true } }]);
});

test('a decision that came too late says who was first, and the card can still be seen', async () => {
  await show([card()], {
    'approvals.resolve': () => {
      throw engineError('conflict', 'It was already approved by telegram / roberto.');
    },
  });
  await pass(1000);
  press(button('No'));
  await pass(50);
  expect(within(article('aa')).getByRole('alert').textContent).toContain('already approved by telegram / roberto');
});

test('what was decided stands in a list, and a refusal says what to do instead', async () => {
  await show(
    [],
    {
      'approvals.list': () => ({
        cards: [
          card({ token: 'yes', status: 'approved', decided_by: { channel: 'panel', sender_id: 'operator' } }),
          card({ token: 'late', status: 'expired' }),
        ],
        more: false,
        problem: null,
      }),
    },
    '/approvals?view=decided',
  );
  await pass(50);
  expect(article('yes').textContent).toContain('Approved');
  expect(article('yes').textContent).toContain('you, at the panel');
  expect(article('late').textContent).toContain('the time limit');
  fireEvent.click(article('late'));
  await pass(10);
  expect(screen.getByTestId('refusal').textContent).toContain('Nobody answered in time');
});

test('nothing waits and the file cannot be read are two different things', async () => {
  await show([]);
  expect(screen.getByText('Nothing waits for you')).toBeTruthy();
  act(() => takeWatched({ pending: 0, cards: [], problem: 'approvals.db is damaged.' }));
  await pass(10);
  expect(screen.queryByText('Nothing waits for you')).toBeNull();
  expect(screen.getByRole('alert').textContent).toContain('approvals.db is damaged.');
});
