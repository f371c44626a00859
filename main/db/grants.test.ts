import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../engine/errors.ts';
import type { CheckedGrant } from '../policy/grant-rules.ts';
import { createGrantsRepository, type GrantsRepository } from './grants.ts';
import { openDatabase } from './open.ts';

const GRANT: CheckedGrant = {
  channel: 'telegram',
  sender_id: 'roberto',
  capability: 'fs:read',
  target: '~/Documents/**',
  granted_at: '2026-11-30T12:00:00Z',
  expires_at: null,
  granted_by: 'panel',
};
const AT = '2026-11-30T13:00:00Z';

let folder: string;
let file: string;
let repository: GrantsRepository;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-grants-'));
  file = join(folder, 'state/grants.db');
  repository = createGrantsRepository(file, { busyMs: 1 });
});
afterEach(() => {
  repository.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Another program's connection; closed by the caller. */
function other(path = file) {
  return openDatabase(path, { mode: 'write', create: true });
}

function outside(sql: string, path = file): void {
  const db = other(path);
  db.exec(sql);
  db.close();
}

function codeOf(act: () => unknown): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.message).toContain(file);
    return error.code;
  }
}

/** Every way into the file. */
const ways: [string, (to: GrantsRepository) => unknown][] = [
  ['version', (to) => to.version()],
  ['targets', (to) => to.targets('telegram', 'roberto', 'fs:read')],
  ['list', (to) => to.list({})],
  ['find', (to) => to.find(1)],
  ['record', (to) => to.record(GRANT)],
  ['revoke', (to) => to.revoke([1], AT)],
];

describe('the file', () => {
  test('a missing one holds nothing, and reading or revoking does not make it', () => {
    expect(repository.version()).toBe(0);
    expect(repository.list({ includeRevoked: true })).toEqual([]);
    expect(repository.find(1)).toBeNull();
    expect(repository.targets('telegram', 'roberto', 'fs:read')).toEqual([]);
    expect(repository.revoke([1, 2], AT)).toEqual([false, false]);
    expect(statSync(join(folder, 'state'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('the first grant makes folder, file, table and both indexes as the contract has them', () => {
    expect(repository.record(GRANT)).toEqual({ id: 1, ...GRANT, revoked_at: null });
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const db = other();
    const columns = db.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(\'grants\')').raw().all();
    const indexes = ['idx_grants_lookup', 'idx_grants_active'].map((name) =>
      db.prepare('SELECT name FROM pragma_index_info(?)').pluck().all(name),
    );
    const sequence = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'grants'").pluck().get();
    db.close();
    expect(columns).toEqual([
      ['id', 'INTEGER', 0, 1],
      ['channel', 'TEXT', 1, 0],
      ['sender_id', 'TEXT', 1, 0],
      ['capability', 'TEXT', 1, 0],
      ['target', 'TEXT', 1, 0],
      ['granted_at', 'TEXT', 1, 0],
      ['expires_at', 'TEXT', 0, 0],
      ['granted_by', 'TEXT', 0, 0],
      ['revoked_at', 'TEXT', 0, 0],
    ]);
    expect(indexes).toEqual([
      ['channel', 'sender_id', 'capability', 'target'],
      ['revoked_at', 'expires_at'],
    ]);
    expect(sequence).toBe(1);
  });

  test('an empty file is filled by the first grant, not before', () => {
    mkdirSync(join(folder, 'state'));
    writeFileSync(file, '');
    expect(repository.list({})).toEqual([]);
    expect(repository.revoke([1], AT)).toEqual([false]);
    expect(statSync(file).size).toBe(0);
    repository.record(GRANT);
    expect(repository.list({})).toHaveLength(1);
  });

  test.each(['delete', 'wal'])('a %s file stays one, and its schema stays', (journal) => {
    outside(`PRAGMA journal_mode = ${journal}; CREATE TABLE grants (id INTEGER PRIMARY KEY, channel TEXT, sender_id TEXT,
      capability TEXT, target TEXT, granted_at TEXT, expires_at TEXT, granted_by TEXT, revoked_at TEXT, more TEXT)`);
    repository.record(GRANT);
    repository.list({});
    repository.revoke([1], AT);
    const db = other();
    expect(db.pragma('journal_mode', { simple: true })).toBe(journal);
    expect(db.prepare('SELECT name FROM sqlite_master').pluck().all()).toEqual(['grants']);
    db.close();
  });
});

describe('what is in it', () => {
  test('list_grants_filtra_per_canale_e_revoked', () => {
    repository.record(GRANT);
    repository.record({ ...GRANT, channel: 'web' });
    repository.record({ ...GRANT, sender_id: 'anna' });
    repository.record({ ...GRANT, target: '~/Foto/*' });
    expect(repository.revoke([4], AT)).toEqual([true]);
    const ids = (filter: Parameters<GrantsRepository['list']>[0]) => repository.list(filter).map(({ id }) => id);
    expect(ids({})).toEqual([3, 2, 1]);
    expect(ids({ channel: 'telegram' })).toEqual([3, 1]);
    expect(ids({ channel: 'telegram', sender_id: 'roberto' })).toEqual([1]);
    expect(ids({ channel: 'telegram', includeRevoked: true })).toEqual([4, 3, 1]);
    expect(ids({ channel: 'nowhere' })).toEqual([]);
  });

  test('newest first by instant, not by text; what is no date comes last', () => {
    for (const granted_at of ['2026-11-30T12:00:00+02:00', '2026-11-30T11:00:00Z', 'yesterday', '2026-11-30']) {
      repository.record({ ...GRANT, granted_at });
    }
    expect(repository.list({}).map(({ id }) => id)).toEqual([2, 1, 4, 3]);
  });

  test('a row is revoked once and never deleted', () => {
    repository.record(GRANT);
    expect(repository.revoke([1, 1, 99], AT)).toEqual([true, false, false]);
    expect(repository.revoke([1], '2027-01-01T00:00:00Z')).toEqual([false]);
    expect(repository.find(1)).toEqual({ id: 1, ...GRANT, revoked_at: AT });
    expect(repository.targets('telegram', 'roberto', 'fs:read')).toEqual([]);
  });

  test('a second connection sees what was confirmed', () => {
    repository.record(GRANT);
    repository.revoke([1], AT);
    const db = other();
    expect(db.prepare('SELECT revoked_at FROM grants').pluck().all()).toEqual([AT]);
    db.close();
  });

  test('only equal text is the same sender', () => {
    repository.record({ ...GRANT, sender_id: '\ufffd' });
    expect(repository.targets('telegram', '\ufffd', 'fs:read')).toHaveLength(1);
    expect(repository.targets('telegram', '\ud800', 'fs:read')).toEqual([]);
    expect(repository.targets('Telegram', '\ufffd', 'fs:read')).toEqual([]);
  });

  test('rows that could not be shown or revoked grant nothing; odd columns are text', () => {
    repository.record(GRANT);
    outside(`INSERT INTO grants (id, channel, sender_id, capability, target, granted_at, expires_at) VALUES
      (9007199254740993, 'telegram', 'roberto', 'fs:read', '~/a/*', '2026-01-01', NULL),
      (2, 'telegram', 'roberto', 'fs:read', x'7e2f61', '2026-01-01', NULL),
      (3, 'telegram', 'roberto', 'fs:read', '~/b/*', '2026-01-01', 7)`);
    expect(repository.list({}).map(({ id }) => id)).toEqual([1, 3]);
    expect(repository.find(3)?.expires_at).toBe('7');
    expect(repository.targets('telegram', 'roberto', 'fs:read').map(({ id }) => id)).toEqual([1, 3]);
  });
});

describe('other programs change it meanwhile', () => {
  test('version is the same until something changed, then another', () => {
    repository.record(GRANT);
    const first = repository.version();
    expect(repository.version()).toBe(first);
    outside('UPDATE grants SET expires_at = granted_at');
    const second = repository.version();
    expect(second).not.toBe(first);
    expect(repository.version()).toBe(second);
    repository.revoke([1], AT);
    expect(repository.version()).not.toBe(second);
  });

  test('deleted: nothing is granted any more, and a grant makes a new file', () => {
    repository.record(GRANT);
    expect(repository.list({})).toHaveLength(1);
    rmSync(file);
    expect(repository.version()).toBe(0);
    expect(repository.list({})).toEqual([]);
    repository.record({ ...GRANT, target: '~/new/*' });
    expect(repository.list({}).map(({ target }) => target)).toEqual(['~/new/*']);
  });

  test('replaced: the new file answers, under another version', () => {
    repository.record(GRANT);
    const before = repository.version();
    const copy = join(folder, 'other.db');
    copyFileSync(file, copy);
    outside("UPDATE grants SET sender_id = 'anna'", copy);
    renameSync(copy, file);
    expect(repository.version()).not.toBe(before);
    expect(repository.list({}).map(({ sender_id }) => sender_id)).toEqual(['anna']);
  });

  test('a writer that died in the middle, while we hold the file, leaves what was there before', () => {
    repository.record(GRANT);
    repository.list({});
    const db = other();
    db.pragma('cache_size = 1');
    db.exec("BEGIN; UPDATE grants SET sender_id = 'anna'; CREATE TABLE big (a)");
    for (let i = 0; i < 200; i += 1) db.prepare('INSERT INTO big VALUES (zeroblob(2000))').run();
    const crashed = join(folder, 'crashed.db');
    copyFileSync(file, crashed);
    copyFileSync(`${file}-journal`, `${crashed}-journal`);
    db.exec('ROLLBACK');
    db.close();
    const second = createGrantsRepository(crashed);
    expect(second.list({}).map(({ sender_id }) => sender_id)).toEqual(['roberto']);
    second.close();
  });
});

describe('faults are errors that name the file, and nothing is overwritten', () => {
  test.each(ways)('damaged: %s', (_name, act) => {
    mkdirSync(join(folder, 'state'));
    const garbage = 'no database '.repeat(1000);
    writeFileSync(file, garbage);
    expect(codeOf(() => act(repository))).toBe('damaged');
    expect(readFileSync(file, 'utf8')).toBe(garbage);
  });

  test.each(ways)('a folder in its place: %s', (_name, act) => {
    mkdirSync(file, { recursive: true });
    expect(codeOf(() => act(repository))).toBe('unreadable');
  });

  test.each(ways)('locked by another connection, before and after we opened it: %s', (_name, act) => {
    repository.record(GRANT);
    const holder = other();
    for (const warm of [false, true]) {
      if (warm) repository.list({});
      holder.exec('BEGIN EXCLUSIVE');
      expect(codeOf(() => act(repository))).toBe('locked');
      holder.exec('ROLLBACK');
      expect(codeOf(() => act(repository))).toBeNull();
    }
    holder.close();
  });

  test.each(ways)("another program's database: %s", (name, act) => {
    outside('CREATE TABLE pending (token TEXT)');
    expect(codeOf(() => act(repository))).toBe('damaged');
    const db = other();
    expect(db.prepare('SELECT name FROM sqlite_master').pluck().all(), name).toEqual(['pending']);
    db.close();
  });

  test('damaged in the middle: an error, and after a repair the next call answers', () => {
    repository.record(GRANT);
    outside(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 399)
      INSERT INTO grants (channel, sender_id, capability, target, granted_at)
      SELECT 'c', 's', 'fs:read', '~/' || hex(zeroblob(50)) || '/' || i, '2026-11-30T12:00:00Z' FROM n`);
    const sound = readFileSync(file);
    const broken = Buffer.from(sound);
    broken.fill(0xff, 4096, 12_288);
    repository.close();
    writeFileSync(file, broken);
    expect(codeOf(() => repository.list({}))).toBe('damaged');
    writeFileSync(file, sound);
    expect(repository.list({})).toHaveLength(400);
  });
});
