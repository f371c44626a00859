import { describe, expect, test } from 'vitest';
import type { NewGrant } from '../../shared/domain/grant.ts';
import { UserError } from '../engine/errors.ts';
import { checkNewGrant } from './grant-rules.ts';

const HOME = '/home/user';
const NOW = Date.UTC(2026, 10, 30, 12);
const GRANT: NewGrant = { channel: 'telegram', sender_id: 'roberto', capability: 'fs:read', target: '~/Documents/**' };

function check(change: Partial<NewGrant>, home = HOME) {
  const forbiddenPath = (value: string) => (/(^|\/)\.ssh(\/|$)/.test(value) ? '(^|/)\\.ssh(/|$)' : null);
  return checkNewGrant({ ...GRANT, ...change }, { home, now: NOW, forbiddenPath });
}

function refusal(change: Partial<NewGrant>, home = HOME): { code: string; subject: string | null } | null {
  try {
    check(change, home);
    return null;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.message).toContain(error.subject ?? '');
    return { code: error.code, subject: error.subject };
  }
}

test('a good grant is stored as it was given, with our dates', () => {
  expect(check({ expires_at: '2027-03-01T00:00:00+01:00' })).toEqual({
    channel: 'telegram',
    sender_id: 'roberto',
    capability: 'fs:read',
    target: '~/Documents/**',
    granted_at: '2026-11-30T12:00:00Z',
    expires_at: '2027-02-28T23:00:00Z',
    granted_by: null,
  });
  expect(check({ granted_by: 'panel', expires_at: '2026-12-31' })).toMatchObject({
    granted_by: 'panel',
    expires_at: '2026-12-31T00:00:00Z',
  });
});

test('record_grant_capability_sconosciuta_solleva', () => {
  for (const capability of ['fs:delete', 'constructor', '__proto__', 'FS:READ']) {
    expect(refusal({ capability })).toEqual({ code: 'bad-input', subject: 'capability' });
  }
});

test.each(['code:exec', 'mail:send'])('no grant is made for %s, which always asks [security]', (capability) => {
  expect(refusal({ capability })).toEqual({ code: 'refused', subject: 'capability' });
});

test.each(['llm:local', 'channel:in', 'time:read', 'parse:local'])('%s needs no grant', (capability) => {
  expect(refusal({ capability, target: '*' })).toEqual({ code: 'refused', subject: 'capability' });
});

test.each(['channel', 'sender_id', 'capability', 'target'] as const)('an unusable %s is refused by name', (field) => {
  for (const value of ['', ' ', '\t\n', 'a\0b', 'x'.repeat(4097)]) {
    expect(refusal({ [field]: value })).toEqual({ code: 'bad-input', subject: field });
  }
  expect(refusal({ [field]: 7 as unknown as string })?.subject).toBe(field);
});

test('an expiry in the past, now, or unreadable is refused', () => {
  for (const past of ['2026-11-30', '2026-11-30T12:00:00Z', '2026-11-30T12:30:00+01:00']) {
    expect(refusal({ expires_at: past })).toEqual({ code: 'refused', subject: 'expires_at' });
  }
  for (const odd of ['', 'soon', '2027-02-30', '9999-12-31T23:59:59-01:00']) {
    expect(refusal({ expires_at: odd })).toEqual({ code: 'bad-input', subject: 'expires_at' });
  }
  expect(refusal({ expires_at: '2026-11-30T12:00:01Z' })).toBeNull();
});

describe('a path that reaches a forbidden place is refused, confirmed or not [security]', () => {
  test.each([
    '~/.ssh',
    '~/.ssh/*',
    '~/x/../.ssh/id_rsa',
    '~/.*',
    '~/.*/**',
    '~/.s*/**',
    '~/.?sh/*',
    '~/.[s]sh/*',
    '~/{.ssh,x}/*',
    '/*',
    '/*/*',
    '/*/passwd',
    '/**/passwd',
    '~/.ssh/**',
    '/{etc,..}/x',
    '/**/*.md',
    '/etc/**',
    '/etc/*',
    '/etc/passwd',
    '/etc/pass*',
    '/etc/sudoers.d/*',
    '/etc/ssh/sshd_config',
    '/tmp/../etc/**',
    '/root',
    '/root/a',
    '/boot/**',
    '/sys/*',
    '/proc',
    '/proc/**',
    '/proc/1/*',
    '/dev/*',
    '/dev/sda1',
    '/dev/nvme*',
    '/home/*/.ssh/*',
    '/home/*/.*/*',
    '~/.aws/*',
    '~/.aws/credentials',
    '~/.config/**',
    '~/.config/*/*',
    '~/.config/app/credentials.env',
    '~/.gnupg',
    '~/**/.gnupg/**',
  ])('%s', (target) => {
    expect(refusal({ target })).toEqual({ code: 'refused', subject: 'target' });
    expect(refusal({ target, confirmBroad: true })?.code).toBe('refused');
  });

  test('all of a home that is itself a forbidden place', () => {
    expect(refusal({ target: '~/Documents/*' }, '/root')?.code).toBe('refused');
  });
});

describe('near misses are not refused', () => {
  test.each([
    '~/Documents/**',
    '~/Documents/.notes/*',
    '~/.sshx/*',
    '~/.config/app/settings.toml',
    '~/.config/*',
    '~/.aws/config',
    '/etc/nginx/*',
    '/etc/host*',
    '/proc/cpuinfo',
    '/proc/sys/**',
    '/dev/null',
    '/rootfs/**',
    '/srv/**',
    '/tmp/*',
    '~/Documents/[2026]/*',
  ])('%s', (target) => {
    expect(refusal({ target })).toBeNull();
  });
});

describe('the whole home folder or more needs to be confirmed', () => {
  test.each([
    '/',
    '/**',
    '/./**/**',
    '/**/*',
    '~',
    '~/',
    '~/**',
    '/home/user',
    '/home/user/**',
    '~/./**/*',
    '/home/**',
    '/home/*/**',
  ])('%s', (target) => {
    expect(refusal({ target })).toEqual({ code: 'confirmation-needed', subject: 'target' });
    expect(refusal({ target, confirmBroad: true })).toBeNull();
    expect(refusal({ target, capability: 'fs:write' })?.code).toBe('confirmation-needed');
  });
  test.each(['~/*', '~/a/**'])('%s does not', (target) => expect(refusal({ target })).toBeNull());
});

test('a target that could never cover anything is refused', () => {
  expect(refusal({ target: 'Documents/**' })).toEqual({ code: 'bad-input', subject: 'target' });
  expect(refusal({ target: '~other/**' })?.code).toBe('bad-input');
  expect(refusal({ capability: 'network:http', target: 'https://example.com/' })?.code).toBe('bad-input');
  expect(refusal({ capability: 'network:http', target: '*' })?.code).toBe('bad-input');
  expect(refusal({ capability: 'network:http', target: '*.example.com:8443' })).toBeNull();
  expect(refusal({ capability: 'llm:online', target: 'gpt' })?.code).toBe('bad-input');
  expect(refusal({ capability: 'llm:online', target: '*' })).toBeNull();
});

test('only the paths are held against the forbidden places', () => {
  expect(refusal({ capability: 'calendar:read', target: '/etc/passwd' })).toBeNull();
});
