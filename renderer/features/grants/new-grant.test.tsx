import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Capability } from '../../../shared/domain/capability.ts';
import { engineError, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { NewGrant } from './new-grant.tsx';

const capability = (name: Capability['name'], more: Partial<Capability> = {}): Capability => ({
  name,
  critical: false,
  default_approval: 'per_target',
  target_kind: 'path_glob',
  description: '',
  ...more,
});

const capabilities = [
  capability('fs:read'),
  capability('llm:online', { target_kind: 'none' }),
  capability('mail:send', { default_approval: 'always', target_kind: 'exact' }),
  capability('time:read', { default_approval: 'none', target_kind: 'none' }),
];

function open(record: (input: never) => unknown) {
  const fake = installFakeRpc({
    'policy.matrix': () => ({ capabilities, cells: [] }),
    'level.state': () => ({ default_level: 'Supervised', pairings: [], problem: null }),
    'grants.record': record,
  });
  const onClose = vi.fn();
  const onMade = vi.fn();
  const view = (isOpen: boolean) => (
    <TooltipProvider>
      <NewGrant open={isOpen} onClose={onClose} grants={[]} onMade={onMade} />
    </TooltipProvider>
  );
  const { rerender } = render(view(true));
  return { fake, onClose, onMade, show: (isOpen: boolean) => rerender(view(isOpen)) };
}

const type = (name: string, value: string) =>
  fireEvent.change(document.querySelector(`input[name="${name}"]`) as HTMLInputElement, { target: { value } });
const typed = (name: string) => (document.querySelector(`input[name="${name}"]`) as HTMLInputElement).value;

async function choose(name: RegExp) {
  const box = await screen.findByRole('combobox', { name: 'Capability' });
  fireEvent.keyDown(box, { key: 'Enter' });
  const option = await screen.findByRole('option', { name });
  fireEvent.keyDown(option, { key: 'Enter' });
}

async function fill(target: string) {
  await choose(/fs:read/);
  type('channel', 'web');
  type('sender_id', 'roberto');
  type('target', target);
}

const sign = () => fireEvent.click(screen.getByRole('button', { name: 'Grant' }));

afterEach(cleanup);

test('an error of the engine stands at the field that it names, and nothing typed is lost', async () => {
  const { onMade } = open(() => {
    throw engineError('refused', 'target ~/.ssh/* is a forbidden path.', 'target');
  });
  await fill('~/.ssh/*');
  sign();
  await screen.findByText('target ~/.ssh/* is a forbidden path.');
  const target = document.querySelector('input[name="target"]');
  expect(target?.getAttribute('aria-invalid')).toBe('true');
  const described = target?.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent).join(' ')).toContain('forbidden path');
  expect([typed('channel'), typed('sender_id'), typed('target')]).toEqual(['web', 'roberto', '~/.ssh/*']);
  expect(onMade).not.toHaveBeenCalled();

  type('target', '~/notes/*');
  expect(screen.queryByText('target ~/.ssh/* is a forbidden path.')).toBeNull();
});

test('an error that concerns no field stands above the form', async () => {
  open(() => {
    throw engineError('locked', '/home/u/grants.db is in use.', '/home/u/grants.db');
  });
  await fill('~/notes/*');
  sign();
  await screen.findByText('/home/u/grants.db is in use.');
  expect(typed('target')).toBe('~/notes/*');
});

test('empty fields are named and nothing is sent', async () => {
  const { fake } = open(() => ({}));
  await screen.findByRole('combobox', { name: 'Capability' });
  sign();
  expect((await screen.findAllByText('Required.')).length).toBe(3);
  expect(fake.inputsOf('grants.record')).toEqual([]);
});

test('a broad target is sent only after an explicit yes, which a change of target takes back', async () => {
  const { fake, onMade } = open((input) => ({ id: 1, capability: 'fs:read', target: '~/**', ...(input as object) }));
  await fill('~/**');
  sign();
  await screen.findByText('So wide a grant needs this yes.');
  expect(fake.inputsOf('grants.record')).toEqual([]);

  const yes = () => screen.getByRole('checkbox');
  fireEvent.click(yes());
  type('target', '/**');
  expect(yes().getAttribute('aria-checked')).toBe('false');
  fireEvent.click(yes());
  sign();
  await waitFor(() => expect(onMade).toHaveBeenCalled());
  expect(fake.inputsOf('grants.record')).toEqual([
    expect.objectContaining({ target: '/**', confirmBroad: true, channel: 'web', sender_id: 'roberto' }),
  ]);
});

test('a broad target that only the engine finds asks for the same yes', async () => {
  open(() => {
    throw engineError('confirmation-needed', 'target /home/u/** covers the whole home folder or more.', 'target');
  });
  await fill('/home/u/**');
  expect(screen.queryByRole('checkbox')).toBeNull();
  sign();
  await screen.findByRole('checkbox', { name: /Yes, I mean/ });
  expect(screen.getByText(/covers the whole home folder/)).toBeDefined();
});

test('capabilities that always or never ask are in sight but cannot be chosen', async () => {
  open(() => ({}));
  fireEvent.keyDown(await screen.findByRole('combobox', { name: 'Capability' }), { key: 'Enter' });
  const always = await screen.findByRole('option', { name: /mail:send/ });
  expect(always.getAttribute('aria-disabled')).toBe('true');
  expect(always.textContent).toContain('asks every time');
  expect(screen.getByRole('option', { name: /time:read/ }).textContent).toContain('never asks');
});

test('where there is no target none is asked for', async () => {
  const { fake } = open(() => ({ id: 1, capability: 'llm:online', target: '*' }));
  await choose(/llm:online/);
  expect(document.querySelector('input[name="target"]')).toBeNull();
  type('channel', 'cli');
  type('sender_id', 'roberto');
  fireEvent.click(screen.getByRole('radio', { name: 'Never' }));
  sign();
  await waitFor(() =>
    expect(fake.inputsOf('grants.record')).toEqual([
      { channel: 'cli', sender_id: 'roberto', capability: 'llm:online', target: '*', expires_at: null },
    ]),
  );
});

test('what was typed outlives a window that was closed', async () => {
  const { show } = open(() => ({}));
  await fill('~/notes/*');
  show(false);
  show(true);
  await waitFor(() => expect(typed('target')).toBe('~/notes/*'));
});
