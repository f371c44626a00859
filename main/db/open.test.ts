import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../engine/errors.ts';
import { fileIdentity, isMissingTable, openDatabase, toUserError } from './open.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-open-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function failure(act: () => unknown): UserError {
  try {
    act();
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** A file with one table and one row, in the given journal mode. */
function sample(name: string, journal: 'delete' | 'wal'): string {
  const file = join(folder, name);
  const db = openDatabase(file, { mode: 'write', create: true });
  db.pragma(`journal_mode = ${journal}`);
  db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (7)');
  db.close();
  return file;
}

describe('what is there and what is made', () => {
  test('a missing file is null, and stays missing', () => {
    const file = join(folder, 'none/x.db');
    expect(openDatabase(file, { mode: 'read' })).toBeNull();
    expect(openDatabase(file, { mode: 'write' })).toBeNull();
    expect(fileIdentity(file)).toBeNull();
    expect(statSync(join(folder, 'none'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('create makes folder 0700 and file 0600', () => {
    const file = join(folder, 'a/b/x.db');
    openDatabase(file, { mode: 'write', create: true }).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700);
  });

  test('an empty file is an empty database and is not filled by reading', () => {
    const file = join(folder, 'empty.db');
    writeFileSync(file, '');
    const db = openDatabase(file, { mode: 'read' });
    let error: unknown;
    try {
      db?.prepare('SELECT * FROM t');
    } catch (caught) {
      error = caught;
    }
    db?.close();
    expect(isMissingTable(error)).toBe(true);
    expect(statSync(file).size).toBe(0);
  });

  test.each(['delete', 'wal'] as const)('a %s file keeps its journal mode', (journal) => {
    const file = sample('x.db', journal);
    const writer = openDatabase(file, { mode: 'write', create: true });
    writer.exec('INSERT INTO t VALUES (8)');
    writer.close();
    const reader = openDatabase(file, { mode: 'read' });
    expect(reader?.prepare('SELECT count(*) FROM t').pluck().get()).toBe(2);
    expect(reader?.pragma('journal_mode', { simple: true })).toBe(journal);
    reader?.close();
  });

  test('a reading handle cannot write', () => {
    const reader = openDatabase(sample('x.db', 'delete'), { mode: 'read' });
    expect(() => reader?.exec('INSERT INTO t VALUES (8)')).toThrow(/readonly/);
    reader?.close();
  });

  test('half a transaction of a writer that died is rolled back, not shown and not an error', () => {
    const file = sample('x.db', 'delete');
    const writer = openDatabase(file, { mode: 'write', create: true });
    writer.pragma('cache_size = 1');
    writer.exec('CREATE TABLE big (a)');
    writer.exec('BEGIN; UPDATE t SET a = 99');
    for (let i = 0; i < 200; i += 1) writer.prepare('INSERT INTO big VALUES (zeroblob(2000))').run();
    const crashed = join(folder, 'crashed.db');
    writeFileSync(crashed, readFileSync(file));
    writeFileSync(`${crashed}-journal`, readFileSync(`${file}-journal`));
    writer.exec('ROLLBACK');
    writer.close();
    const reader = openDatabase(crashed, { mode: 'read' });
    expect(reader?.prepare('SELECT a FROM t').pluck().all()).toEqual([7]);
    expect(reader?.prepare('SELECT count(*) FROM big').pluck().get()).toBe(0);
    reader?.close();
  });
});

describe('each fault has a code and names the file', () => {
  test.each([
    ['a long file of something else', 'no database '.repeat(1000)],
    ['a short file of something else', 'xyz'],
  ])('%s is damaged and left alone', (_name, content) => {
    const file = join(folder, 'x.db');
    writeFileSync(file, content);
    for (const mode of ['read', 'write'] as const) {
      const error = failure(() => openDatabase(file, { mode, create: true }));
      expect(error).toMatchObject({ code: 'damaged', subject: file });
      expect(error.message).toContain(file);
    }
    expect(readFileSync(file, 'utf8')).toBe(content);
  });

  test("a folder in its place, and a file in its folder's place, are unreadable", () => {
    const file = join(folder, 'x.db');
    mkdirSync(file);
    expect(failure(() => openDatabase(file, { mode: 'read' }))).toMatchObject({ code: 'unreadable', subject: file });
    expect(failure(() => openDatabase(file, { mode: 'write', create: true })).code).toBe('unreadable');
    const inside = join(sample('y.db', 'delete'), 'z.db');
    expect(failure(() => openDatabase(inside, { mode: 'write', create: true })).code).toBe('unreadable');
  });

  test('a lock of another connection is locked', () => {
    const file = sample('x.db', 'delete');
    const holder = openDatabase(file, { mode: 'write', create: true });
    holder.exec('BEGIN EXCLUSIVE');
    expect(failure(() => openDatabase(file, { mode: 'read', busyMs: 1 })).code).toBe('locked');
    holder.exec('ROLLBACK');
    holder.close();
    openDatabase(file, { mode: 'read', busyMs: 1 })?.close();
  });

  test('a table that is not there is damaged, a slip in our own SQL stays what it is', () => {
    const db = openDatabase(':memory:', { mode: 'write', create: true });
    expect(failure(() => wrap(() => db.prepare('SELECT a FROM none'))).code).toBe('damaged');
    expect(() => wrap(() => db.prepare('SELEC'))).toThrow(/syntax error/);
    db.close();
  });

  test.each([
    ['EACCES', 'unreadable'],
    ['EROFS', 'read-only'],
    ['ENOSPC', 'read-only'],
  ])('%s is %s', (code, meaning) => {
    const error = toUserError(Object.assign(new Error('x'), { code }), '/somewhere/x.db');
    expect(error).toMatchObject({ code: meaning, subject: '/somewhere/x.db' });
  });
});

test('another file under the same name has another identity while the first is held open', () => {
  const file = sample('x.db', 'delete');
  const held = openDatabase(file, { mode: 'read' });
  const before = fileIdentity(file);
  expect(fileIdentity(file)).toBe(before);
  const other = sample('y.db', 'delete');
  renameSync(other, file);
  expect(fileIdentity(file)).not.toBe(before);
  held?.close();
});

function wrap(act: () => unknown): void {
  try {
    act();
  } catch (error) {
    throw toUserError(error, '/somewhere/x.db');
  }
}
