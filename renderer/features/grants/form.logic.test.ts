import { describe, expect, test } from 'vitest';
import type { Capability } from '../../../shared/domain/capability.ts';
import { isoSeconds } from '../../app/grant-terms/expiry.logic.ts';
import { checkDraft, fieldOf, type GrantDraft, previewScope, toNewGrant } from './form.logic.ts';

const read: Capability = {
  name: 'fs:read',
  critical: false,
  default_approval: 'per_target',
  target_kind: 'path_glob',
  description: '',
};
const online: Capability = { ...read, name: 'llm:online', target_kind: 'none' };
const send: Capability = { ...read, name: 'mail:send', default_approval: 'always', target_kind: 'exact' };
const capabilities = [read, online, send];
const NOW = new Date(2026, 10, 30, 12);
const draft: GrantDraft = {
  capability: 'fs:read',
  channel: 'web',
  sender_id: 'roberto',
  target: '~/Documents/*',
  preset: '30days',
  custom: '',
  confirmBroad: false,
};
const faults = (more: Partial<GrantDraft>) => checkDraft({ ...draft, ...more }, capabilities, NOW);

describe('checks before sending', () => {
  test('a whole draft has no faults', () => {
    expect(faults({})).toEqual({});
  });

  test('each empty field is named, spaces are nothing', () => {
    expect(faults({ capability: '', channel: ' ', sender_id: '', target: '\t' })).toEqual({
      capability: 'empty',
      channel: 'empty',
      sender_id: 'empty',
      target: 'empty',
    });
  });

  test('a capability that no grant is made for is not sent', () => {
    expect(faults({ capability: 'mail:send', target: 'anna@example.com' })).toEqual({ capability: 'not-offered' });
    expect(faults({ capability: 'disk:format' })).toEqual({ capability: 'not-offered' });
  });

  test('a broad target waits for a yes', () => {
    expect(faults({ target: '~/**' })).toEqual({ confirmBroad: 'confirm' });
    expect(faults({ target: '~/**', confirmBroad: true })).toEqual({});
  });

  test('dates are named by what is wrong with them', () => {
    expect(faults({ preset: 'custom' })).toEqual({ expires_at: 'missing-date' });
    expect(faults({ preset: 'custom', custom: 'soon' })).toEqual({ expires_at: 'unreadable-date' });
    expect(faults({ preset: 'custom', custom: '2026-11-30T11:59' })).toEqual({ expires_at: 'past' });
  });

  test('where the capability has no target none is asked for', () => {
    expect(faults({ capability: 'llm:online', target: '' })).toEqual({});
  });
});

describe('what is sent', () => {
  test('trimmed, with the date in UTC and without a confirmation that was not given', () => {
    expect(toNewGrant({ ...draft, channel: ' web ', target: ' ~/x ' }, read, NOW)).toEqual({
      channel: 'web',
      sender_id: 'roberto',
      capability: 'fs:read',
      target: '~/x',
      expires_at: isoSeconds(new Date(2026, 11, 30, 12)),
    });
  });

  test('a capability without targets sends the star', () => {
    expect(toNewGrant({ ...draft, target: 'left over' }, online, NOW).target).toBe('*');
  });

  test('the yes goes along', () => {
    expect(toNewGrant({ ...draft, target: '/', confirmBroad: true }, read, NOW).confirmBroad).toBe(true);
  });
});

test('an error finds its field', () => {
  expect(fieldOf('bad-input', 'target')).toBe('target');
  expect(fieldOf('refused', 'expires_at')).toBe('expires_at');
  expect(fieldOf('confirmation-needed', 'target')).toBe('confirmBroad');
  expect(fieldOf('locked', '/home/user/grants.db')).toBeNull();
  expect(fieldOf(null, null)).toBeNull();
});

test('past calls are looked for once it is whole for whom and for what it is, whatever the expiry', () => {
  const scope = { channel: 'web', sender_id: 'roberto', capability: 'fs:read', target: '~/Documents/*' };
  expect(previewScope({ ...draft, channel: ' web ', preset: 'custom' }, read)).toEqual(scope);
  for (const part of ['channel', 'sender_id', 'target'])
    expect(previewScope({ ...draft, [part]: ' ' }, read)).toBeNull();
  expect(previewScope({ ...draft, target: '' }, online)).toMatchObject({ capability: 'llm:online', target: '*' });
  expect(previewScope(draft, send)).toBeNull();
  expect(previewScope(draft, undefined)).toBeNull();
});
