import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LevelPreview, LevelState, PairingView } from '../../../shared/domain/level.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { useToasts } from '../../ui/toast.store.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { DEFAULT_SCOPE } from './level.logic.ts';
import { useLevels } from './level.store.ts';
import { LevelSwitch } from './level-switch.tsx';

const state = (default_level: LevelState['default_level'], pairings: PairingView[] = []): LevelState => ({
  default_level,
  default_timed: null,
  frozen: null,
  pairings,
  problem: null,
});
const preview = (more: Partial<LevelPreview> = {}): LevelPreview => ({
  scope: { kind: 'default' },
  from: 'Supervised',
  to: 'Full',
  direction: 'raise',
  cells: [
    { capability: 'fs:write', from: 'approval_required', to: 'allowed', opens: true },
    { capability: 'code:exec', from: 'approval_required', to: 'approval_required', opens: false },
  ],
  grants_live: [],
  confirmation: 'one',
  ...more,
});

beforeEach(() => {
  useLevels.setState({ state: null, problem: null, scope: DEFAULT_SCOPE });
  useToasts.setState({ messages: [] });
});
afterEach(cleanup);

async function show(handlers: Handlers) {
  const fake = installFakeRpc({ 'level.state': () => state('Supervised'), ...handlers });
  render(
    <TooltipProvider>
      <LevelSwitch />
    </TooltipProvider>,
  );
  await screen.findByRole('radio', { name: 'Full' });
  return fake;
}
const level = (name: string) => screen.getByRole('radio', { name, hidden: true });
const inForce = () =>
  screen.getAllByRole('radio', { hidden: true }).find((each) => each.getAttribute('aria-checked') === 'true')
    ?.textContent;

test('lowering takes one click and says what closed', async () => {
  const fake = await show({
    'level.set': () => state('ReadOnly'),
    'level.preview': () =>
      preview({ cells: [{ capability: 'fs:write', from: 'approval_required', to: 'denied', opens: false }] }),
  });
  fireEvent.click(level('Read-only'));
  await waitFor(() => expect(inForce()).toBe('Read-only'));
  expect(fake.inputsOf('level.set')).toEqual([{ scope: { kind: 'default' }, to: 'ReadOnly' }]);
  await waitFor(() => expect(useToasts.getState().messages[0]?.detail).toBe('1 capability closed: fs:write'));
});

test('lowering does not wait for its preview, nor fail with it', async () => {
  const fake = await show({
    'level.set': () => state('ReadOnly'),
    'level.preview': () => {
      throw engineError('damaged', 'x');
    },
  });
  fireEvent.click(level('Read-only'));
  await waitFor(() => expect(inForce()).toBe('Read-only'));
  expect(fake.inputsOf('level.set')).toHaveLength(1);
});

test('rising shows what opens and changes nothing until that was read and confirmed', async () => {
  const fake = await show({ 'level.preview': () => preview(), 'level.set': () => state('Full') });
  fireEvent.click(level('Full'));
  const dialog = await screen.findByRole('dialog');
  await waitFor(() => expect(dialog.querySelector('[data-capability="fs:write"]')).not.toBeNull());
  expect(dialog.querySelector('[data-capability="code:exec"]')).toBeNull();
  const confirm = screen.getByRole('button', { name: 'Raise to Full' }) as HTMLButtonElement;
  expect(confirm.disabled).toBe(true);
  expect(document.activeElement?.textContent).toBe('Leave it at Supervised');
  expect(fake.inputsOf('level.set')).toEqual([]);
  fireEvent.click(screen.getByRole('checkbox'));
  fireEvent.click(confirm);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(fake.inputsOf('level.set')).toEqual([{ scope: { kind: 'default' }, to: 'Full', confirmation: 'one' }]);
  expect(inForce()).toBe('Full');
});

test('what opens is read again when it changes meanwhile', async () => {
  let now = preview();
  const fake = await show({ 'level.preview': () => now, 'level.set': () => state('Full') });
  fireEvent.click(level('Full'));
  const box = await screen.findByRole('checkbox');
  await waitFor(() => expect((box as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(box);
  expect(box.getAttribute('aria-checked')).toBe('true');
  now = preview({ confirmation: 'two' });
  fake.emit('grants.changed', { version: 2 });
  await waitFor(() => expect(box.getAttribute('aria-checked')).toBe('false'));
  expect((screen.getByRole('button', { name: 'Raise to Full' }) as HTMLButtonElement).disabled).toBe(true);
});

test('a refused raise leaves the level and says why', async () => {
  await show({
    'level.preview': () => preview(),
    'level.set': () => {
      throw engineError('confirmation-needed', 'What opens has changed since it was shown.');
    },
  });
  fireEvent.click(level('Full'));
  const box = await screen.findByRole('checkbox');
  await waitFor(() => expect((box as HTMLButtonElement).disabled).toBe(false));
  fireEvent.click(box);
  fireEvent.click(screen.getByRole('button', { name: 'Raise to Full' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('What opens has changed');
  expect(box.getAttribute('aria-checked')).toBe('false');
  expect(inForce()).toBe('Supervised');
});

test('arrow keys move the focus and change nothing', async () => {
  const fake = await show({ 'level.set': () => state('ReadOnly'), 'level.preview': () => preview() });
  level('Supervised').focus();
  fireEvent.keyDown(level('Supervised'), { key: 'ArrowLeft' });
  expect(document.activeElement).toBe(level('Read-only'));
  expect(fake.inputsOf('level.set')).toEqual([]);
  expect(inForce()).toBe('Supervised');
});

const pairing: PairingView = {
  id: 1,
  channel: 'web',
  sender_id: 'r',
  stored_level: 'Root\u202e',
  level: 'ReadOnly',
  known: false,
  revoked_at: null,
  paired_at: '',
  last_seen: null,
  display_name: null,
  timed: null,
};
const own = { kind: 'pairing', channel: 'web', sender_id: 'r' } as const;

test('an unknown stored level shows as Read-only, with its text', async () => {
  useLevels.setState({ state: state('Full', [pairing]), scope: own });
  await show({ 'level.state': () => state('Full', [pairing]) });
  expect(inForce()).toBe('Read-only');
  expect(screen.getByRole('button', { name: /Root⟨RLO⟩/ })).toBeTruthy();
});

test('a revoked pairing is shown and cannot be switched', async () => {
  const revoked = { ...pairing, known: true, level: 'Full' as const, revoked_at: '2026-01-01T00:00:00Z' };
  useLevels.setState({ state: state('Full', [revoked]), scope: own });
  const fake = await show({ 'level.state': () => state('Full', [revoked]), 'level.set': () => state('ReadOnly') });
  fireEvent.click(level('Read-only'));
  expect((level('Read-only') as HTMLButtonElement).disabled).toBe(true);
  expect(fake.inputsOf('level.set')).toEqual([]);
  expect(screen.getByText('Revoked')).toBeTruthy();
});

test('follows a change made by another program', async () => {
  const fake = await show({});
  fake.emit('level.changed', state('ReadOnly'));
  await waitFor(() => expect(inForce()).toBe('Read-only'));
});
