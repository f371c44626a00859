import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { TelosFile } from '../../../shared/rpc/proposals.ts';
import { engineError, type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { TelosView } from './telos-view.tsx';

afterEach(cleanup);

const telos = { id: 't.a', phrase: 'Be well', weight: 1, normalised: 0.25, threshold: 0.4, notes: '', line: 1 };
const file = (change: Partial<TelosFile> = {}): TelosFile => ({
  ...{ path: '/w/TELOS.md', text: 'as it is', version: 'v1', teloi: [telos], problems: [], unreadable: null },
  ...change,
});

function open(handlers: Handlers = {}, first = file()) {
  let now = first;
  const rpc = installFakeRpc({
    'proposals.telos': () => now,
    'proposals.checkTelos': ({ text }: { text: string }) =>
      text.includes('wrong')
        ? { teloi: [], problems: [{ line: 2, code: 'bad-weight', what: 'much' }] }
        : { teloi: [telos], problems: [] },
    'proposals.saveTelos': ({ text }: { text: string }) => {
      now = file({ text, version: 'v2' });
      return now;
    },
    ...handlers,
  });
  render(<TelosView />);
  return {
    rpc,
    changeElsewhere: (text: string) => {
      now = file({ text, version: 'other' });
      rpc.emit('proposals.changed', { version: 2 });
    },
  };
}
const area = async () => (await screen.findByRole('textbox')) as HTMLTextAreaElement;
const type = async (text: string) => fireEvent.change(await area(), { target: { value: text } });
const save = () => screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement;

test('the preview shows the shares, and what is wrong with its line', async () => {
  open();
  expect(await screen.findByText('25%')).toBeTruthy();
  expect(screen.getByText('Be well')).toBeTruthy();
  await type('first\nwrong here');
  const problem = await screen.findByRole('button', { name: /Line 2.*“much” is no number above 0/ });
  expect(save().disabled).toBe(true);
  fireEvent.click(problem);
  const box = await area();
  expect(box.value.slice(box.selectionStart, box.selectionEnd)).toBe('wrong here');
});

test('a text without problems is saved with the version that it was made from', async () => {
  const { rpc } = open();
  expect((await area()).value).toBe('as it is');
  expect(save().disabled).toBe(true);
  await type('better');
  await waitFor(() => expect(save().disabled).toBe(false));
  fireEvent.keyDown(await area(), { key: 's', ctrlKey: true });
  await waitFor(() => expect(rpc.inputsOf('proposals.saveTelos')).toEqual([{ text: 'better', version: 'v1' }]));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('Saved, in force'));
});

test('a file that changed meanwhile is followed, unless something of the person’s would be lost', async () => {
  const { changeElsewhere } = open();
  await area();
  changeElsewhere('from an editor');
  await waitFor(async () => expect((await area()).value).toBe('from an editor'));
  await type('mine');
  changeElsewhere('once more');
  // The same version again is no change.
  expect((await area()).value).toBe('mine');
});

test('a change by another program while editing is told, and saving waits', async () => {
  let version = 'v1';
  const { rpc } = open({ 'proposals.telos': () => file({ version, text: version }) });
  await type('mine');
  await waitFor(() => expect(save().disabled).toBe(false));
  version = 'v9';
  rpc.emit('proposals.changed', { version: 2 });
  const strip = await screen.findByRole('alert');
  expect(strip.textContent).toContain('changed by another program');
  expect(save().disabled).toBe(true);
  expect((await area()).value).toBe('mine');
  fireEvent.click(screen.getByRole('button', { name: 'Load it' }));
  await waitFor(async () => expect((await area()).value).toBe('v9'));
});

test('what the engine refuses is told, and nothing typed is lost', async () => {
  open({
    'proposals.saveTelos': () => {
      throw engineError('conflict', '/w/TELOS.md was changed meanwhile.');
    },
  });
  await type('mine');
  await waitFor(() => expect(save().disabled).toBe(false));
  fireEvent.click(save());
  expect((await screen.findByRole('alert')).textContent).toContain('was changed meanwhile');
  expect((await area()).value).toBe('mine');
});

test('without a file an example starts one', async () => {
  open({}, file({ text: null, version: 'none', teloi: [] }));
  fireEvent.click(await screen.findByRole('button', { name: 'Start with an example' }));
  expect((await area()).value).toContain('## t.health — Stay healthy');
  await waitFor(() => expect(save().disabled).toBe(false));
});

test('a file that cannot be read is told', async () => {
  open({}, file({ text: null, unreadable: '/w/TELOS.md cannot be read (EACCES).' }));
  expect(await screen.findByText(/EACCES/)).toBeTruthy();
});
