import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../db/open.ts';
import { createPanelStore, type PanelStore } from '../db/panel-store.ts';
import { UserError } from '../engine/errors.ts';
import { createGrantsService, type Grants } from './grants.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const DAY = 86_400_000;
const GRANT = { channel: 'telegram', sender_id: 'roberto', capability: 'fs:read', target: '~/Documents/**' };

let home: string;
let now: number;
let panel: PanelStore;
let grants: Grants;
let errors: unknown[];
beforeEach(() => {
  vi.useFakeTimers();
  home = mkdtempSync(join(tmpdir(), 'vaglio-uses-'));
  now = NOW;
  errors = [];
  start();
});
afterEach(() => {
  vi.useRealTimers();
  stop();
  rmSync(home, { recursive: true, force: true });
});

function start(staleAfterDays: number | null = 90): void {
  panel = createPanelStore(join(home, 'panel.db'), { busyMs: 1 });
  grants = createGrantsService({
    paths: { grantsDb: join(home, 'grants.db') },
    clock: () => now,
    home,
    forbiddenPath: () => null,
    panel,
    staleAfterDays,
    onError: (error) => errors.push(error),
    busyMs: 1,
  });
}

function stop(): void {
  grants.close();
  panel.close();
}

const uses = () => grants.list({ all: true }).grants.map((grant) => [grant.uses, grant.last_used_ms]);

describe('uses', () => {
  test('are in the list at once, and over a restart', () => {
    const { id } = grants.record(GRANT);
    expect(uses()).toEqual([[0, null]]);
    grants.noteUse(id);
    now += 1000;
    grants.noteUse(id);
    expect(uses()).toEqual([[2, NOW + 1000]]);
    stop();
    start();
    expect(uses()).toEqual([[2, NOW + 1000]]);
    grants.noteUse(id);
    expect(uses()).toEqual([[3, NOW + 1000]]);
  });

  test('asking whether a grant covers is no use', () => {
    grants.record(GRANT);
    grants.hasGrant('telegram', 'roberto', 'fs:read', '~/Documents/a');
    expect(uses()).toEqual([[0, null]]);
  });

  test('are kept by a timer that begins with the first of them, and the list is told', async () => {
    expect(vi.getTimerCount()).toBe(0);
    const { id } = grants.record(GRANT);
    grants.noteUse(id);
    const kept = () => openDatabase(join(home, 'panel.db'), { mode: 'read' })?.prepare('SELECT uses FROM grant_uses');
    expect(vi.getTimerCount()).toBe(1);
    vi.runOnlyPendingTimers();
    expect(kept()?.pluck().all()).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
    expect(uses()).toEqual([[1, NOW]]);
  });

  test('wait for a panel.db that is locked, are told once, and are not lost', () => {
    const { id } = grants.record(GRANT);
    grants.noteUse(id);
    const other = openDatabase(join(home, 'panel.db'), { mode: 'write', create: true });
    panel.read((db) => db.pragma('user_version'));
    other.exec('BEGIN IMMEDIATE');
    vi.runOnlyPendingTimers();
    vi.runOnlyPendingTimers();
    expect(errors).toHaveLength(1);
    other.exec('ROLLBACK');
    other.close();
    vi.runOnlyPendingTimers();
    expect(uses()).toEqual([[1, NOW]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of a grant in a file that was replaced are not those of its successor', () => {
    grants.noteUse(grants.record(GRANT).id);
    stop();
    rmSync(join(home, 'grants.db'));
    start();
    now += 1000;
    const { id } = grants.record(GRANT);
    expect(id).toBe(1);
    expect(uses()).toEqual([[0, null]]);
  });

  test('are not known where panel.db cannot be read, and grants still answer', () => {
    stop();
    mkdirSync(join(home, 'other.db'));
    panel = createPanelStore(join(home, 'other.db'));
    grants = createGrantsService({
      paths: { grantsDb: join(home, 'grants.db') },
      clock: () => now,
      home,
      forbiddenPath: () => null,
      panel,
    });
    grants.noteUse(grants.record(GRANT).id);
    expect(uses()).toEqual([[null, null]]);
    expect(grants.hasGrant('telegram', 'roberto', 'fs:read', '~/Documents/a')).toBe(true);
  });
});

describe('stale grants', () => {
  const stale = () => grants.stale({}).grants.map(({ grant, unused_since_ms }) => [grant.id, unused_since_ms]);

  test('are suggested after so many days without use, longest unused first, and not a moment earlier', () => {
    const first = grants.record(GRANT).id;
    const second = grants.record({ ...GRANT, target: '~/Foto/*' }).id;
    expect(stale()).toEqual([]);
    now += DAY;
    grants.noteUse(first);
    now = NOW + 90 * DAY - 1;
    expect(stale()).toEqual([]);
    now += 1;
    expect(stale()).toEqual([[second, NOW]]);
    now += DAY;
    expect(stale()).toEqual([
      [second, NOW],
      [first, NOW + DAY],
    ]);
    expect(grants.list({}).grants).toHaveLength(2);
  });

  test('the time before anybody counted is not held against a grant', () => {
    const old = { ...GRANT };
    grants.record(old);
    const db = openDatabase(join(home, 'grants.db'), { mode: 'write', create: true });
    db.exec("UPDATE grants SET granted_at = '2020-01-01T00:00:00Z'");
    db.close();
    expect(stale()).toEqual([]);
    now += 90 * DAY;
    expect(stale()).toEqual([[1, NOW]]);
  });

  test('those without effect, expired or revoked are no suggestion', () => {
    grants.record({ ...GRANT, expires_at: '2026-12-31' });
    grants.record(GRANT);
    grants.revoke({ ids: [2] });
    const db = openDatabase(join(home, 'grants.db'), { mode: 'write', create: true });
    db.exec(`INSERT INTO grants (channel, sender_id, capability, target, granted_at)
      VALUES ('telegram', 'roberto', 'mail:send', 'a', '2026-11-01T00:00:00Z')`);
    db.close();
    grants.stale({});
    now += 90 * DAY;
    expect(stale()).toEqual([]);
  });

  test('revoking one notes the reason; one that was used meanwhile stays', () => {
    const ids = [grants.record(GRANT).id, grants.record({ ...GRANT, target: '~/Foto/*' }).id];
    grants.stale({});
    now += 90 * DAY;
    grants.noteUse(2);
    expect(grants.revoke({ ids, reason: 'stale' }).results).toEqual([
      { id: 1, changed: true },
      { id: 2, changed: false },
    ]);
    const states = () =>
      grants.list({ all: true }).grants.map(({ id, state, revoked_reason }) => [id, state, revoked_reason]);
    expect(states()).toEqual([
      [2, 'active', null],
      [1, 'revoked', 'stale'],
    ]);
    stop();
    start();
    expect(states()[1]).toEqual([1, 'revoked', 'stale']);
    expect(grants.restore({ id: 1 })).toMatchObject({ state: 'active', revoked_reason: null });
  });

  test('are those of ninety days where no number is set, and nothing is done to them', () => {
    stop();
    start(null);
    grants.record(GRANT);
    grants.stale({});
    now += 90 * DAY - 1;
    expect(grants.stale({})).toEqual({ after_days: 90, grants: [], problem: null });
    now += 1;
    expect(stale()).toEqual([[1, NOW]]);
    now += 1000 * DAY;
    expect(stale()).toEqual([[1, NOW]]);
    expect(grants.list({}).grants).toMatchObject([{ id: 1, state: 'active', revoked_reason: null }]);
    expect(grants.hasGrant('telegram', 'roberto', 'fs:read', '~/Documents/a')).toBe(true);
  });

  test('are none where uses are not counted, and none is revoked as one', () => {
    stop();
    panel = createPanelStore(join(home, 'panel.db'), { busyMs: 1 });
    grants = createGrantsService({
      paths: { grantsDb: join(home, 'grants.db') },
      clock: () => now,
      home,
      forbiddenPath: () => null,
    });
    grants.record(GRANT);
    now += 1000 * DAY;
    expect(grants.stale({})).toEqual({ after_days: 90, grants: [], problem: null });
    expect(() => grants.revoke({ ids: [1], reason: 'stale' })).toThrow(UserError);
    expect(grants.list({}).grants).toHaveLength(1);
  });

  test('are those of as many days as are set', () => {
    stop();
    start(7);
    grants.record(GRANT);
    grants.stale({});
    now += 7 * DAY;
    expect(grants.stale({})).toMatchObject({ after_days: 7, grants: [{ unused_since_ms: NOW }] });
  });
});
