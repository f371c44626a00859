import { expect, test } from 'vitest';
import { grantViewSchema } from '../../shared/domain/grant.ts';
import { viewGrant } from './grant-view.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const GRANT = {
  id: 1,
  channel: 'telegram',
  sender_id: 'roberto',
  capability: 'fs:read',
  target: '~/Documents/**',
  granted_at: '2026-11-01T10:00:00Z',
  expires_at: null as string | null,
  granted_by: null,
  revoked_at: null as string | null,
};

test.each([
  [{}, { state: 'active', expires_ms: null, bad_expiry: false }],
  [{ expires_at: '2026-12-31' }, { state: 'active', expires_ms: Date.UTC(2026, 11, 31), bad_expiry: false }],
  [{ expires_at: '2026-11-30' }, { state: 'expired', expires_ms: Date.UTC(2026, 10, 30), bad_expiry: false }],
  [{ expires_at: 'soon' }, { state: 'expired', expires_ms: null, bad_expiry: true }],
  [{ expires_at: '' }, { state: 'expired', expires_ms: null, bad_expiry: true }],
  [
    { revoked_at: '2026-11-02T00:00:00Z', expires_at: 'soon' },
    { state: 'revoked', bad_expiry: true },
  ],
  [{ revoked_at: '' }, { state: 'revoked' }],
  [{ granted_at: 'once' }, { granted_ms: null, state: 'active' }],
])('%j is %j', (change, expected) => {
  const view = viewGrant({ ...GRANT, ...change }, NOW);
  expect(view).toMatchObject(expected);
  expect(grantViewSchema.parse(view)).toEqual(view);
});

test.each([
  ['fs:read', null],
  ['code:exec', 'always'],
  ['mail:send', 'always'],
  ['time:read', 'none'],
  ['fs:delete', 'unknown_capability'],
  ['constructor', 'unknown_capability'],
])('%s without effect because of: %s', (capability, why) => {
  expect(viewGrant({ ...GRANT, capability }, NOW).no_effect).toBe(why);
});
