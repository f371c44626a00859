import { expect, test } from 'vitest';
import type { TargetKind } from '../../../shared/domain/capability.ts';
import type { GrantView } from '../../../shared/domain/grant.ts';
import { containedGrants } from './contained.logic.ts';

const KINDS = new Map<string, TargetKind>([
  ['fs:read', 'path_glob'],
  ['network:http', 'host'],
  ['mail:send', 'exact'],
]);
const grant = (id: number, target: string, more: Partial<GrantView> = {}): GrantView => ({
  id,
  channel: 'telegram',
  sender_id: 'anna',
  capability: 'fs:read',
  target,
  granted_at: '',
  expires_at: null,
  granted_by: null,
  revoked_at: null,
  state: 'active',
  no_effect: null,
  expires_ms: null,
  granted_ms: 1,
  bad_expiry: false,
  uses: null,
  last_used_ms: null,
  revoked_reason: null,
  ...more,
});
const found = (grants: GrantView[], now = 0): string[] =>
  containedGrants(grants, KINDS, now).map(({ grant: inner, by }) => `${inner.id} in ${by.id}`);

test.each([
  ['~/notes/a/*', '~/notes/**', 'fs:read', true],
  ['~/notes/a.md', '~/**', 'fs:read', true],
  ['/data/**', '/**', 'fs:read', true],
  ['~/notes/**', '~/notes/**', 'fs:read', true],
  // `*` stays inside one folder; a name with a dot is not covered by `**`; a neighbour is no part.
  ['~/notes/a/b', '~/notes/*', 'fs:read', false],
  ['~/notes/.git/*', '~/notes/**', 'fs:read', false],
  ['~/.config/app/*', '~/.config/**', 'fs:read', true],
  ['~/notes', '~/notes/**', 'fs:read', false],
  ['~/notes2/a', '~/notes/**', 'fs:read', false],
  // Not told by the text alone.
  ['~/notes/../.ssh/a', '~/notes/**', 'fs:read', false],
  ['/home/anna/notes/a', '~/notes/**', 'fs:read', false],
  ['api.example.org', '*.example.org', 'network:http', true],
  ['*.api.example.org', '*.example.org', 'network:http', true],
  ['example.org', '*.example.org', 'network:http', false],
  ['evil-example.org', '*.example.org', 'network:http', false],
  ['api.example.org:8080', '*.example.org', 'network:http', false],
  ['anna@example.org', '*', 'mail:send', false],
])('%s within %s (%s): %s', (inner, outer, capability, expected) => {
  const grants = [grant(1, inner, { capability }), grant(2, outer, { capability })];
  expect(found(grants)).toEqual(expected ? ['1 in 2'] : []);
});

test.each<[string, Partial<GrantView>, Partial<GrantView>]>([
  ['another sender', {}, { sender_id: 'roberto' }],
  ['another channel', {}, { channel: 'cli' }],
  ['another capability', {}, { capability: 'fs:write' }],
  ['one that ends sooner', { expires_ms: 20 }, { expires_ms: 10 }],
  ['one that ends, of one that does not', {}, { expires_ms: 10 }],
  ['one that was revoked', {}, { state: 'revoked' }],
  ['one that changes no outcome', {}, { no_effect: 'always' }],
])('nothing is contained in %s', (_what, inner, outer) => {
  expect(found([grant(1, '~/a/*', inner), grant(2, '~/**', outer)])).toEqual([]);
});

test('of equal ones the one that holds longest stays, the newest of those that hold as long', () => {
  const grants = [grant(1, '~/a/*'), grant(2, '~/a/*', { expires_ms: 50 }), grant(3, '~/a/*')];
  expect(found(grants)).toEqual(['1 in 3', '2 in 3']);
});

test('what has run out meanwhile contains nothing', () => {
  const grants = [grant(1, '~/a/*', { expires_ms: 10 }), grant(2, '~/**', { expires_ms: 20 })];
  expect(found(grants, 5)).toEqual(['1 in 2']);
  expect(found(grants, 20)).toEqual([]);
});
