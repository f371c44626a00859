import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FreezeView, LevelState } from '../../../shared/domain/level.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { useToasts } from '../../ui/toast.store.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { FrozenBanner } from './freeze.tsx';
import { DEFAULT_SCOPE } from './level.logic.ts';
import { takeLevelState, useLevels } from './level.store.ts';
import { LevelSwitch } from './level-switch.tsx';
import { useUnfreezing } from './unfreeze.store.ts';
import { UnfreezeDialog } from './unfreeze-dialog.tsx';

const state = (more: Partial<LevelState> = {}): LevelState => ({
  default_level: 'Supervised',
  default_timed: null,
  pairings: [],
  frozen: null,
  problem: null,
  ...more,
});
const view = (more: Partial<FreezeView> = {}): FreezeView => ({
  since_ms: Date.now(),
  who: 'operator',
  restores: [{ scope: { kind: 'default' }, to: 'Supervised' }],
  requests: [],
  confirmation: 'one',
  ...more,
});
const frozen = (more: Partial<FreezeView> = {}) => state({ default_level: 'ReadOnly', frozen: view(more) });
const request = (fate: 'denied' | 'still-asks') => ({
  token: fate,
  channel: 'telegram',
  sender_id: 'roberto',
  executor: 'send_mail',
  capability: 'mail:send',
  fate,
});

beforeEach(() => {
  useLevels.setState({ state: null, problem: null, scope: DEFAULT_SCOPE });
  useUnfreezing.setState({ open: false });
  useToasts.setState({ messages: [] });
});
afterEach(cleanup);

async function show(handlers: Handlers) {
  const fake = installFakeRpc({ 'level.state': () => state(), ...handlers });
  render(
    <TooltipProvider>
      <LevelSwitch />
      <FrozenBanner />
      <UnfreezeDialog />
    </TooltipProvider>,
  );
  await screen.findByRole('radio', { name: 'Full' });
  return fake;
}

test('one click freezes everything and says what became of what was unfinished', async () => {
  const fake = await show({
    'level.freeze': () => frozen({ requests: [request('denied'), request('denied'), request('still-asks')] }),
  });
  fireEvent.click(screen.getByRole('button', { name: 'Freeze' }));
  expect((await screen.findByTestId('frozen')).textContent).toContain('Everything is frozen since');
  expect(fake.inputsOf('level.freeze')).toEqual([{}]);
  expect(useToasts.getState().messages[0]?.detail).toBe('3 unfinished requests: 2 denied, 1 still asks.');
  expect(screen.getByRole('radio', { name: 'Read-only' }).getAttribute('aria-checked')).toBe('true');
});

test('a second click on the same place opens nothing up: it only shows what would come back', async () => {
  const fake = await show({ 'level.state': () => frozen(), 'level.unfreeze': () => state() });
  fireEvent.click(await screen.findByRole('button', { name: 'Frozen' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('1 level comes back');
  const confirm = within(dialog).getByRole('button', { name: 'Unfreeze' }) as HTMLButtonElement;
  expect(confirm.disabled).toBe(true);
  expect(document.activeElement?.textContent).toBe('Leave it frozen');
  fireEvent.click(confirm);
  expect(fake.inputsOf('level.unfreeze')).toEqual([]);
  fireEvent.click(within(dialog).getByRole('checkbox'));
  fireEvent.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(fake.inputsOf('level.unfreeze')).toEqual([{ confirmation: 'one' }]);
  expect(screen.queryByTestId('frozen')).toBeNull();
});

test('what comes back is read again when it changes meanwhile', async () => {
  await show({ 'level.state': () => frozen() });
  fireEvent.click(await screen.findByRole('button', { name: 'Frozen' }));
  const box = within(await screen.findByRole('dialog')).getByRole('checkbox');
  fireEvent.click(box);
  expect(box.getAttribute('aria-checked')).toBe('true');
  act(() => takeLevelState(frozen({ confirmation: 'two', restores: [{ scope: { kind: 'default' }, to: 'Full' }] })));
  expect(box.getAttribute('aria-checked')).toBe('false');
});

test('the requests of the freeze stand in the dialog with their fate', async () => {
  await show({ 'level.state': () => frozen({ requests: [request('denied'), request('still-asks')] }) });
  fireEvent.click(await screen.findByRole('button', { name: 'Frozen' }));
  const dialog = await screen.findByRole('dialog');
  const rows = within(dialog)
    .getAllByRole('listitem')
    .map((each) => each.textContent);
  expect(rows.some((text) => text?.includes('send_mail') && text.includes('Denied'))).toBe(true);
  expect(rows.some((text) => text?.includes('Still asks'))).toBe(true);
});

test('while frozen a level is not raised; the way there is to unfreeze', async () => {
  const fake = await show({ 'level.state': () => frozen() });
  await screen.findByTestId('frozen');
  fireEvent.click(screen.getByRole('radio', { name: 'Full' }));
  expect((await screen.findByRole('dialog')).textContent).toContain('Unfreeze?');
  expect(fake.inputsOf('level.preview')).toEqual([]);
  expect(fake.inputsOf('level.set')).toEqual([]);
});

test('a freeze that fails says so, and nothing claims to be frozen', async () => {
  await show({
    'level.freeze': () => {
      throw engineError('locked', 'pairings.db is in use.');
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Freeze' }));
  await waitFor(() => expect(useToasts.getState().messages[0]?.tone).toBe('error'));
  expect(useToasts.getState().messages[0]?.text).toBe('Not frozen');
  expect(screen.queryByTestId('frozen')).toBeNull();
});

test('a level raised for an hour is sent with its end, and shows how long it still holds', async () => {
  const fake = await show({
    'level.preview': () => ({
      scope: { kind: 'default' },
      from: 'Supervised',
      to: 'Full',
      direction: 'raise',
      cells: [],
      grants_live: [],
      confirmation: 'c',
    }),
    'level.set': ({ until_ms }: { until_ms?: number }) =>
      state({
        default_level: 'Full',
        default_timed: until_ms === undefined ? null : { until_ms, falls_back_to: 'Supervised' },
      }),
  });
  fireEvent.click(screen.getByRole('radio', { name: 'Full' }));
  const box = await screen.findByRole('checkbox');
  await waitFor(() => expect((box as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(screen.getByRole('radio', { name: '1 hour' }));
  fireEvent.click(box);
  const before = Date.now();
  fireEvent.click(screen.getByRole('button', { name: 'Raise to Full' }));
  const chip = await screen.findByTestId('timed');
  const [sent] = fake.inputsOf('level.set') as { until_ms: number }[];
  expect(Math.abs((sent?.until_ms ?? 0) - before - 3_600_000)).toBeLessThan(3000);
  expect(chip.textContent).toMatch(/^(1:00:00|59:5\d)→ Supervised$/);
});
