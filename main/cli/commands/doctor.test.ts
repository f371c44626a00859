import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerOf, standInLine } from '../../agents/line.stand-in.ts';
import { agentSocketPath } from '../../agents/socket-file.ts';
import { type AgentDoor, openAgentDoor } from '../../agents/socket-server.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { type Paths, resolvePaths } from '../../engine/paths.ts';
import { VERSION } from '../../engine/version.ts';
import { type InstanceLock, takeInstanceLock } from '../../host/instance-lock.ts';
import { createOperatorCalls } from '../../rpc/transports/operator-calls.ts';
import { runCommand } from '../cli.stand-in.ts';
import type { Finding } from '../doctor/finding.ts';

const LIMIT_MS = 30_000;

let root: string;
let home: string;
let env: Record<string, string>;
let paths: Paths;
let engine: Engine | null;
let lock: InstanceLock | null;
let door: AgentDoor | null;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vaglio-doctor-'));
  home = join(root, 'home');
  env = { METNOS_INSTALL_ROOT: join(root, 'metnos') };
  mkdirSync(home);
  mkdirSync(join(root, 'metnos/executors'), { recursive: true });
  paths = resolvePaths(env, home);
  engine = null;
  lock = null;
  door = null;
});
afterEach(async () => {
  await door?.close();
  await engine?.close();
  if (lock?.held) await lock.release();
  rmSync(root, { recursive: true, force: true });
});

/** A whole engine, as `vaglio serve` has it, in this process. */
async function serve(): Promise<void> {
  lock = await takeInstanceLock(paths.lockFile);
  const log = () => undefined;
  engine = await createEngine({ env, home, clock: Date.now, host: 'serve', demo: false, agentDoor: true, log });
  if (lock.held) lock.onCall(createOperatorCalls({ services: engine.services, log }));
}

async function doctor() {
  const { out, exit } = await runCommand(['doctor', '--json'], { home, env });
  const findings = out.map((line) => JSON.parse(line) as Finding);
  const of = (name: string): Finding[] => findings.filter((finding) => finding.name === name);
  return { exit, of, failed: findings.filter(({ state }) => state === 'failed') };
}

function manifest(name: string, text: string): void {
  const folder = join(root, 'metnos/executors', name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'manifest.toml'), text);
}

test(
  'with an engine and nothing wrong: exit 0, and the call that has to be denied was denied by the guard',
  async () => {
    await serve();
    const { exit, of, failed } = await doctor();
    expect(failed).toEqual([]);
    expect(exit).toBe(0);
    expect(of('engine')).toEqual([{ name: 'engine', state: 'ok', detail: `process ${process.pid}` }]);
    expect(of('probe')[0]?.detail).toContain('denied');
    expect(of('ping')[0]?.detail).toContain(VERSION);
    const words = await runCommand(['doctor'], { home, env });
    expect(words.out.filter((line) => !/^ok {6}/.test(line))).toEqual(
      ['claude-code', 'codex', 'gemini'].map((client) => expect.stringMatching(`^unused  ${client}: `)),
    );
  },
  LIMIT_MS,
);

test(
  'without an engine: exit 1, with what to do, and the files are looked at all the same',
  async () => {
    const { exit, of } = await doctor();
    expect(exit).toBe(1);
    expect(of('engine')[0]).toMatchObject({ state: 'failed', detail: expect.stringContaining('vaglio serve') });
    expect(of('socket')[0]).toMatchObject({ state: 'failed', detail: expect.stringContaining('vaglio.sock') });
    expect(of('grants')[0]).toMatchObject({ state: 'ok' });
    expect(of('probe')).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'a broken manifest is named, the others are counted',
  async () => {
    await serve();
    manifest('get_time', 'name = "get_time"\n[[capabilities]]\nname = "time:read"\n');
    manifest('broken', 'name = ');
    const { exit, of } = await doctor();
    expect(exit).toBe(1);
    expect(of('executors')).toMatchObject([
      { state: 'ok', detail: expect.stringContaining('1 manifests') },
      { state: 'failed', detail: expect.stringMatching(/broken.*line 1/) },
    ]);
  },
  LIMIT_MS,
);

test(
  'files that others may change or read are named with the cure',
  async () => {
    await serve();
    mkdirSync(dirname(paths.grantsDb), { recursive: true });
    writeFileSync(paths.grantsDb, '');
    chmodSync(paths.grantsDb, 0o666);
    chmodSync(paths.lockFile, 0o644);
    mkdirSync(paths.turnLog, { recursive: true });
    chmodSync(paths.turnLog, 0o755);
    const { exit, of } = await doctor();
    expect(exit).toBe(1);
    const found = of('rights').map(({ state, detail }) => `${state} ${detail}`);
    expect(found).toEqual([
      expect.stringMatching(`^warning ${paths.turnLog} may be read .*755.*chmod 700`),
      expect.stringMatching(`^failed ${paths.grantsDb} may be changed .*666.*chmod 600`),
      expect.stringMatching(`^failed ${paths.lockFile} may be read .*644.*chmod 600`),
    ]);
  },
  LIMIT_MS,
);

test(
  'a damaged database is a failure with its name',
  async () => {
    mkdirSync(dirname(paths.grantsDb), { recursive: true });
    writeFileSync(paths.grantsDb, 'no database '.repeat(500), { mode: 0o600 });
    const { of } = await doctor();
    expect(of('grants')[0]).toMatchObject({ state: 'failed', detail: expect.stringContaining('damaged') });
  },
  LIMIT_MS,
);

test.each([
  ['allowed', /WAS ALLOWED/],
  ['approval_required', /approval_required/],
] as const)(
  'an engine that answers the probe with %s fails',
  async (decision, text) => {
    const line = standInLine().line;
    line.decide = async () => answerOf({ decision });
    const turns = { step: () => true, end: () => true };
    const path = agentSocketPath(paths.stateDir, process.platform);
    door = await openAgentDoor({ path, line, turns, version: 'another', log: () => undefined });
    const { exit, of } = await doctor();
    expect(exit).toBe(1);
    expect(of('probe')[0]).toMatchObject({ state: 'failed', detail: expect.stringMatching(text) });
    expect(of('ping')[0]).toMatchObject({ state: 'warning', detail: expect.stringContaining('another') });
  },
  LIMIT_MS,
);
