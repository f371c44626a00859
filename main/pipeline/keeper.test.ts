import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listDecisions, type NewDecision } from '../db/decisions.ts';
import { migrate } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations/list.ts';
import { openDatabase } from '../db/open.ts';
import { createPanelStore, type PanelStore } from '../db/panel-store.ts';
import { writeSetting } from '../db/settings.ts';
import { createKeeper, type Keeper, RETENTION_KEY } from './keeper.ts';

const DAY_MS = 86_400_000;
let folder: string;
let panel: PanelStore;
let now: number;
let keeper: Keeper;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-keeper-'));
  panel = createPanelStore(join(folder, 'panel.db'), { busyMs: 20 });
  now = 100 * DAY_MS;
  keeper = createKeeper({ panel, clock: () => now });
});
afterEach(() => {
  keeper.close();
  panel.close();
  rmSync(folder, { recursive: true, force: true });
});

const decision = (more: Partial<NewDecision> = {}): NewDecision => ({
  at: now,
  channel: 'web',
  sender_id: 'anna',
  executor: 'read_files',
  capability: 'fs:read',
  target: '~/a',
  level: 'Full',
  decision: 'allowed',
  stage: 'vaglio',
  rule: 'line:passed',
  decided_by: 'table',
  stages: [{ stage: 'policy', outcome: 'passed', rule: 'policy:table' }],
  verdict_ts: 1.5,
  grant_id: 7,
  approval_token: null,
  turn_id: 't',
  step: 2,
  error: null,
  ...more,
});
const kept = (filter = {}) => panel.read((db) => listDecisions(db, { limit: 100, ...filter }));
const turnOver = () => new Promise((resolve) => setImmediate(resolve));

test('an answer is kept whole, by itself', async () => {
  keeper.keep(decision());
  while (kept().length === 0) await turnOver();
  expect(kept()).toEqual([{ id: 1, ...decision() }]);
});

test('answers are found by what they were about, newest first', () => {
  for (const [n, channel] of ['a', 'b', 'a'].entries()) keeper.keep(decision({ channel, at: now + n, verdict_ts: n }));
  keeper.flush();
  expect(kept({ channel: 'a' }).map(({ id }) => id)).toEqual([3, 1]);
  expect(kept({ verdict_ts: 1 }).map(({ id }) => id)).toEqual([2]);
  expect(kept({ before: 3 }).map(({ id }) => id)).toEqual([2, 1]);
  expect(kept({ from_ms: now + 2 }).map(({ id }) => id)).toEqual([3]);
  expect(kept({ limit: 1 })).toHaveLength(2);
});

test('a panel.db that is held by another program delays nothing and loses nothing', async () => {
  keeper.flush();
  panel.read(() => undefined);
  const other = openDatabase(join(folder, 'panel.db'), { mode: 'write', create: true });
  other.exec('BEGIN IMMEDIATE');
  keeper.keep(decision());
  keeper.flush();
  expect(keeper.problem()).toContain('locked');
  keeper.keep(decision());
  other.exec('ROLLBACK');
  other.close();
  keeper.flush();
  expect(keeper.problem()).toBeNull();
  expect(kept()).toHaveLength(2);
});

test('a decision waits for nobody who holds panel.db, and its row follows when it is free', async () => {
  const slow = createPanelStore(join(folder, 'panel.db'), { busyMs: 60_000 });
  const waits = createKeeper({ panel: slow, clock: () => now });
  slow.read(() => undefined);
  const other = openDatabase(join(folder, 'panel.db'), { mode: 'write', create: true });
  other.exec('BEGIN IMMEDIATE');
  // Enough to be written without waiting for the moment to pass; a wait for the lock would outlast the test.
  for (let n = 0; n < 1200; n++) waits.keep(decision({ at: now + n }));
  expect(waits.problem()).toBeNull();
  other.exec('ROLLBACK');
  other.close();
  await expect.poll(() => kept({ limit: 2000 }).length).toBe(1200);
  waits.close();
  slow.close();
});

test.each([
  [null, [70.5, 99, 100]],
  ['10', [99, 100]],
  ['0', []],
  ['nonsense', [70.5, 99, 100]],
])('with a retention of %s days older answers go', async (days, left) => {
  if (days !== null) panel.write((db) => writeSetting(db, RETENTION_KEY, days));
  const all = [10, 69, 70.5, 99, 100].map((day) => decision({ at: day * DAY_MS }));
  const { insertDecisions } = await import('../db/decisions.ts');
  panel.write((db) => insertDecisions(db, all));
  const stop = keeper.follow();
  await turnOver();
  stop();
  expect(
    kept()
      .map(({ at }) => at / DAY_MS)
      .reverse(),
  ).toEqual(left);
  keeper.keep(decision());
  keeper.flush();
  expect(kept()).toHaveLength(left.length + (days === '0' ? 0 : 1));
});

test('how long answers stay is kept, holds at once for new ones, and takes old ones at the next clean-up', async () => {
  expect(keeper.days()).toBe(30);
  keeper.keep(decision({ at: now - 8 * DAY_MS }));
  keeper.flush();
  keeper.setDays(7);
  const rows = () => panel.read((db) => listDecisions(db, { limit: 10 }));
  expect(rows()).toHaveLength(1);
  const again = createKeeper({ panel, clock: () => now });
  expect(again.days()).toBe(7);
  const stop = again.follow();
  await expect.poll(() => rows().length).toBe(0);
  stop();
  keeper.setDays(0);
  keeper.keep(decision());
  keeper.flush();
  expect(rows()).toHaveLength(0);
});

test('the tables come on top of a database of the version before, whose history stays', () => {
  const file = join(folder, 'old.db');
  const db = openDatabase(file, { mode: 'write', create: true });
  migrate(db, file, MIGRATIONS.slice(0, 2));
  db.exec(`INSERT INTO level_changes (at, who, scope_kind, from_level, to_level, done)
    VALUES (1, 'operator', 'default', 'Full', 'ReadOnly', 1)`);
  migrate(db, file, MIGRATIONS.slice(0, 3));
  expect(db.prepare('SELECT why, until_ms FROM level_changes').get()).toEqual({ why: 'set', until_ms: null });
  expect(db.prepare('SELECT count(*) FROM decisions').pluck().get()).toBe(0);
  db.close();
});
