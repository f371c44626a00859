import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LevelState } from '../../../shared/domain/level.ts';
import { type Handlers, installFakeRpc } from '../../test/fake-rpc.ts';
import { useLevels } from '../level/level.store.ts';
import { useUnfreezing } from '../level/unfreeze.store.ts';
import { GoDialog } from './go-dialog.tsx';

const free: LevelState = {
  default_level: 'Full',
  default_timed: null,
  pairings: [],
  frozen: null,
  problem: null,
};
const frozen: LevelState = {
  ...free,
  frozen: { since_ms: 1, who: 'operator', restores: [], requests: [], confirmation: 'one' },
};

beforeEach(() => {
  useLevels.setState({ state: free });
  useUnfreezing.setState({ open: false });
});
afterEach(cleanup);

async function show(handlers: Handlers) {
  const fake = installFakeRpc(handlers);
  const root = createRootRoute({});
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: () => <GoDialog open onClose={() => {}} />,
  });
  const router = createRouter({ routeTree: root.addChildren([page]), history: createMemoryHistory() });
  render(<RouterProvider router={router as never} />);
  return { fake, field: await screen.findByRole('combobox') };
}

test('“freeze” and Enter freeze everything', async () => {
  const { fake, field } = await show({ 'level.freeze': () => frozen });
  fireEvent.change(field, { target: { value: 'freeze' } });
  expect(screen.getAllByRole('option').map((each) => each.textContent)).toEqual(['Freeze everything']);
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(useLevels.getState().state?.frozen).not.toBeNull());
  expect(fake.inputsOf('level.freeze')).toEqual([{}]);
});

test('while frozen it only leads to what unfreezing brings back', async () => {
  useLevels.setState({ state: frozen });
  const { fake, field } = await show({ 'level.freeze': () => frozen, 'level.unfreeze': () => free });
  fireEvent.change(field, { target: { value: 'frozen' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(useUnfreezing.getState().open).toBe(true);
  // It looks for grants and executors of that name too; it does nothing.
  const reads = ['grants.list', 'audit.stats', 'turns.page'];
  expect(fake.calls.map(({ path }) => path).filter((path) => !reads.includes(path))).toEqual([]);
});
