import { expect, test } from 'vitest';
import { resolvePaths } from './paths.ts';

test('the three roots move, single files move further, an empty value counts as not set', () => {
  const home = '/home/user';
  expect(resolvePaths({}, home).grantsDb).toBe('/home/user/.local/state/metnos/grants.db');
  expect(resolvePaths({ METNOS_GRANTS_DB: '' }, home).grantsDb).toBe('/home/user/.local/state/metnos/grants.db');
  expect(resolvePaths({ METNOS_USER_STATE: '/s', METNOS_GRANTS_DB: '/g/x.db' }, home)).toMatchObject({
    grantsDb: '/g/x.db',
    pairingsDb: '/s/pairings.db',
    panelDb: '/s/panel.db',
  });
  expect(resolvePaths({ METNOS_USER_DATA: '/d' }, home).verdictLog).toBe('/d/vaglio');
});
