import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordGrantLink } from './grant-links.ts';
import {
  beginLevelChange,
  dropLevelChange,
  finishLevelChange,
  listLevelChanges,
  unfinishedLevelChanges,
} from './level-changes.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/list.ts';
import { openDatabase } from './open.ts';
import { createPanelStore, type PanelStore } from './panel-store.ts';
import { readSetting, writeSetting } from './settings.ts';

let folder: string;
let file: string;
let store: PanelStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-operator-'));
  file = join(folder, 'panel.db');
  store = createPanelStore(file, { busyMs: 50 });
});
afterEach(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the operator tables', () => {
  test('keep their rows through every later migration', () => {
    const db = openDatabase(file, { mode: 'write', create: true });
    migrate(db, file, MIGRATIONS.slice(0, 2));
    writeSetting(db, 'default_level', 'Full');
    db.close();
    expect(store.read((panel) => readSetting(panel, 'default_level'))).toBe('Full');
    expect(store.read((panel) => readSetting(panel, 'x'))).toBeNull();
  });

  test('a setting is what was written last', () => {
    store.write((db) => writeSetting(db, 'default_level', 'Full'));
    store.write((db) => writeSetting(db, 'default_level', 'ReadOnly'));
    expect(store.read((db) => readSetting(db, 'default_level'))).toBe('ReadOnly');
  });

  test('a transaction that fails leaves nothing', () => {
    expect(() =>
      store.write((db) => {
        writeSetting(db, 'theme', 'dark');
        throw new Error('later');
      }),
    ).toThrow('later');
    expect(store.read((db) => readSetting(db, 'theme'))).toBeNull();
  });

  test('a level change is in the history once it is done, newest first', () => {
    const change = {
      at: 1,
      who: 'operator',
      scope: { kind: 'default' as const },
      from: 'Full',
      to: 'ReadOnly' as const,
    };
    const pairing = { kind: 'pairing' as const, channel: 'telegram', sender_id: 'anna' };
    const [first, second, third] = store.write((db) => [
      beginLevelChange(db, change),
      beginLevelChange(db, { ...change, at: 2, scope: pairing, from: 'odd' }),
      beginLevelChange(db, { ...change, at: 3 }),
    ]);
    expect(store.read((db) => listLevelChanges(db, 10))).toEqual([]);
    expect(store.read(unfinishedLevelChanges)).toHaveLength(3);
    store.write((db) => {
      finishLevelChange(db, Number(first));
      finishLevelChange(db, Number(second));
      dropLevelChange(db, Number(third));
      dropLevelChange(db, Number(first));
    });
    expect(store.read((db) => listLevelChanges(db, 10))).toEqual([
      { ...change, id: second, at: 2, scope: pairing, from: 'odd', why: 'set', until_ms: null },
      { ...change, id: first, why: 'set', until_ms: null },
    ]);
    expect(store.read((db) => listLevelChanges(db, 1))).toHaveLength(1);
    expect(store.read(unfinishedLevelChanges)).toEqual([]);
  });

  test('a grant made again is linked to the one it continues', () => {
    store.write((db) => recordGrantLink(db, { oldId: 1, newId: 9, at: 5 }));
    store.write((db) => recordGrantLink(db, { oldId: 2, newId: 9, at: 6 }));
    expect(store.read((db) => db.prepare('SELECT new_id, old_id, at FROM grant_links').all())).toEqual([
      { new_id: 9, old_id: 2, at: 6 },
    ]);
  });
});

describe('the store', () => {
  test('goes on with a new file when its file was deleted while open', () => {
    store.write((db) => writeSetting(db, 'theme', 'dark'));
    rmSync(file);
    store.write((db) => writeSetting(db, 'language', 'it'));
    const other = createPanelStore(file);
    expect(other.read((db) => [readSetting(db, 'theme'), readSetting(db, 'language')])).toEqual([null, 'it']);
    other.close();
  });

  test('says what is wrong with a damaged file, and uses a repaired one', () => {
    writeFileSync(file, 'no database at all, but longer than a header would be'.repeat(50));
    expect(store.problem()).toMatchObject({ code: 'damaged', subject: file });
    expect(() => store.write((db) => writeSetting(db, 'theme', 'dark'))).toThrow(file);
    rmSync(file);
    expect(store.problem()).toBeNull();
  });

  test('refuses a file of a newer program', () => {
    store.write((db) => db.pragma(`user_version = ${MIGRATIONS.length + 1}`));
    store.close();
    expect(createPanelStore(file).problem()).toMatchObject({ code: 'newer', subject: file });
  });

  test('says that the file is locked', () => {
    store.write((db) => writeSetting(db, 'theme', 'dark'));
    const other = openDatabase(file, { mode: 'write', create: true });
    other.exec('BEGIN IMMEDIATE');
    expect(() => store.write((db) => writeSetting(db, 'theme', 'light'))).toThrow(`${file} is locked`);
    expect(store.problem()).toBeNull();
    other.close();
  });
});
