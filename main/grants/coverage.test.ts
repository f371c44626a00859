import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Grant } from '../../shared/domain/grant.ts';
import { createGrantsRepository, type GrantsRepository } from '../db/grants.ts';
import { openDatabase } from '../db/open.ts';
import { isExpired } from '../policy/dates.ts';
import { compileTarget, type MatchWorld, prepareTarget, targetCovers } from '../policy/match.ts';
import { createCoverage } from './coverage.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const world: MatchWorld = { home: '/home/u', realpath: (path) => path };
const clock = () => NOW;

/** A file of grants in memory that counts how it is read. */
function model() {
  const rows = new Map<number, Grant>();
  const reads = { whole: 0, newer: 0, single: 0 };
  let version = 1;
  const repository: Pick<GrantsRepository, 'version' | 'targets' | 'find'> = {
    version: () => version,
    targets: (channel, senderId, capability, above) => {
      if (above === undefined) reads.whole += 1;
      else reads.newer += 1;
      return [...rows.values()].filter(
        (row) =>
          row.revoked_at === null &&
          row.channel === channel &&
          row.sender_id === senderId &&
          row.capability === capability &&
          (above === undefined || row.id > above),
      );
    },
    find: (id) => {
      reads.single += 1;
      return rows.get(id) ?? null;
    },
  };
  const put = (id: number, more: Partial<Grant>): void => {
    version += 1;
    rows.set(id, {
      id,
      channel: 'c',
      sender_id: 's',
      capability: 'fs:read',
      target: '~/a/*',
      granted_at: '2026-11-01T00:00:00Z',
      expires_at: null,
      granted_by: null,
      revoked_at: null,
      ...rows.get(id),
      ...more,
    });
  };
  const remove = (id: number): void => {
    version += 1;
    rows.delete(id);
  };
  return { repository, rows, reads, put, remove };
}

function covering(rows: Map<number, Grant>, sender: string, target: string): number[] {
  return [...rows.values()]
    .filter(
      (row) =>
        row.channel === 'c' &&
        row.sender_id === sender &&
        row.capability === 'fs:read' &&
        row.revoked_at === null &&
        !isExpired(row.expires_at, NOW) &&
        targetCovers(compileTarget('path_glob', row.target, world), prepareTarget('path_glob', target, world)),
    )
    .map(({ id }) => id);
}

describe('after any change by anybody the answer is what trying every row gives', () => {
  const change = fc.oneof(
    fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      sender_id: fc.constantFrom('s', 's', 't'),
      target: fc.constantFrom('~/a/*', '~/a/**', '~/b/x', '~/**', '/srv/*', 'nothing'),
      expires_at: fc.constantFrom(null, null, '2026-11-30T12:00:00Z', '2026-11-30T12:00:01Z', 'soon'),
      revoked_at: fc.constantFrom(null, null, null, '2026-11-30T11:00:00Z'),
    }),
    fc.record({ id: fc.integer({ min: 1, max: 9 }), remove: fc.constant(true) }),
  );
  const ask = fc.record({
    sender: fc.constantFrom('s', 't'),
    target: fc.constantFrom('~/a/x', '~/b/x', '~/a/b/c', '/srv/x', '/etc/x'),
  });
  test.each([0, 3, 1000])('buckets larger than %i are not read again as a whole', (small) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(change, ask), { maxLength: 40 }), (steps) => {
        const { repository, rows, put, remove } = model();
        const coverage = createCoverage(repository, world, clock, { small });
        for (const step of steps) {
          if ('remove' in step) remove(step.id);
          else if ('id' in step) put(step.id, step);
          else {
            const right = covering(rows, step.sender, step.target);
            const found = coverage.find('c', step.sender, 'fs:read', step.target);
            if (right.length === 0) expect(found).toBeNull();
            else expect(right).toContain(found);
          }
        }
      }),
      { numRuns: 1500 },
    );
  });
});

test('a row that goes is forgotten, also where another one has an expiry that is no date', () => {
  const { repository, put, remove } = model();
  const coverage = createCoverage(repository, world, clock);
  put(1, {});
  put(2, { target: '~/b/*', expires_at: 'soon' });
  expect(coverage.find('c', 's', 'fs:read', '~/a/x')).toBe(1);
  remove(1);
  expect(coverage.find('c', 's', 'fs:read', '~/a/x')).toBeNull();
});

describe('what a change costs', () => {
  test('in a large bucket a new grant is found, and an old one holds, without reading all again', () => {
    const { repository, reads, put } = model();
    const coverage = createCoverage(repository, world, clock, { small: 0 });
    const find = (target: string) => coverage.find('c', 's', 'fs:read', target);
    put(1, {});
    put(2, { target: '~/b/*' });
    expect(find('~/a/x')).toBe(1);
    put(3, { target: '~/new/*' });
    expect(find('~/new/x')).toBe(3);
    expect(find('~/a/x')).toBe(1);
    expect(find('~/a/y')).toBe(1);
    expect(reads).toEqual({ whole: 1, newer: 1, single: 1 });
    expect(find('~/other/x')).toBeNull();
    expect(find('~/other/y')).toBeNull();
    expect(reads.whole).toBe(2);
  });

  test('without a change nothing is read, nor for a sender that has no grant', () => {
    const { repository, reads, put } = model();
    const coverage = createCoverage(repository, world, clock);
    put(1, {});
    for (let i = 0; i < 5; i += 1) {
      expect(coverage.find('c', 's', 'fs:read', '~/a/x')).toBe(1);
      expect(coverage.find('c', 't', 'fs:read', '~/a/x')).toBeNull();
    }
    expect(reads).toEqual({ whole: 2, newer: 0, single: 0 });
  });

  test('many senders without grants do not push out the grants of others', () => {
    const { repository, reads, put } = model();
    const coverage = createCoverage(repository, world, clock);
    put(1, {});
    coverage.find('c', 's', 'fs:read', '~/a/x');
    for (let i = 0; i < 10_100; i += 1) coverage.find('c', `nobody-${i}`, 'fs:read', '~/a/x');
    const before = reads.whole;
    expect(coverage.find('c', 's', 'fs:read', '~/a/x')).toBe(1);
    expect(reads.whole).toBe(before);
  });
});

describe('another process', () => {
  let folder: string;
  let file: string;
  let repository: GrantsRepository;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'vaglio-coverage-'));
    file = join(folder, 'grants.db');
    // By this clock every write is long ago, so that the quick look is taken wherever it may be.
    repository = createGrantsRepository(file, { fileClock: () => Date.now() + 60_000 });
    repository.record({
      channel: 'c',
      sender_id: 's',
      capability: 'fs:read',
      target: '~/a/*',
      granted_at: '2026-11-01T00:00:00Z',
      expires_at: null,
      granted_by: null,
    });
  });
  afterEach(() => {
    repository.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function elsewhere(sql: string): void {
    const code = `import { DatabaseSync } from 'node:sqlite';
      const db = new DatabaseSync(process.argv[1]);
      db.exec(process.argv[2]);
      db.close();`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--no-warnings', '--input-type=module', '-e', code, file, sql],
      { encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
  }

  const INSERT = `INSERT INTO grants (channel, sender_id, capability, target, granted_at)
    VALUES ('c', 's', 'fs:read', '~/b/*', '2026-11-01T00:00:00Z')`;

  const TABLE = `CREATE TABLE grants (id INTEGER PRIMARY KEY, channel TEXT, sender_id TEXT, capability TEXT,
    target TEXT, granted_at TEXT, expires_at TEXT, granted_by TEXT, revoked_at TEXT)`;

  test.each([
    ['small', 1000],
    ['large', 0],
  ])('what it changed counts for the very next call: a %s bucket', (_name, small) => {
    const coverage = createCoverage(repository, world, clock, { small });
    const find = (target: string) => coverage.find('c', 's', 'fs:read', target);
    const steps: [sql: string, target: string, before: number | null, after: number | null][] = [
      [INSERT, '~/b/x', null, 2],
      ["UPDATE grants SET revoked_at = '2026-11-30T11:59:59Z' WHERE id = 2", '~/b/x', 2, null],
      ['UPDATE grants SET revoked_at = NULL WHERE id = 2', '~/b/x', null, 2],
      ["UPDATE grants SET expires_at = '2026-11-30T12:00:00Z' WHERE id = 1", '~/a/x', 1, null],
      ["UPDATE grants SET expires_at = '2027-01-01' WHERE id = 1", '~/a/x', null, 1],
      ["UPDATE grants SET sender_id = 't' WHERE id = 1", '~/a/x', 1, null],
      ['DELETE FROM grants WHERE id = 2', '~/b/x', 2, null],
      [`PRAGMA journal_mode = WAL; ${INSERT}`, '~/b/x', null, 3],
      ['UPDATE grants SET revoked_at = granted_at WHERE id = 3', '~/b/x', 3, null],
      ['UPDATE grants SET revoked_at = NULL WHERE id = 3', '~/b/x', null, 3],
    ];
    for (const [sql, target, before, after] of steps) {
      expect(find(target), `before ${sql}`).toBe(before);
      elsewhere(sql);
      expect(find(target), `after ${sql}`).toBe(after);
    }
  });

  test('a file in WAL mode that is replaced by one that is not is followed, and the other way round', () => {
    const coverage = createCoverage(repository, world, clock);
    const find = () => coverage.find('c', 's', 'fs:read', '~/b/x');
    const replaceBy = (journal: string): void => {
      for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, { force: true });
      elsewhere(`PRAGMA journal_mode = ${journal}; ${TABLE}`);
    };
    elsewhere('PRAGMA journal_mode = WAL');
    expect(find()).toBeNull();
    for (const journal of ['DELETE', 'WAL', 'DELETE']) {
      replaceBy(journal);
      expect(find()).toBeNull();
      elsewhere(INSERT);
      expect(find()).toBe(1);
      elsewhere('UPDATE grants SET revoked_at = granted_at');
      expect(find()).toBeNull();
    }
  });

  test('half of a transaction counts for nothing, and all of it once it is committed', () => {
    const coverage = createCoverage(repository, world, clock);
    const find = () => coverage.find('c', 's', 'fs:read', '~/b/x');
    expect(find()).toBeNull();
    const other = openDatabase(file, { mode: 'write', create: true });
    other.exec(`BEGIN; ${INSERT}`);
    expect(find()).toBeNull();
    other.exec('COMMIT');
    expect(find()).toBe(2);
    other.close();
  });
});
