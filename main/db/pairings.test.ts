import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase, type WriteDb } from './open.ts';
import { createPairingsRepository, type PairingsRepository } from './pairings.ts';

let folder: string;
let file: string;
let pairings: PairingsRepository;

function makeFile(path: string, rows: string): void {
  const db = openDatabase(path, { mode: 'write', create: true });
  db.exec(`CREATE TABLE pairings (
    id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, sender_id TEXT NOT NULL, autonomy_level TEXT NOT NULL,
    paired_at TEXT NOT NULL, paired_by TEXT NOT NULL, last_seen TEXT, revoked_at TEXT, actor TEXT, display_name TEXT,
    UNIQUE(channel, sender_id));
    INSERT INTO pairings (channel, sender_id, autonomy_level, paired_at, paired_by, revoked_at, display_name) VALUES ${rows};`);
  db.close();
}

const ROWS = `('telegram', 'roberto', 'Supervised', '2026-05-01T09:00:00Z', 'author', NULL, 'Roberto'),
  ('cli', 'old', 'Full', '2026-03-01T09:00:00Z', 'author', '2026-08-01T09:00:00Z', NULL)`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-pairings-'));
  file = join(folder, 'pairings.db');
  pairings = createPairingsRepository(file, { busyMs: 50 });
});
afterEach(() => {
  pairings.close();
  rmSync(folder, { recursive: true, force: true });
});

const set = (from: string, to: string, sender_id = 'roberto', channel = 'telegram'): boolean =>
  pairings.setLevel({ channel, sender_id, from, to });

test('no file, and a file without a table, mean that nobody is paired; nothing is made', () => {
  expect(pairings.list()).toEqual([]);
  expect(set('Supervised', 'ReadOnly')).toBe(false);
  expect(() => readFileSync(file)).toThrow();
  writeFileSync(file, '');
  expect(pairings.list()).toEqual([]);
  makeFile(file, ROWS);
  expect(pairings.list()).toHaveLength(2);
});

test('rows come by channel and sender, whatever type their values have', () => {
  makeFile(file, `${ROWS}, ('web', 7, x'4655', '', 'x', NULL, NULL)`);
  expect(pairings.list().map(({ channel, sender_id }) => `${channel}/${sender_id}`)).toEqual([
    'cli/old',
    'telegram/roberto',
    'web/7',
  ]);
  expect(pairings.find('web', '7')?.autonomy_level).toBe('FU');
  expect(pairings.find('telegram', 'roberto')).toMatchObject({ id: 1, display_name: 'Roberto', last_seen: null });
  expect(pairings.find('telegram', "roberto' OR 1=1")).toBeNull();
});

test('a level is set for another program to read, and only over what was seen', () => {
  makeFile(file, ROWS);
  expect(set('Full', 'ReadOnly')).toBe(false);
  expect(set('Full', 'ReadOnly', 'old', 'cli')).toBe(false);
  expect(set('Supervised', 'ReadOnly')).toBe(true);
  const other = openDatabase(file, { mode: 'read' });
  expect(other?.prepare('SELECT autonomy_level FROM pairings ORDER BY id').pluck().all()).toEqual(['ReadOnly', 'Full']);
  expect(other?.pragma('journal_mode', { simple: true })).toBe('delete');
  other?.close();
});

test('a file that was deleted or replaced while open is followed', () => {
  makeFile(file, ROWS);
  expect(pairings.list()).toHaveLength(2);
  makeFile(`${file}.new`, `('web', 'anna', 'Full', '2026-01-01', 'x', NULL, NULL)`);
  renameSync(`${file}.new`, file);
  expect(pairings.list().map(({ sender_id }) => sender_id)).toEqual(['anna']);
  rmSync(file);
  expect(pairings.list()).toEqual([]);
});

test('a damaged file is named and stays as it is', () => {
  writeFileSync(file, 'not a database but full of something '.repeat(100));
  const before = readFileSync(file);
  expect(() => pairings.list()).toThrow(`${file} is damaged`);
  expect(() => set('Full', 'ReadOnly')).toThrow(`${file} is damaged`);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a locked file is named', () => {
  makeFile(file, ROWS);
  const other = openDatabase(file, { mode: 'write' }) as WriteDb;
  other.exec('BEGIN EXCLUSIVE');
  expect(() => pairings.list()).toThrow(`${file} is locked`);
  expect(() => set('Supervised', 'ReadOnly')).toThrow(`${file} is locked`);
  other.exec('ROLLBACK');
  expect(set('Supervised', 'ReadOnly')).toBe(true);
  other.close();
});
