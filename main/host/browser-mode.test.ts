import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseOptions } from './browser-mode.ts';

const ENTRY = fileURLToPath(new URL('./browser-main.ts', import.meta.url));
const LIMIT_MS = 30_000;

let folder: string;
let lockFile: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-mode-'));
  lockFile = join(folder, 'home/.local/state/metnos/panel.lock');
  mkdirSync(join(folder, 'renderer'));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'renderer/index.html'), '<!doctype html><title>panel</title>');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(args: readonly string[] = [], more: Record<string, string> = {}, noOpen = true) {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(folder, 'home'),
    VAGLIO_RENDERER_DIR: join(folder, 'renderer'),
    ...more,
  };
  const child = spawn(process.execPath, [ENTRY, ...(noOpen ? ['--no-open'] : []), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (part) => {
    out.stdout += part;
  });
  child.stderr.on('data', (part) => {
    out.stderr += part;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) => {
    child.on('close', (code) => done({ code, ...out }));
  });
  const ready = new Promise<string>((done, fail) => {
    child.stdout.on('data', () => {
      const url = /^Panel ready: (.+)$/m.exec(out.stdout)?.[1];
      if (url !== undefined) done(url);
    });
    void ended.then(({ stderr }) => fail(new Error(`ended before it was ready: ${stderr}`)));
  });
  ready.catch(() => undefined);
  return { child, ready, ended };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'it prints one line, serves, and ends with 0 on %s',
  async (signal) => {
    const panel = start();
    const link = await panel.ready;
    const response = await fetch(link, { redirect: 'manual' });
    const cookie = String(response.headers.getSetCookie()[0]).split(';')[0] ?? '';
    expect(await (await fetch(new URL('/', link), { headers: { cookie } })).text()).toContain('<title>panel</title>');
    panel.child.kill(signal);
    expect(await panel.ended).toEqual({ code: 0, stdout: `Panel ready: ${link}\n`, stderr: '' });
    expect(existsSync(lockFile)).toBe(false);
  },
  LIMIT_MS,
);

test(
  '--no-open opens nothing where a window could be shown',
  async () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'chromium'), `#!/bin/sh\ntouch "${folder}/opened"\n`);
    chmodSync(join(bin, 'chromium'), 0o755);
    const env = { DISPLAY: ':0', PATH: `${bin}:${process.env.PATH}` };
    const silent = start([], env);
    await silent.ready;
    silent.child.kill('SIGTERM');
    await silent.ended;
    expect(existsSync(join(folder, 'opened'))).toBe(false);
    const opening = start([], env, false);
    await opening.ready;
    await vi.waitFor(() => expect(existsSync(join(folder, 'opened'))).toBe(true), { timeout: 30_000 });
  },
  LIMIT_MS,
);

test(
  'a second start gets a fresh link of the first and ends with 0',
  async () => {
    const first = start();
    const link = await first.ready;
    const { code, stdout, stderr } = await start().ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const second = /^Panel already running: (.+)\n$/.exec(stdout)?.[1] ?? '';
    expect(new URL(second).host).toBe(new URL(link).host);
    expect(second).not.toBe(link);
    expect((await fetch(second, { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(303);
  },
  LIMIT_MS,
);

test(
  'after a kill the next start takes over',
  async () => {
    const first = start();
    await first.ready;
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(lockFile)).toBe(true);
    const next = start();
    await next.ready;
    expect(JSON.parse(readFileSync(lockFile, 'utf8'))).toMatchObject({ pid: next.child.pid });
  },
  LIMIT_MS,
);

test(
  'a port in use is named, with exit code 1 and nothing left behind',
  async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { code, stdout, stderr } = await start(['--port', String(port)]).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(`Port ${port} is in use`);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(lockFile)).toBe(false);
    other.close();
  },
  LIMIT_MS,
);

test(
  'a panel that is not built is said',
  async () => {
    const { code, stderr } = await start([], { VAGLIO_RENDERER_DIR: join(folder, 'nothing') }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain(`${join(folder, 'nothing')} has no index.html. Run npm run build.`);
  },
  LIMIT_MS,
);

test(
  'a setting that is not valid is named',
  async () => {
    const { code, stderr } = await start([], { METNOS_JUDGE_THRESHOLD: 'high' }).ended;
    expect(code).toBe(1);
    expect(stderr).toContain('METNOS_JUDGE_THRESHOLD');
  },
  LIMIT_MS,
);

test(
  'a state folder that cannot be made is said, and the panel shows what there is',
  async () => {
    writeFileSync(join(folder, 'home/.local'), 'a file where a folder should be');
    const panel = start();
    await panel.ready;
    panel.child.kill('SIGTERM');
    const { code, stderr } = await panel.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('A second panel cannot be kept out');
  },
  LIMIT_MS,
);

test.each([[['--port', 'x']], [['--port', '70000']], [['--what']], [['extra']]])('%j is refused', (args) => {
  expect(() => parseOptions(args)).toThrow(expect.objectContaining({ code: 'bad-input' }));
});

test('options have defaults', () => {
  expect(parseOptions([])).toEqual({ port: 0, open: true, demo: false });
  expect(parseOptions(['--port=8123', '--no-open', '--demo'])).toEqual({ port: 8123, open: false, demo: true });
});
