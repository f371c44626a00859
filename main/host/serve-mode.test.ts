import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DecideRequest } from '../../shared/domain/decision.ts';
import { askDecision, askDoor } from '../agents/client.ts';
import { agentSocketPath } from '../agents/socket-file.ts';
import { runCommand } from '../cli/cli.stand-in.ts';
import { resolvePaths } from '../engine/paths.ts';

const CLI = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
const LIMIT_MS = 60_000;

let home: string;
let path: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vaglio-serve-'));
  path = agentSocketPath(resolvePaths({}, home).stateDir, process.platform);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

interface Running {
  child: ChildProcess;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function start(): Running {
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const child = spawn(process.execPath, [CLI, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => (out.stdout += part));
  child.stderr.on('data', (part) => (out.stderr += part));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...out })) };
}
async function serve(): Promise<Running> {
  const running = start();
  const ready = once(running.child.stdout as NodeJS.ReadableStream, 'data').then(String);
  const failed = running.ended.then(({ stderr }) => Promise.reject(new Error(stderr)));
  failed.catch(() => undefined);
  expect(await Promise.race([ready, failed])).toBe(`Engine ready: ${path}\n`);
  return running;
}

const agent = { channel: 'test', sender_id: 'anna', intent: 'keep my notes' };
const write: DecideRequest = { ...agent, executor: 'write_files', args: { path: '~/notes.md', content: 'x' } };
const secret: DecideRequest = { ...agent, executor: 'read_files', args: { path: '~/.ssh/id_rsa' } };
const time: DecideRequest = { ...agent, executor: 'get_time', args: {} };
const decided = async (request: DecideRequest) => {
  const asked = await askDecision(request, { path });
  return asked.ok ? asked.value.decision : asked.failure.message;
};

test(
  'it decides for agents, logs before it answers, and ends with 0 and without its socket',
  async () => {
    const { child, ended } = await serve();
    expect([await decided(time), await decided(secret), await decided(write)]).toEqual([
      'allowed',
      'denied',
      'approval_required',
    ]);
    const folder = resolvePaths({}, home).verdictLog;
    const lines = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n'));
    expect(lines.map((line) => JSON.parse(line).executor)).toEqual(['get_time', 'read_files', 'write_files']);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(path)).toBe(false);
  },
  LIMIT_MS,
);

test(
  'started twice: the second says which process runs, and the first goes on',
  async () => {
    const first = await serve();
    const second = await start().ended;
    expect(second).toMatchObject({ code: 2, stdout: '' });
    expect(second.stderr).toContain(`process ${first.child.pid}`);
    expect(await decided(time)).toBe('allowed');
  },
  LIMIT_MS,
);

test(
  'killed while 20 agents wait for a person: all 20 are denied with a text, and a new engine takes the place',
  async () => {
    const { child, ended } = await serve();
    let pending = 0;
    const waiting = Array.from({ length: 20 }, (_, index) =>
      runCommand(['decide', '--wait', '600'], {
        home,
        input: JSON.stringify({ ...write, args: { path: `~/notes-${index}.md`, content: 'x' } }),
      }),
    );
    for (let tries = 0; pending < 20 && tries < 200; tries++) {
      const { out } = await runCommand(['approvals', 'list'], { home });
      pending = out.length;
    }
    expect(pending).toBe(20);
    child.kill('SIGKILL');
    await ended;
    for (const { out, err, exit } of await Promise.all(waiting)) {
      expect(JSON.parse(out[0] as string)).toEqual({
        decision: 'denied',
        error: 'ended',
        reason: expect.stringContaining('went away'),
      });
      expect(err.join()).toContain('went away');
      expect(exit).toBe(2);
    }
    expect(existsSync(path)).toBe(true);
    expect(await decided(time)).toContain('not running');
    await serve();
    expect(await decided(time)).toBe('allowed');
  },
  LIMIT_MS,
);

test(
  'the operator answers a waiting agent from the command line, and an agent that leaves takes its card along',
  async () => {
    await serve();
    const asked = askDecision({ ...write, wait_s: 600 }, { path });
    const cards = async () =>
      (await runCommand(['approvals', 'list'], { home })).out.map((line) => JSON.parse(line) as { token: string });
    await expect.poll(cards, { timeout: 10_000 }).toHaveLength(1);
    const [card] = await cards();
    expect((await runCommand(['approvals', 'approve', card?.token ?? ''], { home })).exit).toBe(0);
    expect(await asked).toMatchObject({ ok: true, value: { decision: 'approved' } });
    expect((await runCommand(['approvals', 'approve', card?.token ?? ''], { home })).exit).toBe(2);

    const leaving = new AbortController();
    const left = askDecision({ ...write, wait_s: 600 }, { path, signal: leaving.signal });
    await expect.poll(cards, { timeout: 10_000 }).toHaveLength(1);
    leaving.abort();
    expect(await left).toMatchObject({ ok: false, failure: { kind: 'left' } });
    await expect.poll(cards, { timeout: 10_000 }).toHaveLength(0);
  },
  LIMIT_MS,
);

test(
  'a socket that cannot be opened ends it with the reason',
  async () => {
    mkdirSync(path, { recursive: true });
    const { code, stderr } = await start().ended;
    expect(code).toBe(2);
    expect(stderr).toContain(`${path} is no socket`);
    expect(await askDoor('ping', {}, { path, timeoutMs: 1000 })).toMatchObject({ failure: { kind: 'unsafe' } });
  },
  LIMIT_MS,
);
