import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { createAuditQueries } from './audit-queries.ts';
import { openAuditStore, StaleIndex, scoreBin } from './audit-store.ts';
import { openPanelDb } from './panel.ts';
import { newFile, newVerdict, seededAudit } from './test-index.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-store-'));
  path = join(folder, 'panel.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.parse('2026-11-30T12:00:00Z');
const FOREVER = { from: 0, to: 1e11 };

test.each([
  [null, -1],
  [0, 0],
  [0.049, 0],
  [0.05, 1],
  [0.15, 3],
  [0.7, 14],
  [0.7999999999999999, 16],
  [0.95, 19],
  [1, 19],
  [7, -1],
  [-0.1, -1],
])('score %s is in bin %s', (score, bin) => {
  expect(scoreBin(score)).toBe(bin);
});

describe('an index that does not fit is built anew', () => {
  test.each([
    ['a table is missing', 'DROP TABLE stats_hour', 3600],
    ['a column is missing', 'ALTER TABLE verdicts DROP COLUMN reason', 3600],
    ['it is of another version', "UPDATE log_meta SET value = 0 WHERE key = 'version'", 3600],
    ['its roll-ups are of another width', 'SELECT 1', 900],
    ['nothing is in it', 'DELETE FROM log_meta', 3600],
  ])('%s', (_why, sql, unit) => {
    const { db, close } = seededAudit([{}, {}], path);
    db.exec(sql);
    close();
    const again = openPanelDb(path);
    const store = openAuditStore(again, path, { unit, now: NOW + 60_000 });
    expect(store.files()).toEqual([]);
    expect(store.lastSeq()).toBe(store.firstSeq - 1);
    expect(again.prepare('SELECT count(*) FROM verdicts').pluck().get()).toBe(0);
    again.close();
  });

  test('one that fits is kept; a new one gives out other seqs', () => {
    const first = seededAudit([{}, {}], path);
    const last = first.store.lastSeq();
    expect(openAuditStore(first.db, path, { unit: 3600, now: NOW + 60_000 }).lastSeq()).toBe(last);
    const anew = openAuditStore(first.db, path, { unit: 900, now: NOW + 60_000 });
    expect(anew.firstSeq).toBeGreaterThan(last + 1_000_000);
    first.close();
  });
});

describe('writing', () => {
  test('a second handle that indexed meanwhile is noticed, and nothing is written twice', () => {
    const one = seededAudit([{}], path);
    const other = openPanelDb(path);
    const second = openAuditStore(other, path, { unit: 3600, now: NOW });
    const next = { ...one.file, offset: 2 };
    const batch = { file: next, verdicts: [newVerdict({ offset: 1 })], events: [], faults: [] };
    one.store.append(batch);
    expect(() => second.append(batch)).toThrowError(StaleIndex);
    expect(one.db.prepare('SELECT count(*) FROM verdicts').pluck().get()).toBe(2);
    expect(openAuditStore(other, path, { unit: 3600, now: NOW }).files()[0]).toMatchObject({ offset: 2 });
    one.close();
    other.close();
  });

  test('a batch that fails leaves nothing, and the next one names its texts right', () => {
    const { db, store, queries, file, close } = seededAudit([]);
    const bad = newVerdict({ executor: 'a', at: null as unknown as number });
    const batch = { file: { ...file, offset: 9 }, events: [], faults: [] };
    expect(() => store.append({ ...batch, verdicts: [newVerdict({ executor: 'a' }), bad] })).toThrowError(/NOT NULL/);
    expect(db.prepare('SELECT count(*) FROM log_whats').pluck().get()).toBe(0);
    store.append({ ...batch, verdicts: [newVerdict({ executor: 'b' }), newVerdict({ executor: 'a' })] });
    expect(queries.rowsAfter(0, 10).map(({ executor }) => executor)).toEqual(['b', 'a']);
    close();
  });

  test('rows in and beyond one statement, each once and in order', () => {
    for (const n of [1, 31, 32, 33, 64, 100]) {
      const { queries, store, close } = seededAudit(Array.from({ length: n }, (_, i) => ({ intent: String(i) })));
      expect(queries.rowsAfter(0, 1000).map(({ intent }) => Number(intent))).toEqual(
        Array.from({ length: n }, (_, i) => i),
      );
      expect(store.lastSeq() - store.firstSeq + 1).toBe(n);
      close();
    }
  });

  test('of a file with endless faults the newest are kept', () => {
    const { store, file, db, close } = seededAudit([]);
    for (let round = 1; round <= 3; round++) {
      const faults = Array.from({ length: 150 }, (_, n) => ({
        line: round * 1000 + n,
        offset: round * 1000 + n,
        why: 'invalid-json',
      }));
      store.append({ file: { ...file, offset: round }, verdicts: [], events: [], faults });
    }
    expect(db.prepare('SELECT count(*) FROM log_faults').pluck().get()).toBe(200);
    expect(store.faults(2).map(({ line }) => line)).toEqual([3149, 3148]);
    close();
  });

  test('a file that is taken out is gone at once from every answer, and its rows bit by bit', () => {
    const { store, queries, file, db, close } = seededAudit(Array.from({ length: 9000 }, () => ({})));
    const other = { ...store.add(newFile('2026-10.jsonl')), offset: 1 };
    store.append({
      file: other,
      verdicts: [newVerdict({ executor: 'stays' })],
      events: [{ offset: 5, at: NOW / 1000, name: 'k' }],
      faults: [],
    });
    store.remove(file.id);
    const check = (): void => {
      expect(queries.page({}, undefined, 10)?.rows.map(({ executor }) => executor)).toEqual(['stays']);
      expect(queries.rowsAfter(0, 10)).toHaveLength(1);
      expect(queries.place(store.firstSeq)).toBeNull();
      expect(queries.sums(FOREVER)).toHaveLength(1);
      // Not a whole roll-up: counted from the rows.
      expect(queries.sums({ from: NOW / 1000 - 1, to: NOW / 1000 + 1 })).toHaveLength(1);
      expect(queries.events(FOREVER)).toEqual({ k: 1 });
      expect(queries.months()).toEqual(['2026-10']);
      expect(store.files().map(({ name }) => name)).toEqual(['2026-10.jsonl']);
    };
    check();
    let calls = 0;
    while (store.purge()) {
      calls++;
      check();
    }
    expect(calls).toBeGreaterThan(2);
    expect(db.prepare('SELECT count(*) FROM verdicts').pluck().get()).toBe(1);
    expect(db.prepare('SELECT count(*) FROM log_files').pluck().get()).toBe(1);
    close();
  });
});

describe('pages', () => {
  const lines = [
    { at: 100, intent: 'Perché no', executor: 'read_files' },
    { at: 300, intent: '100% sure_thing', reason: 'approved: x' },
    { at: 200, approved: false, blocked_by: 'guard', rule: String.raw`\bmkfs\b`, reason: 'guard: y' },
    { at: 300, approved: false, blocked_by: 'judge', rule: 'judge:threshold', executor: 'shell_exec' },
    { at: 200, approved: false },
  ];
  const offsets = (filter: Parameters<ReturnType<typeof createAuditQueries>['page']>[0]): number[] | undefined => {
    const { queries, close } = seededAudit(lines);
    const rows = queries.page(filter, undefined, 10)?.rows.map(({ offset }) => offset);
    close();
    return rows;
  };

  test.each([
    [{}, [3, 1, 4, 2, 0]],
    [{ outcome: 'approved' }, [1, 0]],
    [{ outcome: 'denied' }, [3, 4, 2]],
    [{ blocked_by: 'guard' }, [2]],
    [{ blocked_by: 'unknown' }, [4]],
    [{ rule: String.raw`\bmkfs\b` }, [2]],
    [{ rule: 'unknown' }, [4]],
    [{ rule: 'none such' }, []],
    [{ executor: 'shell_exec' }, [3]],
    [{ from_ts: 200, to_ts: 300 }, [4, 2]],
    [{ text: 'PERCHÉ' }, [0]],
    [{ text: 'perche' }, [0]],
    [{ text: 'rche' }, []],
    [{ text: '100%' }, [1]],
    [{ text: 'SURE_th' }, [1]],
    [{ text: 'thing sure' }, [1]],
    [{ text: 'sure no' }, []],
    [{ min_score: 0.7, max_score: 0.75 }, [3, 1, 4, 2, 0]],
    [{ max_score: 0.7 }, []],
    [{ text: 'perche', executor: 'shell_exec' }, []],
    [{ text: 'SHELL_' }, [3]],
    [{ text: "x' OR 1=1 --" }, []],
    [{ text: '' }, [3, 1, 4, 2, 0]],
    [{ text: 'guard', outcome: 'approved' }, []],
  ] as const)('%j', (filter, expected) => {
    expect(offsets(filter)).toEqual(expected);
  });

  test('one after the other give every row once, in order, also among equal times', () => {
    const { queries, close } = seededAudit(Array.from({ length: 50 }, (_, n) => ({ at: 1000 + Math.floor(n / 7) })));
    const seen: number[] = [];
    for (let before: number | undefined, more = true; more; ) {
      const page = queries.page({}, before, 4);
      seen.push(...(page?.rows ?? []).map(({ offset }) => offset));
      before = page?.rows.at(-1)?.seq;
      more = page?.more ?? false;
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, n) => 49 - n));
    expect(queries.page({}, 1, 4)).toBeNull();
    close();
  });

  test('are found through an index, first and later ones, all and denied', () => {
    const { db, queries, close } = seededAudit(lines);
    const plans: string[] = [];
    const prepare = db.prepare.bind(db);
    db.prepare = ((sql: string) => {
      const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...(sql.match(/\?/g)?.map(() => 1) ?? [])) as {
        detail: string;
      }[];
      plans.push(plan.map(({ detail }) => detail).join('; '));
      return prepare(sql);
    }) as typeof db.prepare;
    queries.page({}, undefined, 5);
    queries.page({ outcome: 'denied' }, undefined, 5);
    expect(plans[0]).toContain('SEARCH v USING INDEX verdicts_at (at>? AND at<?)');
    expect(plans[1]).toContain('USING INDEX verdicts_denied (at>? AND at<?)');
    for (const plan of plans) expect(plan).not.toContain('TEMP B-TREE');
    close();
  });
});
