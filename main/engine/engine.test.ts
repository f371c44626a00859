import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ResourceHealth } from '../../shared/domain/health.ts';
import { openDatabase, type WriteDb } from '../db/open.ts';
import { createEngine, type Engine } from './engine.ts';
import { type Paths, resolvePaths } from './paths.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const NO_DATABASE = 'This is no database, but it may be all that is left of one. '.repeat(40);

let home: string;
let paths: Paths;
let engine: Engine | null;
let logged: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-engine-'));
  paths = resolvePaths({}, home);
  engine = null;
  logged = [];
});
afterEach(async () => {
  await engine?.close();
  rmSync(home, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<Engine> {
  engine = await createEngine({
    env,
    home,
    clock: () => NOW,
    host: 'browser',
    demo: false,
    log: (line) => logged.push(line),
  });
  return engine;
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function stateOf(name: ResourceHealth['name']): Promise<ResourceHealth> {
  const { resources } = (await engine?.services.app.health({})) ?? { resources: [] };
  return resources.find((resource) => resource.name === name) ?? expect.unreachable(name);
}

const write = { channel: 'web', sender_id: 'anna', capability: 'fs:read', target: '~/notes/**' };

test('in an empty home everything answers, and only what is ours is made', async () => {
  const { services } = await start();
  expect(await services.app.info({})).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    home,
    demo: false,
  });
  expect(await services.grants.list({})).toEqual({ grants: [], problem: null });
  expect(await services.level.state({})).toMatchObject({
    default_level: 'Supervised',
    pairings: [],
    frozen: null,
    problem: null,
  });
  expect((await services.policy.matrix({})).cells).toHaveLength(39);
  expect((await services.audit.stats({ range: 'all' })).total).toBe(0);
  for (const name of ['verdict-log', 'turn-log', 'grants', 'approvals', 'pairings', 'config'] as const) {
    expect(await stateOf(name), name).toMatchObject({ state: 'missing' });
  }
  expect(await stateOf('panel-db')).toMatchObject({ state: 'ok', path: paths.panelDb });
});

test('preferences are kept over a restart, one field at a time', async () => {
  const { services } = await start();
  await services.app.setPreferences({ language: 'it' });
  expect(await services.app.setPreferences({ theme: 'dark' })).toEqual({
    language: 'it',
    theme: 'dark',
    notifications: true,
    claude_transcripts: false,
  });
  await engine?.close();
  const again = await start();
  expect((await again.services.app.info({})).preferences).toEqual({
    language: 'it',
    theme: 'dark',
    notifications: true,
    claude_transcripts: false,
  });
  expect(await again.services.app.setPreferences({ language: null })).toEqual({
    language: null,
    theme: 'dark',
    notifications: true,
    claude_transcripts: false,
  });
});

test.each(['~/.claude', 'the folder that is named'])(
  'transcripts in %s are read only while that is switched on',
  async (where) => {
    const folder = join(home, where === '~/.claude' ? '.claude' : 'elsewhere');
    const said = { type: 'user', uuid: 'p1', timestamp: '2026-11-30T10:00:00Z', message: { content: 'read my notes' } };
    put(join(folder, 'projects/-notes/s1.jsonl'), `${JSON.stringify(said)}\n`);
    const { services } = await start(where === '~/.claude' ? {} : { CLAUDE_CONFIG_DIR: folder });
    const seen = async () => {
      const { rows, state } = await services.turns.page({ limit: 9 });
      return { phase: state.phase, on: state.transcripts !== null, intents: rows.map(({ intent }) => intent) };
    };
    const wait = { timeout: 15_000, interval: 10 };
    await vi.waitFor(async () => expect(await seen()).toEqual({ phase: 'following', on: false, intents: [] }), wait);
    await services.app.setPreferences({ claude_transcripts: true });
    await services.app.setPreferences({ theme: 'dark' });
    await vi.waitFor(async () => expect(await seen()).toMatchObject({ on: true, intents: ['read my notes'] }), wait);
    await services.app.setPreferences({ claude_transcripts: false });
    await vi.waitFor(async () => expect(await seen()).toMatchObject({ on: false, intents: [] }), wait);
  },
);

test('a grant that is restored is linked to the one it continues', async () => {
  const { services } = await start();
  const { id } = await services.grants.record(write);
  await services.grants.revoke({ ids: [id] });
  const fresh = await services.grants.restore({ id });
  const panel = openDatabase(paths.panelDb, { mode: 'read' });
  expect(panel?.prepare('SELECT old_id, new_id FROM grant_links').all()).toEqual([{ old_id: id, new_id: fresh.id }]);
  panel?.close();
});

test('limits are off until they are set, and a mistake in them stops the start with its line', async () => {
  const call = { level: 'Full', capability: 'fs:write', channel: 'web', sender_id: 'anna', target: '~/notes/a' };
  expect((await start()).outcome.decide(call).outcome).toBe('allowed');
  await engine?.close();
  put(paths.overridesFile, '[[profile]]\nsender_id = "anna"\n[profile.any]\n"fs:write" = "denied"\n');
  put(paths.configFile, 'policy:\n  rate_limits:\n    per_sender: {burst: 1, per_minute: 1}\n');
  const { outcome } = await start();
  expect(outcome.decide(call)).toMatchObject({ outcome: 'denied', rule: 'policy:override' });
  expect(outcome.decide({ ...call, sender_id: 'roberto' }).outcome).toBe('allowed');
  expect(outcome.decide({ ...call, sender_id: 'roberto' })).toMatchObject({ rule: 'policy:rate' });
  await engine?.close();
  engine = null;
  put(paths.overridesFile, '[[profile]]\n[profile.any]\n"fs:write" = "allowed"\n');
  await expect(start()).rejects.toThrow(`${paths.overridesFile}, line 3: `);
  rmSync(paths.overridesFile);
  put(paths.configFile, 'policy:\n  cost: cheap\n');
  await expect(start()).rejects.toThrow(`${paths.configFile}, line 2: `);
});

test('what a grant was used for is in the list, also after a restart', async () => {
  const { services } = await start();
  const { id } = await services.grants.record(write);
  services.grants.noteUse(id);
  await engine?.close();
  const again = await start();
  expect((await again.services.grants.list({})).grants).toMatchObject([{ id, uses: 1, last_used_ms: NOW }]);
});

test('a grant for a forbidden path is refused', async () => {
  const { services } = await start();
  await expect((async () => services.grants.record({ ...write, target: '~/.ssh/id_ed25519' }))()).rejects.toMatchObject(
    {
      code: 'refused',
      subject: 'target',
    },
  );
});

test.each(['grantsDb', 'pairingsDb', 'approvalsDb'] as const)(
  'a damaged %s is told, left alone, and the rest works',
  async (key) => {
    const path = paths[key];
    put(path, NO_DATABASE);
    const { services } = await start();
    const name = ({ grantsDb: 'grants', pairingsDb: 'pairings', approvalsDb: 'approvals' } as const)[key];
    expect(await stateOf(name)).toMatchObject({ state: 'damaged', path, detail: expect.stringContaining(path) });
    expect(await services.level.state({})).toMatchObject({ default_level: 'Supervised' });
    expect((await services.policy.matrix({})).cells).toHaveLength(39);
    expect(await stateOf('panel-db')).toMatchObject({ state: 'ok' });
    expect(readFileSync(path, 'utf8')).toBe(NO_DATABASE);
  },
);

test.each([
  ['damaged', () => put(paths.panelDb, NO_DATABASE)],
  [
    'newer',
    () => {
      const db = openDatabase(paths.panelDb, { mode: 'write', create: true }) as WriteDb;
      db.pragma('user_version = 9999');
      db.close();
    },
  ],
])('with a %s panel.db the strictest default counts, nothing is written over, the rest works', async (state, make) => {
  make();
  const before = readFileSync(paths.panelDb);
  const { services } = await start();
  expect(await stateOf('panel-db')).toMatchObject({ state, detail: expect.stringContaining(paths.panelDb) });
  expect(await services.level.state({})).toMatchObject({
    default_level: 'ReadOnly',
    problem: expect.stringContaining(paths.panelDb),
  });
  expect((await services.app.info({})).preferences).toEqual({
    language: null,
    theme: 'system',
    notifications: true,
    claude_transcripts: false,
  });
  await expect((async () => services.app.setPreferences({ theme: 'dark' }))()).rejects.toMatchObject({ code: state });
  expect(await services.level.set({ scope: { kind: 'default' }, to: 'ReadOnly' })).toMatchObject({
    default_level: 'ReadOnly',
    problem: expect.stringContaining(paths.panelDb),
  });
  await expect(services.level.set({ scope: { kind: 'default' }, to: 'Full' })).rejects.toMatchObject({
    code: 'confirmation-needed',
  });
  expect((await services.grants.record(write)).id).toBe(1);
  expect((await services.audit.stats({ range: 'all' })).total).toBe(0);
  expect(readFileSync(paths.panelDb).equals(before)).toBe(true);
  expect(logged.join()).toContain(paths.panelDb);
});

test('a locked grants.db is told without waiting for it', async () => {
  const { services } = await start();
  await services.grants.record(write);
  const other = openDatabase(paths.grantsDb, { mode: 'write' }) as WriteDb;
  other.exec('BEGIN EXCLUSIVE');
  expect(await stateOf('grants')).toMatchObject({ state: 'locked', detail: expect.stringContaining(paths.grantsDb) });
  other.close();
  expect(await stateOf('grants')).toMatchObject({ state: 'ok' });
});

test('what is not what it should be is told', async () => {
  put(paths.verdictLog, 'a file where a folder should be');
  mkdirSync(paths.grantsDb, { recursive: true });
  const wrong = openDatabase(paths.pairingsDb, { mode: 'write', create: true });
  wrong.exec('CREATE TABLE something_else (x)');
  wrong.close();
  await start();
  expect(await stateOf('verdict-log')).toMatchObject({ state: 'unreadable' });
  expect(await stateOf('grants')).toMatchObject({ state: 'unreadable' });
  expect(await stateOf('pairings')).toMatchObject({
    state: 'damaged',
    detail: expect.stringContaining('no table pairings'),
  });
});

test('a threshold that is none stops the start with its name', async () => {
  await expect(start({ METNOS_JUDGE_THRESHOLD: '1.5' })).rejects.toMatchObject({
    code: 'bad-input',
    subject: 'METNOS_JUDGE_THRESHOLD',
  });
});

test('a config.yaml that cannot be read stops the start: a stricter setting may be in it', async () => {
  mkdirSync(paths.configFile, { recursive: true });
  await expect(start()).rejects.toMatchObject({ code: 'unreadable', subject: paths.configFile });
});

test('a config.yaml with a fault stops the start with its line', async () => {
  put(paths.configFile, 'vaglio:\n  judge:\n    threshold: 3\n');
  await expect(start()).rejects.toThrow(`${paths.configFile}, line 3: vaglio.judge.threshold is 3`);
});

test('the threshold on screen is that of the judge in force', async () => {
  put(paths.configFile, 'vaglio: { judge: { threshold: 0.4, threshold_llm: 0.6 } }');
  expect((await (await start()).services.app.info({})).threshold).toBe(0.4);
  await engine?.close();
  expect((await (await start({ METNOS_JUDGE_KIND: 'llm-v1' })).services.app.info({})).threshold).toBe(0.6);
});

test('the judge of the engine is the configured one', async () => {
  const call = { intent: 'leggi', executor: 'write_files', args: { path: '/tmp/a' }, context: {} };
  put(paths.configFile, 'vaglio: { judge: { threshold: 0.9 } }');
  const ruled = await (await start()).judge.evaluate(call);
  expect(ruled.verdict).toMatchObject({ approved: false, reason: 'judge: score 0.70 < soglia 0.90 (score base)' });
  await engine?.close();
  const asked = await (await start({ METNOS_JUDGE_KIND: 'llm-v1' })).judge.evaluate(call);
  expect(asked.verdict).toMatchObject({
    judge_kind: 'llm-v1',
    reason: 'approved: score 0.50 (llm-judge fallback (router missing))',
  });
  expect(logged.join()).toContain('llm_roles.judge');
});

test('files of the panel that were moved are out of an agent’s reach as those at their usual place are', async () => {
  const moved = join(home, 'elsewhere/signed.db');
  const running = await start({ METNOS_GRANTS_DB: moved });
  const answer = await running.line.decide({
    channel: 'cli',
    sender_id: 'roberto',
    intent: 'tidy up',
    executor: 'write_files',
    args: { path: moved, content: '' },
  });
  expect(answer).toMatchObject({ decision: 'denied', stage: 'vaglio' });
  expect(answer.reason).toContain('guard: struttura path:');
});
