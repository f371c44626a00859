import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FrozenRequest, LevelScope, LevelState } from '../../shared/domain/level.ts';
import { createPairingsRepository, type PairingsRepository } from '../db/pairings.ts';
import { makePairingsFile } from '../db/pairings-file.ts';
import { createPanelStore, type PanelStore } from '../db/panel-store.ts';
import { createChanges } from '../engine/changes.ts';
import { createLevelService, type Levels } from './levels.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const HOUR = 3_600_000;
const DEFAULT: LevelScope = { kind: 'default' };
const ROBERTO: LevelScope = { kind: 'pairing', channel: 'telegram', sender_id: 'roberto' };

let folder: string;
let panelFile: string;
let panel: PanelStore;
let pairings: PairingsRepository;
let now: number;
let requests: FrozenRequest[];
let levels: Levels;

function start(): Levels {
  panel = createPanelStore(panelFile, { busyMs: 50 });
  pairings = createPairingsRepository(join(folder, 'pairings.db'), { busyMs: 50 });
  return createLevelService({
    clock: () => now,
    panel,
    pairings,
    grants: { list: () => ({ grants: [], problem: null }) },
    changes: createChanges(),
    settleRequests: () => requests,
  });
}

/** As after a kill: nothing is closed in good order. */
function restart(): void {
  levels = start();
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-timed-'));
  panelFile = join(folder, 'panel.db');
  now = NOW;
  requests = [];
  const pairing = { channel: 'telegram', paired_at: 'x', paired_by: 'x', last_seen: null, display_name: null };
  makePairingsFile(join(folder, 'pairings.db'), [
    { ...pairing, sender_id: 'roberto', autonomy_level: 'Supervised', revoked_at: null },
    { ...pairing, sender_id: 'anna', autonomy_level: 'Full', revoked_at: null },
    { ...pairing, sender_id: 'guest', autonomy_level: 'ReadOnly', revoked_at: null },
    { ...pairing, sender_id: 'oldphone', autonomy_level: 'Full', revoked_at: '2026-08-01' },
  ]);
  levels = start();
});
afterEach(() => {
  panel.close();
  pairings.close();
  rmSync(folder, { recursive: true, force: true });
});

const raise = async (scope: LevelScope, until_ms?: number, to: 'Supervised' | 'Full' = 'Full'): Promise<LevelState> => {
  const { confirmation } = await levels.preview({ scope, to });
  return levels.set({ scope, to, confirmation, until_ms });
};
const stored = (sender = 'roberto'): string | undefined => pairings.find('telegram', sender)?.autonomy_level;
const effective = (sender = 'roberto') => levels.effectiveLevel('telegram', sender).level;
const history = () => (levels.history({}) as { changes: { why: string; from: string; to: string }[] }).changes;
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('a rise for a limited time', () => {
  test('counts until its end, then falls back by itself, in the shared file too', async () => {
    const state = await raise(ROBERTO, NOW + HOUR);
    expect(state.pairings.find(({ sender_id }) => sender_id === 'roberto')).toMatchObject({
      level: 'Full',
      timed: { until_ms: NOW + HOUR, falls_back_to: 'Supervised' },
    });
    now = NOW + HOUR - 1;
    expect([effective(), stored()]).toEqual(['Full', 'Full']);
    now = NOW + HOUR;
    expect([effective(), stored()]).toEqual(['Supervised', 'Supervised']);
    expect(history()).toMatchObject([
      { why: 'fell-back', who: 'clock', from: 'Full', to: 'Supervised' },
      { why: 'set', from: 'Supervised', to: 'Full', until_ms: NOW + HOUR },
    ]);
    expect(
      (levels.state({}) as LevelState).pairings.find(({ sender_id }) => sender_id === 'roberto')?.timed,
    ).toBeNull();
  });

  test('is over at the next start when the panel was closed meanwhile', async () => {
    await raise(ROBERTO, NOW + HOUR);
    await raise(DEFAULT, NOW + HOUR);
    now = NOW + 5 * HOUR;
    restart();
    expect(effective()).toBe('Supervised');
    expect(levels.effectiveLevel('web', 'nobody').level).toBe('Supervised');
    levels.follow()();
    expect(stored()).toBe('Supervised');
    expect(levels.state({})).toMatchObject({ default_level: 'Supervised', default_timed: null });
  });

  test('has ended also while the shared file is locked, and is written once it is free', async () => {
    await raise(ROBERTO, NOW + HOUR);
    const setLevel = pairings.setLevel;
    pairings.setLevel = () => {
      throw new Error('locked');
    };
    now = NOW + HOUR;
    expect([effective(), stored()]).toEqual(['Supervised', 'Full']);
    pairings.setLevel = setLevel;
    now += 2000;
    expect([effective(), stored()]).toEqual(['Supervised', 'Supervised']);
  });

  test('falls to where it came from, also when it was prolonged', async () => {
    await raise(ROBERTO, NOW + HOUR);
    await raise(ROBERTO, NOW + 2 * HOUR);
    now = NOW + HOUR;
    expect(effective()).toBe('Full');
    now = NOW + 2 * HOUR;
    expect(effective()).toBe('Supervised');
  });

  test('is not made longer or without end unless that is confirmed; shorter needs nothing', async () => {
    await raise(ROBERTO, NOW + HOUR);
    await expect(levels.set({ scope: ROBERTO, to: 'Full' })).rejects.toEqual(code('confirmation-needed'));
    const longer = { scope: ROBERTO, to: 'Full' as const, until_ms: NOW + 9 * HOUR };
    await expect(levels.set(longer)).rejects.toEqual(code('confirmation-needed'));
    await levels.set({ scope: ROBERTO, to: 'Full', until_ms: NOW + 60_000 });
    now = NOW + 60_000;
    expect(effective()).toBe('Supervised');
  });

  test('leaves alone what another program set since', async () => {
    await raise(ROBERTO, NOW + HOUR);
    pairings.setLevel({ channel: 'telegram', sender_id: 'roberto', from: 'Full', to: 'ReadOnly' });
    now = NOW + HOUR;
    expect([effective(), stored()]).toEqual(['ReadOnly', 'ReadOnly']);
  });

  test('is forgotten when the level is lowered before its end', async () => {
    await raise(ROBERTO, NOW + HOUR);
    await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    now = NOW + HOUR;
    expect([effective(), stored()]).toEqual(['ReadOnly', 'ReadOnly']);
    expect(history()[0]).toMatchObject({ why: 'set', to: 'ReadOnly' });
  });

  test('is not lost with a panel.db that is deleted while the engine runs', async () => {
    await raise(ROBERTO, NOW + HOUR);
    expect(effective()).toBe('Full');
    rmSync(panelFile);
    expect(effective()).toBe('Full');
    now = NOW + HOUR;
    expect([effective(), stored()]).toEqual(['Supervised', 'Supervised']);
  });

  test.each([
    ['an end that is past', { to: 'Full' as const, until_ms: NOW }],
    ['no number', { to: 'Full' as const, until_ms: Number.NaN }],
    ['a lowering', { to: 'ReadOnly' as const, until_ms: NOW + HOUR }],
  ])('is refused for %s', async (_, change) => {
    const { confirmation } = await levels.preview({ scope: ROBERTO, to: change.to });
    await expect(levels.set({ scope: ROBERTO, ...change, confirmation })).rejects.toEqual(code('bad-input'));
    expect(stored()).toBe('Supervised');
  });
});

describe('freeze', () => {
  const request: FrozenRequest = {
    token: 't',
    channel: 'telegram',
    sender_id: 'roberto',
    executor: 'write_files',
    capability: 'fs:write',
    fate: 'denied',
  };

  test('makes everyone ReadOnly at once, in the shared file too, and says what it froze', async () => {
    requests = [request];
    const state = (await levels.freeze({})) as LevelState;
    expect([effective(), effective('anna'), levels.effectiveLevel('web', 'nobody').level]).toEqual([
      'ReadOnly',
      'ReadOnly',
      'ReadOnly',
    ]);
    expect([stored(), stored('anna'), stored('oldphone')]).toEqual(['ReadOnly', 'ReadOnly', 'Full']);
    expect(state).toMatchObject({ default_level: 'ReadOnly', problem: null });
    expect(state.frozen).toMatchObject({
      since_ms: NOW,
      who: 'operator',
      requests: [request],
      restores: [
        { scope: DEFAULT, to: 'Supervised' },
        { scope: { ...ROBERTO, sender_id: 'anna' }, to: 'Full' },
        { scope: ROBERTO, to: 'Supervised' },
      ],
    });
    expect(state.pairings.every(({ level }) => level === 'ReadOnly')).toBe(true);
    expect(history().map(({ why, from }) => [why, from])).toEqual([
      ['freeze', 'Supervised'],
      ['freeze', 'Full'],
    ]);
  });

  test('is lifted by a second gesture that knows what comes back', async () => {
    const { frozen } = (await levels.freeze({})) as LevelState;
    expect(() => levels.unfreeze({ confirmation: 'guess' })).toThrow(code('confirmation-needed'));
    const state = (await levels.unfreeze({ confirmation: frozen?.confirmation ?? '' })) as LevelState;
    expect(state).toMatchObject({ default_level: 'Supervised', frozen: null });
    expect([stored(), stored('anna'), stored('guest')]).toEqual(['Supervised', 'Full', 'ReadOnly']);
    expect(history()[0]).toMatchObject({ why: 'unfreeze' });
    expect(() => levels.unfreeze({ confirmation: frozen?.confirmation ?? '' })).toThrow(code('conflict'));
  });

  test('holds over a restart and over a panel.db that is deleted', async () => {
    await levels.freeze({});
    restart();
    expect(levels.state({})).toMatchObject({ frozen: { restores: expect.any(Array) } });
    expect(levels.effectiveLevel('web', 'nobody').level).toBe('ReadOnly');
    rmSync(panelFile);
    expect(levels.effectiveLevel('web', 'nobody')).toMatchObject({ level: 'ReadOnly', frozen: true });
    expect((levels.state({}) as LevelState).frozen?.restores).toHaveLength(3);
  });

  test('lets nothing rise, by us or by another program', async () => {
    const { confirmation } = await levels.preview({ scope: ROBERTO, to: 'Full' });
    await levels.freeze({});
    await expect(levels.set({ scope: ROBERTO, to: 'Full', confirmation })).rejects.toMatchObject({
      code: expect.stringMatching(/refused|confirmation-needed/),
    });
    await expect(raise(ROBERTO)).rejects.toEqual(code('refused'));
    pairings.setLevel({ channel: 'telegram', sender_id: 'guest', from: 'ReadOnly', to: 'Full' });
    expect(effective('guest')).toBe('ReadOnly');
    await levels.freeze({});
    expect(stored('guest')).toBe('ReadOnly');
  });

  test('what a person lowers while frozen does not come back', async () => {
    await levels.freeze({});
    await levels.set({ scope: ROBERTO, to: 'ReadOnly' });
    await levels.set({ scope: DEFAULT, to: 'ReadOnly' });
    const { frozen } = levels.state({}) as LevelState;
    expect(frozen?.restores).toEqual([{ scope: { ...ROBERTO, sender_id: 'anna' }, to: 'Full' }]);
  });

  test('a rise that runs out while frozen comes back as what it fell to', async () => {
    await raise(ROBERTO, NOW + HOUR);
    await levels.freeze({});
    now = NOW + HOUR;
    const { frozen } = levels.state({}) as LevelState;
    expect(frozen?.restores).toContainEqual({ scope: ROBERTO, to: 'Supervised' });
    await levels.unfreeze({ confirmation: frozen?.confirmation ?? '' });
    expect([effective(), stored()]).toEqual(['Supervised', 'Supervised']);
  });

  test('a rise that has time left when it is lifted goes on, and then ends', async () => {
    await raise(ROBERTO, NOW + HOUR);
    const { frozen } = (await levels.freeze({})) as LevelState;
    await levels.unfreeze({ confirmation: frozen?.confirmation ?? '' });
    expect(effective()).toBe('Full');
    now = NOW + HOUR;
    expect(effective()).toBe('Supervised');
  });

  test('who was revoked meanwhile stays as it is', async () => {
    await levels.freeze({});
    const db = pairings.list;
    pairings.list = () =>
      db().map((row) => (row.sender_id === 'anna' ? { ...row, revoked_at: '2026-11-30T12:00:00Z' } : row));
    const { frozen } = levels.state({}) as LevelState;
    expect(frozen?.restores.map(({ scope }) => (scope.kind === 'pairing' ? scope.sender_id : ''))).toEqual([
      '',
      'roberto',
    ]);
  });

  test('counts in this process and in the shared file also when panel.db is damaged', async () => {
    panel.close();
    writeFileSync(panelFile, 'no database '.repeat(200));
    const state = (await levels.freeze({})) as LevelState;
    expect(state.frozen).not.toBeNull();
    expect(state.problem).toContain(panelFile);
    expect([effective('anna'), stored('anna'), stored()]).toEqual(['ReadOnly', 'ReadOnly', 'ReadOnly']);
  });

  test('a crash between the record and the shared file is made good at the next start', async () => {
    pairings.setLevels = () => {
      throw new Error('killed');
    };
    await levels.freeze({});
    expect(stored('anna')).toBe('Full');
    restart();
    levels.follow()();
    expect(stored('anna')).toBe('ReadOnly');
    expect((levels.state({}) as LevelState).frozen?.restores).toHaveLength(3);
  });

  test('a crash in the middle of lifting it leaves everything frozen and forgets nothing', async () => {
    const { frozen } = (await levels.freeze({})) as LevelState;
    const write = panel.write;
    panel.write = () => {
      throw new Error('killed');
    };
    expect(() => levels.unfreeze({ confirmation: frozen?.confirmation ?? '' })).toThrow('killed');
    panel.write = write;
    restart();
    levels.follow()();
    expect([stored('anna'), effective('anna')]).toEqual(['ReadOnly', 'ReadOnly']);
    expect((levels.state({}) as LevelState).frozen?.restores).toHaveLength(3);
  });
});
