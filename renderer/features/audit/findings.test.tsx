import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Finding, Integrity } from '../../../shared/domain/integrity.ts';
import { i18n } from '../../app/i18n/i18n.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TooltipProvider } from '../../ui/tooltip.tsx';
import { Findings } from './findings.tsx';

afterEach(async () => {
  cleanup();
  await i18n.changeLanguage('en');
});

const finding = (id: number, file: string, more: Partial<Finding> = {}): Finding => ({
  id,
  kind: 'changed',
  file,
  line: id,
  last_line: id,
  found_at: 31,
  detail: `Line ${id} was changed.`,
  acknowledged_at: null,
  acknowledged_by: null,
  ...more,
});
const known = finding(9, '2026-08.jsonl', { kind: 'deleted', line: null, acknowledged_at: 60, acknowledged_by: 'me' });
const integrity: Integrity = {
  state: 'finding',
  verified_to: 30,
  checked_at: 31,
  since: 1,
  lines: 3,
  acts: 1,
  findings: [finding(4, '2026-11.jsonl'), finding(2, '2026-10.jsonl'), finding(1, '2026-11.jsonl')],
  acknowledged: [known],
  progress: null,
};

function show(handlers: Handlers = {}) {
  const fake = installFakeRpc(handlers);
  const onChange = vi.fn();
  render(
    <TooltipProvider>
      <Findings integrity={integrity} onChange={onChange} />
    </TooltipProvider>,
  );
  return { fake, onChange };
}

test('what is open is acknowledged file by file, and what is acknowledged is listed with its time', async () => {
  const { fake, onChange } = show({ 'audit.acknowledge': () => integrity });
  const done = screen.getByRole('region', { name: 'Acknowledged' });
  expect(within(done).getByText(/Acknowledged 1 Jan 1970/).textContent).toContain('me');
  expect(within(done).queryByRole('button')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge: 2026-11.jsonl' }));
  await waitFor(() => expect(onChange).toHaveBeenCalledOnce());
  expect(fake.inputsOf('audit.acknowledge')).toEqual([{ ids: [4, 1] }]);
});

test('while it is on its way no second one can be sent', async () => {
  const { fake } = show();
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge: 2026-11.jsonl' }));
  const other = screen.getByRole('button', { name: 'Acknowledge: 2026-10.jsonl' }) as HTMLButtonElement;
  await waitFor(() => expect(other.disabled).toBe(true));
  fireEvent.click(other);
  expect(fake.inputsOf('audit.acknowledge')).toHaveLength(1);
});

test('a refusal says why, and asks for what is found now', async () => {
  const { onChange } = show({
    'audit.acknowledge': () => {
      throw engineError('conflict', 'More of 2026-11.jsonl differs', '2026-11.jsonl');
    },
  });
  fireEvent.click(screen.getByRole('button', { name: 'Acknowledge: 2026-11.jsonl' }));
  expect((await screen.findByRole('alert')).textContent).toContain('More of 2026-11.jsonl differs');
  expect(onChange).toHaveBeenCalledOnce();
});

test('in Italian too', async () => {
  await i18n.changeLanguage('it');
  show();
  expect(screen.getByRole('button', { name: 'Prendi atto: 2026-10.jsonl' })).toBeTruthy();
});
