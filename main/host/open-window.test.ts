import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findChromium, hasDisplay, openWindow, windowArgs } from './open-window.ts';

const LINK = 'http://127.0.0.1:4000/enter?token=secret-token';
let folder: string;
let bin: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaglio-window-'));
  bin = join(folder, 'bin');
  mkdirSync(bin);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A browser that writes down how it was called, then stays. */
function addBrowser(path: string): void {
  writeFileSync(
    path,
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${folder}/args.new"\nmv "${folder}/args.new" "${folder}/args"\nexec sleep 60\n`,
  );
  chmodSync(path, 0o755);
}

const open = (): (() => void) | null =>
  openWindow(LINK, { env: { PATH: bin }, home: join(folder, 'home'), stateDir: join(folder, 'state') });

async function calledWith(): Promise<string[]> {
  await vi.waitFor(() => expect(existsSync(join(folder, 'args'))).toBe(true), { timeout: 30_000 });
  return readFileSync(join(folder, 'args'), 'utf8').trim().split('\n');
}

test.runIf(process.platform === 'linux')(
  'the link is not on the command line, which every user can read, but in a private file',
  async () => {
    addBrowser(join(bin, 'chromium'));
    const close = open();
    const page = join(folder, 'state/panel-open.html');
    const args = await calledWith();
    expect(args).toContain(`--app=file://${page}`);
    expect(args).toContain(`--user-data-dir=${join(folder, 'state/panel-window')}`);
    expect(args.join()).not.toContain('secret-token');
    expect(readFileSync(page, 'utf8')).toContain(`content="0;url=${LINK}"`);
    expect(statSync(page).mode & 0o777).toBe(0o600);
    close?.();
    expect(existsSync(page)).toBe(false);
  },
);

test.runIf(process.platform === 'linux')('a page that someone laid there before is not written through', async () => {
  addBrowser(join(bin, 'chromium'));
  mkdirSync(join(folder, 'state'));
  const elsewhere = join(folder, 'elsewhere');
  symlinkSync(elsewhere, join(folder, 'state/panel-open.html'));
  const close = open();
  await calledWith();
  expect(existsSync(elsewhere)).toBe(false);
  close?.();
});

test.runIf(process.platform === 'linux')('without a browser there is no window', () => {
  writeFileSync(join(bin, 'chromium'), 'not executable');
  expect(findChromium({ PATH: bin }, 'linux')).toBeNull();
  expect(open()).toBeNull();
});

test('a window needs a display', () => {
  expect(hasDisplay({}, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: '' }, 'linux')).toBe(false);
  expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true);
  expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true);
  expect(hasDisplay({}, 'darwin')).toBe(true);
});

test('the sandbox is given up for root alone, where the browser would not start with it', () => {
  expect(windowArgs('file:///x', '/p', false)).not.toContain('--no-sandbox');
  expect(windowArgs('file:///x', '/p', true)).toContain('--no-sandbox');
});
