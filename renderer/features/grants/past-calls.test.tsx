import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { GrantPreview, GrantScope } from '../../../shared/rpc/grants.ts';
import { i18n } from '../../app/i18n/i18n.ts';
import { engineError, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { PastCalls } from './past-calls.tsx';

const SCOPE: GrantScope = { channel: 'web', sender_id: 'anna', capability: 'fs:read', target: '~/notes/*' };
const preview = (more: Partial<GrantPreview> = {}): GrantPreview => ({
  ...{ since_ms: 1000, asked: 0, passed: 0, perhaps: 0, newest: [], looked_at: 0, cut_at_ms: null },
  kept: { days: 30, oldest_ms: 500, problem: null },
  ...more,
});

function open(scope: GrantScope | null, answer: (input: never) => unknown) {
  const fake = installFakeRpc({ 'grants.preview': answer });
  const view = (next: GrantScope | null) => (
    <TooltipProvider>
      <PastCalls scope={next} />
    </TooltipProvider>
  );
  const { rerender } = render(view(scope));
  return { fake, show: (next: GrantScope | null) => rerender(view(next)) };
}

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await i18n.changeLanguage('en');
});

test('while a part is missing nothing is asked, and it says what is needed', () => {
  const { fake } = open(null, () => preview());
  expect(screen.getByText(/Counted once it says/)).toBeDefined();
  expect(fake.inputsOf('grants.preview')).toEqual([]);
});

test('how many of those that asked, the newest of them as text, and what else it may be', async () => {
  const newest = [5, 4, 3, 2, 1].map((id) => ({
    id,
    at: id * 1000,
    executor: 'read_files',
    target: `~/notes/${id}\u202e`,
  }));
  open(SCOPE, () => preview({ asked: 40, passed: 12, perhaps: 3, newest, looked_at: 60 }));
  expect(await screen.findByText('12 of 40 calls that asked in the last 30 days.')).toBeDefined();
  expect(screen.getByText('The newest 5 of them:')).toBeDefined();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
    [5, 4, 3, 2, 1].map((id) => expect.stringContaining(`~/notes/${id}RLO`)),
  );
  expect(screen.getByText(/^3 more perhaps/)).toBeDefined();
  expect(screen.queryByText(/were looked at/)).toBeNull();
});

test('what is typed is asked about once it stands still, and an older count never stands beside a newer target', async () => {
  vi.useFakeTimers();
  const { fake, show } = open(SCOPE, ({ target }: GrantScope) => preview({ asked: target.length, looked_at: 1 }));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByText('0 of 9 calls that asked in the last 30 days.')).toBeDefined();
  for (const target of ['~/notes/', '~/notes', '~/note']) {
    show({ ...SCOPE, target });
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(screen.queryByText(/calls that asked/)).toBeNull();
    expect(screen.getByText('Looking through past calls…')).toBeDefined();
  }
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(fake.inputsOf('grants.preview')).toEqual([SCOPE, { ...SCOPE, target: '~/note' }]);
  expect(screen.getByText('0 of 6 calls that asked in the last 30 days.')).toBeDefined();
  show(null);
  expect(screen.queryByText(/calls that asked/)).toBeNull();
});

test('where only the newest were looked at it says so', async () => {
  open(SCOPE, () => preview({ asked: 5000, passed: 1, looked_at: 5000, cut_at_ms: 2000 }));
  expect(await screen.findByText(/^Only the newest 5,000 kept calls/)).toBeDefined();
});

test('nothing found is said where calls are kept, and not claimed where none is', async () => {
  const { show } = open(SCOPE, ({ target }: GrantScope) =>
    target === '~/notes/*' ? preview() : preview({ kept: { days: 0, oldest_ms: null, problem: null } }),
  );
  expect(await screen.findByText(/No kept call of this sender asked/)).toBeDefined();
  show({ ...SCOPE, target: '~/x' });
  expect(await screen.findByText(/Kept calls are switched off/)).toBeDefined();
  expect(screen.queryByText(/No kept call of this sender asked/)).toBeNull();
});

test('a database that cannot be read is named, and no count is claimed', async () => {
  open(SCOPE, () => preview({ kept: { days: 30, oldest_ms: null, problem: '/home/u/panel.db is damaged.' } }));
  expect((await screen.findByRole('alert')).textContent).toContain('/home/u/panel.db is damaged.');
  expect(screen.queryByText(/asked/)).toBeNull();
});

test('a question that failed says so and can be asked again', async () => {
  let isBroken = true;
  open(SCOPE, () => {
    if (isBroken) throw engineError('locked', '/home/u/panel.db is in use.', '/home/u/panel.db');
    return preview({ asked: 1, passed: 1, looked_at: 1 });
  });
  await screen.findByText('/home/u/panel.db is in use.');
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: /again/i }));
  await waitFor(() => expect(screen.getByText('1 of 1 call that asked in the last 30 days.')).toBeDefined());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('in Italian', async () => {
  await i18n.changeLanguage('it');
  open(SCOPE, () => preview({ asked: 2000, passed: 1200, perhaps: 1, looked_at: 2000 }));
  expect(await screen.findByText(/^1200 su 2000 chiamate|^1\.200 su 2\.?000 chiamate/)).toBeDefined();
  expect(screen.getByText(/^Forse 1 altra/)).toBeDefined();
});
