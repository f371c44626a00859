import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NewGrant } from '../../shared/domain/grant.ts';
import { openDatabase } from '../db/open.ts';
import { UserError } from '../engine/errors.ts';
import { effectiveOutcome } from '../policy/outcome.ts';
import { createGrantsService, type Grants } from './grants.ts';

const cases = process.env.VAGLIO_CASES || join(import.meta.dirname, '../../../shared/cases');
const metnosHome = join(cases, 'metnos-home');
const NOW = Date.UTC(2026, 10, 30, 12);
const GRANT: NewGrant = { channel: 'telegram', sender_id: 'roberto', capability: 'fs:read', target: '~/Documents/**' };
const SCOPE = ['telegram', 'roberto', 'fs:read'] as const;

let home: string;
let file: string;
let now: number;
let links: [number, number][];
let service: Grants;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-service-'));
  file = join(home, 'state/grants.db');
  now = NOW;
  links = [];
  service = open(file);
});
afterEach(() => {
  service.close();
  rmSync(home, { recursive: true, force: true });
});

function open(grantsDb: string, more: Partial<Parameters<typeof createGrantsService>[0]> = {}): Grants {
  return createGrantsService({
    paths: { grantsDb },
    clock: () => now,
    home,
    forbiddenPath: (value) => (value.includes('.ssh') ? '.ssh' : null),
    recordLink: (oldId, newId) => links.push([oldId, newId]),
    busyMs: 1,
    ...more,
  });
}

/** Another program's write. */
function outside(sql: string): void {
  const db = openDatabase(file, { mode: 'write', create: true });
  db.exec(sql);
  db.close();
}

function codeOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.code;
    throw error;
  }
}

describe('record, ask, revoke', () => {
  test('record_grant_e_has_grant_round_trip', () => {
    for (const [capability, target] of [
      ['fs:read', '~/Documents/fatture-2026/*'],
      ['fs:write', '~/Documents/**'],
      ['network:http', '*.example.org:8443'],
      ['network:http', 'example.org'],
      ['llm:online', '*'],
      ['mail:read', 'inbox@example.com'],
      ['channel:out', 'telegram:anna'],
    ] as const) {
      const asked = target.replace('*.example', 'www.example');
      expect(service.hasGrant('telegram', 'roberto', capability, asked)).toBe(false);
      const grant = service.record({ ...GRANT, capability, target });
      expect(grant).toMatchObject({ capability, target, state: 'active', no_effect: null });
      expect(service.findGrant('telegram', 'roberto', capability, asked)).toBe(grant.id);
      expect(service.hasGrant('telegram', 'anna', capability, asked)).toBe(false);
      expect(service.hasGrant('web', 'roberto', capability, asked)).toBe(false);
    }
  });

  test('record_grant_capability_sconosciuta_solleva', () => {
    expect(() => service.record({ ...GRANT, capability: 'fs:delete' })).toThrow(UserError);
    expect(existsSync(file)).toBe(false);
  });

  test("the guard's paths are refused", () => {
    expect(codeOf(() => service.record({ ...GRANT, target: '~/a.ssh' }))).toBe('refused');
  });

  test('revoke_grant_disattiva_has_grant', () => {
    const { id } = service.record(GRANT);
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(true);
    expect(service.revoke({ ids: [id, 77] })).toEqual({
      results: [
        { id, changed: true },
        { id: 77, changed: false },
      ],
    });
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(false);
    expect(service.revoke({ ids: [id] }).results).toEqual([{ id, changed: false }]);
    expect(service.list({}).grants).toEqual([]);
    expect(service.list({ all: true }).grants).toMatchObject([{ id, revoked_at: '2026-11-30T12:00:00Z' }]);
  });

  test('an expiry counts from its instant, without a change of the file', () => {
    service.record({ ...GRANT, expires_at: '2026-11-30T13:00:00Z' });
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(true);
    now += 3_600_000 - 1;
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(true);
    now += 1;
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(false);
    expect(service.list({}).grants).toEqual([]);
    expect(service.list({ all: true }).grants).toMatchObject([{ state: 'expired' }]);
  });

  test('what another program wrote counts for the very next call', () => {
    service.record(GRANT);
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(true);
    outside("UPDATE grants SET revoked_at = '2026-11-30T12:00:00Z'");
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(false);
    outside("UPDATE grants SET revoked_at = NULL, expires_at = 'whenever'");
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(false);
    outside("UPDATE grants SET expires_at = '2026-11-30T13:00:00+00:30'");
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(true);
    rmSync(file);
    expect(service.hasGrant(...SCOPE, '~/Documents/a')).toBe(false);
  });

  test('channel and sender are not run together', () => {
    service.record({ ...GRANT, channel: 'ab', sender_id: 'c' });
    expect(service.hasGrant('ab', 'c', 'fs:read', '~/Documents/a')).toBe(true);
    expect(service.hasGrant('a', 'bc', 'fs:read', '~/Documents/a')).toBe(false);
  });

  test('a link on the disk that leads out of the granted folder is not covered [security]', () => {
    mkdirSync(join(home, 'Documents'));
    mkdirSync(join(home, 'private'));
    writeFileSync(join(home, 'private/a'), '');
    symlinkSync('../private', join(home, 'Documents/out'));
    service.record(GRANT);
    expect(service.hasGrant(...SCOPE, '~/Documents/out/a')).toBe(false);
    expect(service.hasGrant(...SCOPE, '~/Documents/in/a')).toBe(true);
    symlinkSync('../private/new', join(home, 'Documents/in'));
    expect(service.hasGrant(...SCOPE, '~/Documents/in/a')).toBe(false);
  });
});

describe('what a row in the file cannot do [security]', () => {
  const outcome = (level: string, capability: string, target: string) =>
    effectiveOutcome(level, capability, { channel: 'telegram', sender_id: 'roberto', target }, service);

  test('lift an `always` capability, a denied cell, or a capability outside the registry', () => {
    service.record(GRANT);
    outside(`INSERT INTO grants (channel, sender_id, capability, target, granted_at) VALUES
      ('telegram', 'roberto', 'mail:send', 'anna@example.com', '2026-11-01T00:00:00Z'),
      ('telegram', 'roberto', 'code:exec', 'ls', '2026-11-01T00:00:00Z'),
      ('telegram', 'roberto', 'fs:write', '~/Documents/**', '2026-11-01T00:00:00Z'),
      ('telegram', 'roberto', 'fs:delete', '~/Documents/**', '2026-11-01T00:00:00Z')`);
    for (const level of ['Supervised', 'Full']) {
      expect(outcome(level, 'mail:send', 'anna@example.com')).toBe('approval_required');
      expect(outcome(level, 'code:exec', 'ls')).toBe('approval_required');
      expect(outcome(level, 'fs:delete', '~/Documents/a')).toBe('denied');
    }
    expect(outcome('ReadOnly', 'fs:write', '~/Documents/a')).toBe('denied');
    expect(outcome('Supervised', 'fs:write', '~/Documents/a')).toBe('allowed');
    expect(service.list({}).grants.map(({ capability, no_effect }) => [capability, no_effect])).toEqual([
      ['fs:read', null],
      ['fs:delete', 'unknown_capability'],
      ['fs:write', null],
      ['code:exec', 'always'],
      ['mail:send', 'always'],
    ]);
  });

  test('a denied outcome does not open the file', () => {
    mkdirSync(file, { recursive: true });
    expect(outcome('ReadOnly', 'fs:write', '~/Documents/a')).toBe('denied');
    expect(outcome('Full', 'fs:write', '~/Documents/a')).toBe('allowed');
    expect(() => service.hasGrant(...SCOPE, '~/Documents/a')).toThrow(UserError);
    expect(outcome('Supervised', 'fs:read', '~/Documents/a')).toBe('approval_required');
  });
});

describe('restore', () => {
  test('makes a new grant on the same terms, and the link says which it continues', () => {
    const old = service.record({
      ...GRANT,
      target: '~',
      confirmBroad: true,
      granted_by: 'telegram:roberto',
      expires_at: '2027-01-01',
    });
    service.revoke({ ids: [old.id] });
    now += 60_000;
    const fresh = service.restore({ id: old.id });
    expect(fresh).toEqual({ ...old, id: 2, granted_at: '2026-11-30T12:01:00Z', granted_ms: now });
    expect(links).toEqual([[1, 2]]);
    expect(service.list({ all: true }).grants.map(({ id, state }) => [id, state])).toEqual([
      [2, 'active'],
      [1, 'revoked'],
    ]);
  });

  test('asked for twice makes one grant, until that one is revoked as well', () => {
    const { id } = service.record({ ...GRANT, expires_at: '2027-01-01' });
    service.record({ ...GRANT, expires_at: '2027-01-02' });
    service.revoke({ ids: [id] });
    const fresh = service.restore({ id });
    now += 60_000;
    expect(service.restore({ id })).toEqual(fresh);
    expect(service.list({}).grants.map((grant) => grant.id)).toEqual([3, 2]);
    service.revoke({ ids: [fresh.id] });
    expect(service.restore({ id }).id).toBe(4);
  });

  test('is refused when it expired meanwhile, was never revoked, or is not there', () => {
    const { id } = service.record({ ...GRANT, expires_at: '2026-11-30T13:00:00Z' });
    expect(codeOf(() => service.restore({ id }))).toBe('conflict');
    service.revoke({ ids: [id] });
    now += 3_600_000;
    expect(codeOf(() => service.restore({ id }))).toBe('refused');
    expect(codeOf(() => service.restore({ id: 9 }))).toBe('not-found');
    expect(service.list({ all: true }).grants).toHaveLength(1);
    expect(links).toEqual([]);
  });

  test('makes nothing that could not be granted anew [security]', () => {
    service.record(GRANT);
    outside(`INSERT INTO grants (channel, sender_id, capability, target, granted_at, revoked_at) VALUES
      ('telegram', 'roberto', 'mail:send', 'anna@example.com', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z'),
      ('telegram', 'roberto', 'fs:read', '/etc/**', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z')`);
    expect(codeOf(() => service.restore({ id: 2 }))).toBe('refused');
    expect(codeOf(() => service.restore({ id: 3 }))).toBe('refused');
  });

  test('stands when the link cannot be noted, and says so', () => {
    const errors: unknown[] = [];
    const broken = new Error('panel.db');
    const other = open(file, {
      recordLink: () => {
        throw broken;
      },
      onError: (error) => errors.push(error),
    });
    const { id } = other.record(GRANT);
    other.revoke({ ids: [id] });
    expect(other.restore({ id }).state).toBe('active');
    expect(errors).toEqual([broken]);
    other.close();
  });
});

describe('faults of the file', () => {
  test('a list says what is wrong and is empty; it answers again afterwards', () => {
    service.record(GRANT);
    expect(service.list({})).toMatchObject({ grants: [{ id: 1 }], problem: null });
    const holder = openDatabase(file, { mode: 'write', create: true });
    holder.exec('BEGIN EXCLUSIVE');
    expect(service.list({}).grants).toEqual([]);
    expect(service.list({}).problem).toContain(file);
    expect(codeOf(() => service.record(GRANT))).toBe('locked');
    expect(codeOf(() => service.revoke({ ids: [1] }))).toBe('locked');
    holder.exec('ROLLBACK');
    holder.close();
    expect(service.list({})).toMatchObject({ grants: [{ id: 1 }], problem: null });
  });

  test('a missing file is no problem, a damaged one is', () => {
    expect(service.list({})).toEqual({ grants: [], problem: null });
    mkdirSync(join(home, 'state'));
    writeFileSync(file, 'no database '.repeat(100));
    expect(service.list({}).problem).toContain(file);
    expect(codeOf(() => service.hasGrant(...SCOPE, '~/Documents/a'))).toBe('damaged');
  });
});

describe('changed', () => {
  /** Ticks as they come; `next` waits for one. */
  function listen() {
    const end = new AbortController();
    const stream = service.changed({}, end.signal)[Symbol.asyncIterator]();
    return { next: async () => (await stream.next()).value?.version as number | undefined, end: () => end.abort() };
  }

  test('ticks at once, after our own change, and after one by another program', async () => {
    const ticks = listen();
    const first = await ticks.next();
    service.record(GRANT);
    const second = await ticks.next();
    expect(second).not.toBe(first);
    outside("UPDATE grants SET sender_id = 'anna'");
    expect(await ticks.next()).not.toBe(second);
    expect(service.list({}).grants).toMatchObject([{ sender_id: 'anna' }]);
    ticks.end();
    expect(await ticks.next()).toBeUndefined();
  });

  test('ticks for a file in a folder that comes later, that goes, and that is damaged', async () => {
    const ticks = listen();
    await ticks.next();
    outside('CREATE TABLE grants (a)');
    await ticks.next();
    rmSync(file);
    await ticks.next();
    appendFileSync(file, 'no database');
    await ticks.next();
    expect(service.list({}).problem).toContain(file);
    ticks.end();
  });

  test('what happens between two waits is one tick; reading is none, and our own write is told once', async () => {
    const ticks = listen();
    const first = (await ticks.next()) ?? 0;
    service.record(GRANT);
    service.record(GRANT);
    expect(await ticks.next()).toBe(first + 2);
    service.list({ all: true });
    service.hasGrant(...SCOPE, '~/Documents/a');
    outside("UPDATE grants SET sender_id = 'anna'");
    expect(await ticks.next()).toBe(first + 3);
    ticks.end();
  });
});

if (!existsSync(metnosHome)) console.log(`skipped: cases folder not found (${metnosHome})`);
describe.skipIf(!existsSync(metnosHome))('a home folder as a running Metnos leaves it', () => {
  let metnos: Grants;
  beforeEach(() => {
    cpSync(metnosHome, home, { recursive: true });
    file = join(home, '.local/state/metnos/grants.db');
    chmodSync(file, 0o600);
    metnos = open(file);
  });
  afterEach(() => metnos.close());

  test('the grants that are active now, and only those', () => {
    const { grants, problem } = metnos.list({});
    expect(problem).toBeNull();
    expect(grants.map(({ id }) => id)).toEqual([10, 9, 8, 6, 5, 3, 2, 1]);
    expect(grants.filter(({ no_effect }) => no_effect !== null).map(({ id, no_effect }) => [id, no_effect])).toEqual([
      [10, 'always'],
    ]);
    expect(grants.some(({ bad_expiry }) => bad_expiry)).toBe(false);
    expect(metnos.list({ all: true }).grants.map(({ id, state }) => `${id} ${state}`)).toEqual(
      [...'098654321']
        .map((digit) => (digit === '0' ? '10 active' : `${digit} ${digit === '4' ? 'expired' : 'active'}`))
        .toSpliced(3, 0, '7 revoked'),
    );
  });

  test('a date alone ends at its first instant, an offset is counted', () => {
    const active = (id: number) => metnos.list({}).grants.some((grant) => grant.id === id);
    now = Date.UTC(2026, 11, 30, 23, 59, 59, 999);
    expect(active(6)).toBe(true);
    now += 1;
    expect(active(6)).toBe(false);
    now = Date.UTC(2027, 1, 28, 22, 59, 59, 999);
    expect(active(8)).toBe(true);
    now += 1;
    expect(active(8)).toBe(false);
  });

  test('each answers for its own target', () => {
    const ask = (...asked: Parameters<Grants['findGrant']>) => metnos.findGrant(...asked);
    expect(ask('telegram', 'roberto', 'fs:write', `${home}/Documents/fatture-2026/04.pdf`)).toBe(1);
    expect(ask('telegram', 'roberto', 'fs:write', '~/Documents/04.pdf')).toBeNull();
    expect(ask('telegram', 'roberto', 'fs:read', '~/Documents/a/b')).toBe(2);
    expect(ask('telegram', 'roberto', 'network:http', 'EXAMPLE.org:443')).toBe(3);
    expect(ask('telegram', 'anna', 'fs:read', '~/Foto/a')).toBeNull();
    expect(ask('cli', 'roberto', 'fs:read', '/tmp/a')).toBeNull();
    expect(ask('cli', 'roberto', 'llm:online', '*')).toBe(9);
  });

  test('revoking grant 1 is there for a second client', () => {
    expect(metnos.revoke({ ids: [1] }).results).toEqual([{ id: 1, changed: true }]);
    const db = openDatabase(file, { mode: 'read' });
    expect(db?.prepare('SELECT revoked_at FROM grants WHERE id = 1').pluck().get()).toBe('2026-11-30T12:00:00Z');
    expect(db?.pragma('journal_mode', { simple: true })).toBe('delete');
    db?.close();
  });
});
