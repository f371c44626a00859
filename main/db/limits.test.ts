import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addGrantUses, listGrantUses, usesCountedSince } from './grant-uses.ts';
import { createPanelStore, type PanelStore } from './panel-store.ts';
import { dropRateBuckets, hasTokens, takeTokens } from './rate-buckets.ts';

let folder: string;
let panel: PanelStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-limits-'));
  panel = createPanelStore(join(folder, 'panel.db'));
});
afterEach(() => {
  panel.close();
  rmSync(folder, { recursive: true, force: true });
});

const restart = (): void => {
  panel.close();
  panel = createPanelStore(join(folder, 'panel.db'));
};

describe('uses of grants', () => {
  const add = (uses: number, last_used_ms: number, granted_at = 'a') =>
    panel.write((db) => addGrantUses(db, [{ grant_id: 1, granted_at, uses, last_used_ms }]));

  test('add up, and the last one stays the last', () => {
    add(2, 500);
    add(3, 400);
    restart();
    expect(panel.read(listGrantUses)).toEqual([{ grant_id: 1, granted_at: 'a', uses: 5, last_used_ms: 500 }]);
  });

  test('a grant of the same id in another file begins anew', () => {
    add(2, 500);
    add(1, 400, 'b');
    expect(panel.read(listGrantUses)).toEqual([{ grant_id: 1, granted_at: 'b', uses: 1, last_used_ms: 400 }]);
  });

  test('are counted since the first time that was asked', () => {
    expect(panel.write((db) => usesCountedSince(db, 7))).toBe(7);
    restart();
    expect(panel.write((db) => usesCountedSince(db, 9))).toBe(7);
  });
});

describe('rate buckets', () => {
  const limit = { burst: 2, per_minute: 1 };
  const take = (now: number, ...keys: string[]) =>
    panel.write((db) =>
      takeTokens(
        db,
        keys.map((key) => ({ key, limit })),
        now,
      ),
    );

  test('survive a restart', () => {
    expect([take(0, 'a'), take(0, 'a')]).toEqual([true, true]);
    restart();
    expect(take(0, 'a')).toBe(false);
    expect(take(60_000, 'a')).toBe(true);
  });

  test('all of them give a token, or none does', () => {
    take(0, 'a');
    take(0, 'a');
    expect(take(0, 'b', 'a')).toBe(false);
    expect([take(0, 'b'), take(0, 'b'), take(0, 'b')]).toEqual([true, true, false]);
  });

  test('looking takes nothing', () => {
    const has = () => panel.read((db) => hasTokens(db, [{ key: 'a', limit }], 0));
    expect([has(), has(), has()]).toEqual([true, true, true]);
    take(0, 'a');
    take(0, 'a');
    expect(has()).toBe(false);
  });

  test('one that is full again can be dropped, one in use is kept', () => {
    take(0, 'old');
    take(200_000, 'new');
    panel.write((db) => dropRateBuckets(db, 120_000));
    expect(panel.read((db) => db.prepare('SELECT key FROM rate_buckets').pluck().all())).toEqual(['new']);
  });

  test('a row that is no number is an error, not a token', () => {
    panel.write((db) => db.prepare("INSERT INTO rate_buckets VALUES ('a', 9e999, 0)").run());
    expect(() => take(0, 'a')).toThrow(RangeError);
  });
});
