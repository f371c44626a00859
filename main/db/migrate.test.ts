import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createChainStore } from './audit-chain.ts';
import { openAuditStore } from './audit-store.ts';
import { type Migration, migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { openDatabase, type WriteDb } from './open.ts';
import { openPanelDb } from './panel.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'));
  file = join(folder, 'panel.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (): WriteDb => openDatabase(file, { mode: 'write', create: true });
const tables = (db: WriteDb): string[] =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all() as string[];

describe('panel.db', () => {
  test('a new file gets every migration, WAL, foreign keys, private modes', () => {
    const db = openPanelDb(file);
    expect(db.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
    expect(tables(db)).toEqual(expect.arrayContaining(['log_files', 'stats_hour', 'verdicts']));
    db.close();
  });

  test('every table of ours is STRICT and in snake_case', () => {
    const db = openPanelDb(file);
    const list = db.pragma('table_list') as { schema: string; name: string; type: string; strict: number }[];
    // A full-text table and what it keeps itself in are SQLite's own.
    const ours = list.filter(
      ({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'),
    );
    expect(ours.length).toBeGreaterThan(5);
    for (const { name, strict } of ours) {
      expect(strict, name).toBe(1);
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
    db.close();
  });

  test('a damaged file is named and left as it is', () => {
    writeFileSync(file, 'this is no database, but it may be all that is left of one'.repeat(40));
    const before = readFileSync(file);
    expect(() => openPanelDb(file)).toThrowError(expect.objectContaining({ code: 'damaged', subject: file }));
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a file of a newer program is refused, unchanged byte for byte', () => {
    const db = open();
    db.exec('CREATE TABLE from_the_future (a INTEGER) STRICT');
    db.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    db.close();
    const before = readFileSync(file);
    expect(() => openPanelDb(file)).toThrowError(expect.objectContaining({ code: 'newer', subject: file }));
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});

describe('each migration, from the version before', () => {
  test.each(MIGRATIONS.map(({ name }, index) => ({ name, index })))('$index -> $name', ({ index }) => {
    const db = open();
    migrate(db, file, MIGRATIONS.slice(0, index));
    expect(db.pragma('user_version', { simple: true })).toBe(index);
    const before = tables(db);
    migrate(db, file, MIGRATIONS.slice(0, index + 1));
    expect(db.pragma('user_version', { simple: true })).toBe(index + 1);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    // Of what is derived from the log another shape may take the place.
    expect(tables(db)).toEqual(expect.arrayContaining(before.filter((name) => !/^(log|stats)_/.test(name))));
    expect(migrate(db, file, MIGRATIONS.slice(0, index + 1))).toBe(index + 1);
    db.close();
  });
});

test('the audit index of before gives way, what the operator did stays, and the index is built anew', () => {
  const db = open();
  migrate(db, file, MIGRATIONS.slice(0, 4));
  db.exec(`INSERT INTO level_changes (at, who, scope_kind, from_level, to_level, done)
    VALUES (1796000000000, 'operator', 'default', 'Full', 'ReadOnly', 1);
    INSERT INTO log_names (text) VALUES ('read_files');
    INSERT INTO log_meta VALUES ('version', 1), ('unit', 3600), ('first_seq', 1), ('next_seq', 2);
    INSERT INTO log_files (name, inode, size, offset, next_line, lines, verdicts, events, unreadable, last_at, head_length,
      first_line_hash, tail_length, tail_hash) VALUES ('2026-11.jsonl', '1:1', 9, 9, 2, 1, 1, 0, 0, 5, 9, '', 9, '');
    INSERT INTO verdicts (seq, file_id, offset, length, at, ts_known, approved, executor_id, shape_id, intent, reason)
      VALUES (1, 1, 0, 9, 5, 1, 1, 1, 1, '', '');`);
  db.close();
  const again = openPanelDb(file);
  const store = openAuditStore(again, file, { unit: 3600, now: 1796000000000 });
  expect(store.files()).toEqual([]);
  expect(store.lastSeq()).toBe(store.firstSeq - 1);
  expect(again.prepare('SELECT to_level FROM level_changes').pluck().all()).toEqual(['ReadOnly']);
  again.close();
});

test('a finding of before stays, and is open', () => {
  const db = open();
  migrate(db, file, MIGRATIONS.slice(0, 7));
  db.exec(`INSERT INTO chain_findings (kind, file, line, last_line, found_at, detail)
    VALUES ('deleted', '2026-10.jsonl', NULL, NULL, 5, 'gone')`);
  migrate(db, file, MIGRATIONS.slice(0, 8));
  const chain = createChainStore(db);
  const before = { kind: 'deleted' as const, file: '2026-10.jsonl', line: null, last_line: null, detail: 'gone' };
  expect(chain.findings('open', 9)).toEqual([
    { ...before, id: 1, found_at: 5, acknowledged_at: null, acknowledged_by: null },
  ]);
  expect(chain.addFinding({ ...before, found_at: 6, seen: '' })).toBe(1);
  chain.acknowledge([1], 7, 'operator');
  expect(chain.findings('open', 9)).toEqual([]);
  expect(chain.findings('acknowledged', 9)).toMatchObject([{ id: 1, acknowledged_at: 7, acknowledged_by: 'operator' }]);
  db.close();
});

describe('steps', () => {
  const one: Migration = { name: 'one', up: (db) => db.exec('CREATE TABLE one (a INTEGER) STRICT') };
  const broken: Migration = {
    name: 'broken',
    up: (db) => {
      db.exec('CREATE TABLE half (a INTEGER) STRICT');
      throw new Error('in the middle');
    },
  };

  test('one that fails leaves nothing of itself and all of those before', () => {
    const db = open();
    expect(() => migrate(db, file, [one, broken])).toThrowError('in the middle');
    expect(db.pragma('user_version', { simple: true })).toBe(1);
    expect(tables(db)).toEqual(['one']);
    db.close();
  });

  test('a second handle that comes later in the same moment does not run them again', () => {
    const first = open();
    const second = open();
    let runs = 0;
    const counted: Migration = {
      name: 'counted',
      up: (db) => {
        runs++;
        db.exec('CREATE TABLE counted (a INTEGER) STRICT');
      },
    };
    migrate(first, file, [one, counted]);
    expect(migrate(second, file, [one, counted])).toBe(2);
    expect(runs).toBe(1);
    first.close();
    second.close();
  });

  test('a locked file is named', () => {
    const holder = open();
    holder.exec('BEGIN EXCLUSIVE');
    expect(() => openPanelDb(file, { busyMs: 20 })).toThrowError(
      expect.objectContaining({ code: 'locked', subject: file }),
    );
    holder.close();
  });
});
