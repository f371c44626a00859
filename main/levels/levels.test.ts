import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GrantView } from '../../shared/domain/grant.ts';
import type { LevelScope, LevelState } from '../../shared/domain/level.ts';
import { beginLevelChange } from '../db/level-changes.ts';
import { openDatabase, type WriteDb } from '../db/open.ts';
import { createPairingsRepository, type PairingsRepository } from '../db/pairings.ts';
import { createPanelStore, type PanelStore } from '../db/panel-store.ts';
import { type Changes, createChanges, watchFile } from '../engine/changes.ts';
import { createLevelService, type Levels, settleLevelChanges } from './levels.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const DEFAULT: LevelScope = { kind: 'default' };
const ROBERTO: LevelScope = { kind: 'pairing', channel: 'telegram', sender_id: 'roberto' };

let folder: string;
let panelFile: string;
let pairingsFile: string;
let panel: PanelStore;
let pairings: PairingsRepository;
let changes: Changes;
let grants: GrantView[];
let grantsProblem: string | null;
let levels: Levels;
let now: number;

function grant(id: number, capability: string, more: Partial<GrantView> = {}): GrantView {
  return {
    id,
    channel: 'telegram',
    sender_id: 'roberto',
    capability,
    target: 'x',
    granted_at: '2026-11-01T00:00:00Z',
    expires_at: null,
    granted_by: null,
    revoked_at: null,
    state: 'active',
    no_effect: null,
    expires_ms: null,
    granted_ms: 0,
    bad_expiry: false,
    uses: 0,
    last_used_ms: null,
    revoked_reason: null,
    ...more,
  };
}

function sql(statement: string): void {
  const db = openDatabase(pairingsFile, { mode: 'write' }) as WriteDb;
  db.exec(statement);
  db.close();
}

const storedLevel = (sender = 'roberto'): string | undefined => pairings.find('telegram', sender)?.autonomy_level;
const history = () => levels.history({}) as { changes: unknown[] };
const code = (expected: string) => expect.objectContaining({ code: expected });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-levels-'));
  panelFile = join(folder, 'panel.db');
  pairingsFile = join(folder, 'pairings.db');
  const db = openDatabase(pairingsFile, { mode: 'write', create: true });
  db.exec(`CREATE TABLE pairings (
    id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, sender_id TEXT NOT NULL, autonomy_level TEXT NOT NULL,
    paired_at TEXT NOT NULL, paired_by TEXT NOT NULL, last_seen TEXT, revoked_at TEXT, actor TEXT, display_name TEXT,
    UNIQUE(channel, sender_id));
    INSERT INTO pairings (channel, sender_id, autonomy_level, paired_at, paired_by, revoked_at) VALUES
      ('telegram', 'roberto', 'Supervised', '2026-05-01', 'x', NULL),
      ('telegram', 'odd', 'full', '2026-05-01', 'x', NULL),
      ('telegram', 'oldphone', 'Full', '2026-05-01', 'x', '2026-08-01');`);
  db.close();
  panel = createPanelStore(panelFile, { busyMs: 50 });
  pairings = createPairingsRepository(pairingsFile, { busyMs: 50 });
  changes = createChanges((announce) => watchFile(pairingsFile, announce));
  now = NOW;
  grants = [];
  grantsProblem = null;
  levels = createLevelService({
    clock: () => now,
    panel,
    pairings,
    grants: { list: () => ({ grants, problem: grantsProblem }) },
    changes,
  });
});
afterEach(() => {
  panel.close();
  pairings.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('what counts', () => {
  test('the first start is Supervised; a pairing has its own level, an unknown text is ReadOnly', () => {
    expect(levels.state({})).toMatchObject({
      default_level: 'Supervised',
      problem: null,
      pairings: [
        { sender_id: 'odd', stored_level: 'full', level: 'ReadOnly', known: false },
        { sender_id: 'oldphone', level: 'Full', known: true, revoked_at: '2026-08-01' },
        { sender_id: 'roberto', level: 'Supervised', known: true },
      ],
    });
    expect(levels.effectiveLevel('telegram', 'roberto')).toMatchObject({ level: 'Supervised', source: 'pairing' });
    expect(levels.effectiveLevel('telegram', 'odd')).toMatchObject({ level: 'ReadOnly', revoked: false });
    expect(levels.effectiveLevel('telegram', 'oldphone')).toMatchObject({ revoked: true });
    expect(levels.effectiveLevel('web', 'nobody')).toMatchObject({ level: 'Supervised', source: 'default' });
  });

  test('without pairings.db everyone has the default', () => {
    rmSync(pairingsFile);
    expect(levels.state({})).toMatchObject({ default_level: 'Supervised', pairings: [], problem: null });
    expect(levels.effectiveLevel('telegram', 'oldphone')).toMatchObject({ source: 'default', revoked: false });
  });

  test('a damaged pairings.db is told and makes everyone ReadOnly; the default can still be set', async () => {
    writeFileSync(pairingsFile, 'no database '.repeat(200));
    expect(levels.state({})).toMatchObject({ default_level: 'Supervised', pairings: [] });
    expect((levels.state({}) as LevelState).problem).toContain(`${pairingsFile} is damaged`);
    expect(levels.effectiveLevel('web', 'nobody')).toMatchObject({ level: 'ReadOnly', problem: expect.any(String) });
    expect(await levels.set({ scope: DEFAULT, to: 'ReadOnly' })).toMatchObject({ default_level: 'ReadOnly' });
  });

  test('a damaged panel.db makes everyone ReadOnly: nobody knows whether a rise has run out or all is frozen', () => {
    panel.close();
    writeFileSync(panelFile, 'no database '.repeat(200));
    expect(levels.state({})).toMatchObject({ default_level: 'ReadOnly', problem: expect.stringContaining(panelFile) });
    expect(levels.effectiveLevel('web', 'nobody').level).toBe('ReadOnly');
    expect(levels.effectiveLevel('telegram', 'roberto')).toMatchObject({
      level: 'ReadOnly',
      problem: expect.stringContaining(panelFile),
    });
  });

  test('with a damaged panel.db a level can be lowered, which the state says is in no history, and not raised', async () => {
    const { confirmation } = await levels.preview({ scope: ROBERTO, to: 'Full' });
    panel.close();
    writeFileSync(panelFile, 'no database '.repeat(200));
    await expect(levels.set({ scope: ROBERTO, to: 'Full', confirmation })).rejects.toEqual(code('damaged'));
    expect(storedLevel()).toBe('Supervised');
    const state = await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    expect(state.problem).toContain('in no history');
    expect(storedLevel()).toBe('ReadOnly');
    rmSync(panelFile);
    await levels.set({ scope: DEFAULT, to: 'ReadOnly' });
    expect(levels.effectiveLevel('web', 'nobody').level).toBe('ReadOnly');
  });

  test('deleting panel.db while the engine runs does not widen the default', async () => {
    await levels.set({ scope: DEFAULT, to: 'ReadOnly' });
    rmSync(panelFile);
    expect(levels.state({})).toMatchObject({ default_level: 'ReadOnly', problem: null });
  });
});

describe('lowering', () => {
  test('takes effect at once, in the file of the other program, and is recorded', async () => {
    const state = await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    expect(state.pairings.find(({ sender_id }) => sender_id === 'roberto')?.level).toBe('ReadOnly');
    expect(storedLevel()).toBe('ReadOnly');
    expect(history().changes).toEqual([
      {
        id: 1,
        at: NOW,
        who: 'operator',
        scope: ROBERTO,
        from: 'Supervised',
        to: 'ReadOnly',
        why: 'set',
        until_ms: null,
      },
    ]);
  });

  test('to the level that is set already changes and records nothing', async () => {
    await levels.set({ scope: ROBERTO, to: 'Supervised' });
    await levels.set({ scope: DEFAULT, to: 'Supervised' });
    expect(history().changes).toEqual([]);
  });

  test('an unknown text can be put right without a confirmation', async () => {
    await levels.set({ scope: { ...ROBERTO, sender_id: 'odd' }, to: 'ReadOnly' });
    expect(storedLevel('odd')).toBe('ReadOnly');
    expect(history().changes).toMatchObject([{ from: 'full', to: 'ReadOnly' }]);
  });

  test('works while the grants cannot be read', async () => {
    grantsProblem = 'grants.db is damaged.';
    await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    expect(storedLevel()).toBe('ReadOnly');
  });
});

describe('rising', () => {
  test('shows the cells that open and the grants that begin to count', async () => {
    await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    grants = [
      grant(1, 'fs:write'),
      grant(2, 'fs:read'),
      grant(3, 'code:exec', { no_effect: 'always' }),
      grant(4, 'network:http', { state: 'expired' }),
      grant(5, 'network:http', { sender_id: 'anna' }),
      grant(6, 'llm:local', { no_effect: 'none' }),
    ];
    const preview = await levels.preview({ scope: ROBERTO, to: 'Supervised' });
    expect(preview).toMatchObject({ from: 'ReadOnly', to: 'Supervised', direction: 'raise' });
    expect(preview.cells.map(({ capability, from, to, opens }) => [capability, from, to, opens])).toEqual([
      ['fs:write', 'denied', 'approval_required', true],
      ['code:exec', 'denied', 'approval_required', true],
      ['network:http', 'denied', 'approval_required', true],
      ['llm:online', 'denied', 'approval_required', true],
      ['mail:send', 'denied', 'approval_required', true],
      ['channel:out', 'denied', 'approval_required', true],
    ]);
    expect(preview.grants_live.map(({ id }) => id)).toEqual([1]);
  });

  test('of the default is about the grants of whoever is not paired', async () => {
    await levels.set({ scope: DEFAULT, to: 'ReadOnly' });
    grants = [grant(1, 'fs:write'), grant(2, 'fs:write', { sender_id: 'stranger' })];
    expect((await levels.preview({ scope: DEFAULT, to: 'Supervised' })).grants_live.map(({ id }) => id)).toEqual([2]);
  });

  test('needs the confirmation of what would open now', async () => {
    await expect(levels.set({ scope: ROBERTO, to: 'Full' })).rejects.toEqual(code('confirmation-needed'));
    await expect(levels.set({ scope: ROBERTO, to: 'Full', confirmation: 'guess' })).rejects.toEqual(
      code('confirmation-needed'),
    );
    expect(storedLevel()).toBe('Supervised');
    const { confirmation } = await levels.preview({ scope: ROBERTO, to: 'Full' });
    await levels.set({ scope: ROBERTO, to: 'Full', confirmation });
    expect(storedLevel()).toBe('Full');
    expect(history().changes).toMatchObject([{ from: 'Supervised', to: 'Full' }]);
  });

  test.each([
    ['a grant came', [grant(1, 'fs:write'), grant(9, 'fs:write')]],
    ['a grant has other terms', [grant(1, 'fs:write', { target: '/**' })]],
    ['a grant went', []],
  ])('is refused when %s since it was shown', async (_, now) => {
    await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    grants = [grant(1, 'fs:write')];
    const { confirmation } = await levels.preview({ scope: ROBERTO, to: 'Supervised' });
    grants = now;
    await expect(levels.set({ scope: ROBERTO, to: 'Supervised', confirmation })).rejects.toEqual(
      code('confirmation-needed'),
    );
    expect(storedLevel()).toBe('ReadOnly');
  });

  test('is refused when another program set another level since it was shown', async () => {
    const { confirmation } = await levels.preview({ scope: ROBERTO, to: 'Full' });
    sql("UPDATE pairings SET autonomy_level = 'ReadOnly' WHERE id = 1");
    await expect(levels.set({ scope: ROBERTO, to: 'Full', confirmation })).rejects.toEqual(code('confirmation-needed'));
    expect(storedLevel()).toBe('ReadOnly');
  });

  test('a confirmation for one sender or level does not serve another', async () => {
    await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    const odd: LevelScope = { ...ROBERTO, sender_id: 'odd' };
    const { confirmation } = await levels.preview({ scope: odd, to: 'Supervised' });
    for (const to of ['Supervised', 'Full'] as const) {
      await expect(levels.set({ scope: ROBERTO, to, confirmation })).rejects.toEqual(code('confirmation-needed'));
    }
  });

  test('is refused while the grants cannot be read, since nobody could be shown what opens', async () => {
    grantsProblem = 'grants.db is damaged.';
    await expect(levels.preview({ scope: ROBERTO, to: 'Full' })).rejects.toThrow('grants.db is damaged.');
  });
});

describe('refusals', () => {
  test('a revoked pairing cannot be given a level', async () => {
    const scope: LevelScope = { ...ROBERTO, sender_id: 'oldphone' };
    await expect(levels.set({ scope, to: 'ReadOnly' })).rejects.toEqual(code('refused'));
    await expect(levels.preview({ scope, to: 'ReadOnly' })).rejects.toEqual(code('refused'));
    expect(storedLevel('oldphone')).toBe('Full');
  });

  test('who is not paired has no level to set, and no row is made', async () => {
    const scope: LevelScope = { ...ROBERTO, sender_id: 'nobody' };
    await expect(levels.set({ scope, to: 'ReadOnly' })).rejects.toEqual(code('not-found'));
    expect(storedLevel('nobody')).toBeUndefined();
  });

  test('a pairing that changes under our hands is left as it is, and the change is in no history', async () => {
    const racing: PairingsRepository = {
      ...pairings,
      setLevel: (change) => {
        sql("UPDATE pairings SET autonomy_level = 'Full' WHERE id = 1");
        return pairings.setLevel(change);
      },
    };
    const raced = createLevelService({
      clock: () => NOW,
      panel,
      pairings: racing,
      grants: { list: () => ({ grants, problem: null }) },
      changes,
    });
    await expect(raced.set({ scope: ROBERTO, to: 'ReadOnly' })).rejects.toEqual(code('conflict'));
    expect(storedLevel()).toBe('Full');
    expect(history().changes).toEqual([]);
  });

  test('a locked pairings.db changes nothing and leaves no record', async () => {
    const other = openDatabase(pairingsFile, { mode: 'write' }) as WriteDb;
    other.exec('BEGIN IMMEDIATE');
    await expect(levels.set({ scope: ROBERTO, to: 'ReadOnly' })).rejects.toEqual(code('locked'));
    other.exec('ROLLBACK');
    other.close();
    expect(storedLevel()).toBe('Supervised');
    expect(history().changes).toEqual([]);
  });
});

test('after a crash a recorded change is kept when it was made and dropped when it was not', () => {
  const record = (to: 'ReadOnly' | 'Supervised', scope: LevelScope) =>
    panel.write((db) => beginLevelChange(db, { at: NOW, who: 'operator', scope, from: 'Full', to }));
  record('Supervised', ROBERTO);
  record('ReadOnly', ROBERTO);
  record('ReadOnly', DEFAULT);
  settleLevelChanges(panel, pairings);
  expect(history().changes).toMatchObject([{ scope: ROBERTO, to: 'Supervised' }]);
});

test('the stream begins with what is, then tells changes of ours and of another program', async () => {
  const stop = new AbortController();
  const stream = levels.changed({}, stop.signal)[Symbol.asyncIterator]();
  expect((await stream.next()).value).toEqual(levels.state({}));
  await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
  expect((await stream.next()).value?.pairings.at(-1)).toMatchObject({ sender_id: 'roberto', level: 'ReadOnly' });
  const isFull = async (): Promise<boolean> => {
    const { value, done } = await stream.next();
    return done === true ? expect.unreachable('the stream ended') : value.pairings.at(-1)?.level === 'Full';
  };
  const seen = (async () => {
    while (!(await isFull()));
  })();
  sql("UPDATE pairings SET autonomy_level = 'Full' WHERE id = 1");
  await seen;
  const last = stream.next();
  stop.abort();
  expect((await last).done).toBe(true);
});
