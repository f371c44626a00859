import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { IPC_CHANNELS } from '../../shared/rpc/bridge.ts';
import { takeInstanceLock } from '../host/instance-lock.ts';
import { startDesktop } from './desktop.ts';
import { app, type BrowserWindow, calls, given, ipcMain, restartElectron, session } from './electron.stand-in.ts';
import { isPanelUrl } from './panel-scheme.ts';

let folder: string;
let home: string;
let lockFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-desktop-'));
  home = join(folder, 'home');
  lockFile = join(home, '.local/state/metnos/panel.lock');
  mkdirSync(join(folder, 'renderer/assets'), { recursive: true });
  writeFileSync(join(folder, 'renderer/index.html'), '<!doctype html><title>panel</title>');
  writeFileSync(join(folder, 'secret.txt'), 'outside');
  restartElectron();
});
afterEach(async () => {
  for (const signal of ['SIGTERM', 'SIGINT']) process.removeAllListeners(signal);
  if (app.listenerCount('will-quit') > 0) await quit();
  rmSync(folder, { recursive: true, force: true });
});

const names = (): string[] => calls.map(({ name }) => name);
const called = (name: string): boolean => names().includes(name);
const until = (name: string): Promise<void> => vi.waitFor(() => expect(names()).toContain(name), { timeout: 10_000 });

function start(more: { args?: string[]; env?: Record<string, string> } = {}): void {
  startDesktop({ args: more.args ?? [], env: more.env ?? {}, home, bundleDir: join(folder, 'main') });
}

async function startFully(): Promise<BrowserWindow> {
  start();
  app.becomeReady();
  await until('window.loadURL');
  return calls.find(({ name }) => name === 'new BrowserWindow')?.args[1] as BrowserWindow;
}

async function quit(): Promise<void> {
  app.emit('will-quit', { preventDefault: () => undefined });
  await until('app.exit');
}

/** True when the listener prevented what the event announces. */
function isPrevented(emitter: EventEmitter, name: string): boolean {
  const preventDefault = vi.fn();
  emitter.emit(name, { preventDefault, url: 'https://evil.example/' });
  return preventDefault.mock.calls.length > 0;
}

describe('the start', () => {
  test('does before Electron is ready what has to be done then, and waits without blocking', async () => {
    start();
    expect(names()).toEqual([
      'app.setPath',
      'app.requestSingleInstanceLock',
      'protocol.registerSchemesAsPrivileged',
      'app.enableSandbox',
      'app.whenReady',
    ]);
    expect(calls[0]?.args).toEqual(['userData', join(home, '.local/state/metnos/electron')]);
    expect(given('protocol.registerSchemesAsPrivileged')).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } },
    ]);
    app.becomeReady();
    await until('window.loadURL');
  });

  test('closes every other way before there is a window, and shows it when it is drawn', async () => {
    const window = await startFully();
    const order = names();
    for (const name of [
      'session.setPermissionRequestHandler',
      'session.onBeforeRequest',
      'protocol.handle',
      'Menu.setApplicationMenu',
    ]) {
      expect(order.indexOf(name), name).toBeGreaterThan(order.indexOf('ready'));
      expect(order.indexOf(name), name).toBeLessThan(order.indexOf('new BrowserWindow'));
    }
    expect(given('window.loadURL')).toBe('app://vaglio/');
    expect(called('window.show')).toBe(false);
    window.emit('ready-to-show');
    expect(called('window.show')).toBe(true);
  });

  test('gives the window no power', async () => {
    await startFully();
    expect(given('new BrowserWindow')).toMatchObject({
      show: false,
      backgroundColor: expect.stringMatching(/^#/),
      webPreferences: {
        preload: join(folder, 'main/preload.cjs'),
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
      },
    });
    expect(JSON.stringify(given('Menu.setApplicationMenu'))).not.toMatch(/toggleDevTools|reload/i);
  });

  test('of a second one ends at once', () => {
    app.isFirst = false;
    start();
    expect(names().slice(1)).toEqual(['app.requestSingleInstanceLock', 'app.quit']);
  });

  test('beside a panel in the browser opens a link to that one', async () => {
    const lock = await takeInstanceLock(lockFile);
    if (lock.held) lock.onShow(() => ({ url: 'http://127.0.0.1:1/enter?token=t' }));
    start();
    app.becomeReady();
    await until('app.quit');
    expect(given('shell.openExternal')).toBe('http://127.0.0.1:1/enter?token=t');
    expect(called('new BrowserWindow')).toBe(false);
    if (lock.held) await lock.release();
  });

  test('that cannot be is told in a window of the system', async () => {
    start({ env: { METNOS_JUDGE_THRESHOLD: 'high' } });
    app.becomeReady();
    await until('app.exit');
    expect(calls.find(({ name }) => name === 'dialog.showErrorBox')?.args[1]).toContain('METNOS_JUDGE_THRESHOLD');
    expect(given('app.exit')).toBe(1);
    expect(existsSync(lockFile)).toBe(false);
  });
});

describe('what is denied', () => {
  test('every way to another page', async () => {
    const window = await startFully();
    for (const name of ['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']) {
      expect(isPrevented(window.webContents, name), name).toBe(true);
    }
  });

  test('new windows, permissions, devices, downloads', async () => {
    await startFully();
    expect(given<() => unknown>('contents.setWindowOpenHandler')()).toEqual({ action: 'deny' });
    const answer = vi.fn();
    given<(...args: unknown[]) => void>('session.setPermissionRequestHandler')({}, 'clipboard-read', answer);
    expect(answer).toHaveBeenCalledExactlyOnceWith(false);
    expect(given<() => boolean>('session.setPermissionCheckHandler')()).toBe(false);
    expect(given<() => boolean>('session.setDevicePermissionHandler')()).toBe(false);
    expect(isPrevented(session.defaultSession, 'will-download')).toBe(true);
  });

  test('every request that leaves the panel’s own files', async () => {
    await startFully();
    const isCancelled = (url: string): unknown => {
      const answer = vi.fn();
      given<(details: unknown, answer: unknown) => void>('session.onBeforeRequest')({ url }, answer);
      return answer.mock.calls[0]?.[0].cancel;
    };
    for (const url of [
      'https://evil.example/x.js',
      'http://127.0.0.1:1/',
      'ws://127.0.0.1:1/',
      'file:///etc/passwd',
      'app://other/',
    ]) {
      expect(isCancelled(url), url).toBe(true);
    }
    expect(isCancelled('app://vaglio/assets/index.js')).toBe(false);
  });
});

describe('the panel’s own files', () => {
  const fetchPanel = (url: string, method = 'GET'): Promise<Response> =>
    given<(request: Request) => Promise<Response>>('protocol.handle')({ url, method } as Request);

  test('come with the policy', async () => {
    await startFully();
    const response = await fetchPanel('app://vaglio/');
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>panel</title>');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('are not what lies beside them', async () => {
    await startFully();
    for (const path of [
      'vaglio/../secret.txt',
      'vaglio/%2e%2e/secret.txt',
      'vaglio/..%2fsecret.txt',
      'vaglio/nothing.js',
      'other/',
    ]) {
      expect((await fetchPanel(`app://${path}`)).status, path).toBe(404);
    }
  });

  test('are only read', async () => {
    await startFully();
    expect((await fetchPanel('app://vaglio/', 'POST')).status).toBe(405);
  });

  test.each([
    ['app://vaglio/', true],
    ['app://vaglio/index.html#/live', true],
    ['app://vaglio.evil/', false],
    ['app://evil@vaglio/', false],
    ['app://vaglio:80/', false],
    ['apps://vaglio/', false],
    ['http://vaglio/', false],
    ['', false],
    ['about:blank', false],
  ])('%j is an address of the panel: %s', (url, expected) => {
    expect(isPanelUrl(url)).toBe(expected);
  });
});

describe('the export of the audit', () => {
  const ask = (path: string, method = 'GET'): Promise<Response> =>
    given<(request: Request) => Promise<Response>>('protocol.handle')({
      url: `app://vaglio/export${path}`,
      method,
    } as Request);
  const line = (ts: number, executor: string): string =>
    `${JSON.stringify({ approved: true, reason: 'ok', ts, judge_kind: 'rule-based-v1', score: 1, blocked_by: null, intent: '=read', executor, args_keys: [], context_keys: [] })}\n`;

  beforeEach(() => {
    const log = join(home, '.local/share/metnos/vaglio');
    mkdirSync(log, { recursive: true });
    writeFileSync(join(log, '2026-11.jsonl'), line(1_793_491_200, 'file_read') + line(1_793_491_260, 'shell_exec'));
  });

  test('comes as the browser host sends it, under the window’s own address', async () => {
    await startFully();
    await vi.waitFor(async () => expect((await ask('?format=csv', 'HEAD')).headers.get('vaglio-rows')).toBe('2'), {
      timeout: 10_000,
    });
    const response = await ask('?format=csv&executor=shell_exec');
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="vaglio-audit.csv"',
      'vaglio-rows': '1',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    const lines = (await response.text()).split('\r\n').slice(0, -1);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`shell_exec,1,"'=read"`);
  });

  test.each(['', '?format=xml', '?format=csv&where=1', '?format=csv&from_ts=x'])('is refused for %j', async (query) => {
    await startFully();
    expect((await ask(query)).status).toBe(400);
  });

  test('is only read, and only under the panel’s own name', async () => {
    await startFully();
    expect((await ask('?format=csv', 'POST')).status).toBe(405);
    const handler = given<(request: Request) => Promise<Response>>('protocol.handle');
    expect((await handler({ url: 'app://other/export?format=csv', method: 'GET' } as Request)).status).toBe(404);
  });

  test('that cannot be made is an error and not an empty file', async () => {
    await startFully();
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await quit();
    expect((await ask('?format=csv')).status).toBe(500);
    expect(written.mock.calls.flat().join('')).toContain('export: ');
    written.mockRestore();
  });
});

describe('while it runs', () => {
  function speak(url: string): string[] {
    const sent: string[] = [];
    const sender = Object.assign(new EventEmitter(), {
      isDestroyed: () => false,
      send: (channel: string) => sent.push(channel),
    });
    ipcMain.emit(IPC_CHANNELS.open, { sender, senderFrame: { url, parent: null } }, 1);
    return sent;
  }

  test('the engine answers the panel’s frame and no other', async () => {
    await startFully();
    expect(speak('app://vaglio/index.html')).toEqual([IPC_CHANNELS.opened]);
    expect(speak('https://evil.example/')).toEqual([]);
  });

  test('another start brings its window to the front', async () => {
    const window = await startFully();
    window.minimized = true;
    app.emit('second-instance');
    expect(names().slice(-3)).toEqual(['window.restore', 'window.show', 'window.focus']);
    const other = await takeInstanceLock(lockFile);
    expect(other).toMatchObject({ held: false, answer: { url: null } });
  });

  test('a window that was closed is opened again, not a second one beside it', async () => {
    const window = await startFully();
    app.emit('activate');
    expect(names().filter((name) => name === 'new BrowserWindow')).toHaveLength(1);
    window.emit('closed');
    app.emit('activate');
    expect(names().filter((name) => name === 'new BrowserWindow')).toHaveLength(2);
  });

  test('a page that crashes is loaded again, three times at most', async () => {
    const window = await startFully();
    window.webContents.emit('render-process-gone', {}, { reason: 'clean-exit' });
    expect(called('contents.reload')).toBe(false);
    for (let crash = 0; crash < 5; crash++) window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
    expect(names().filter((name) => name === 'contents.reload')).toHaveLength(3);
  });

  test('the last window ends it, and the end closes what was open', async () => {
    await startFully();
    app.emit('window-all-closed');
    expect(called('app.quit')).toBe(process.platform !== 'darwin');
    expect(existsSync(lockFile)).toBe(true);
    await quit();
    expect(given('app.exit')).toBe(0);
    expect(existsSync(lockFile)).toBe(false);
    expect(speak('app://vaglio/index.html')).toEqual([]);
  });
});

test('the bridge is all that the page gets, over the fixed channels', async () => {
  await import('../preload.ts');
  const [name, bridge] = calls.find((call) => call.name === 'contextBridge.exposeInMainWorld')?.args ?? [];
  expect(name).toBe('vaglio');
  expect(Object.keys(bridge as object).sort()).toEqual(['connect', 'host']);
  const heard = calls.filter((call) => call.name === 'ipcRenderer.on').map(({ args }) => args[0]);
  expect(heard).toEqual([IPC_CHANNELS.opened, IPC_CHANNELS.toWindow, IPC_CHANNELS.closed]);
});
