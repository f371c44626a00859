import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'brave-browser',
];
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'];

/** True where a window could be shown. */
export function hasDisplay(env: Env, platform: NodeJS.Platform): boolean {
  return platform === 'darwin' || platform === 'win32' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** A browser that knows `--app`, or null. */
export function findChromium(env: Env, platform: NodeJS.Platform): string | null {
  const places =
    platform === 'darwin'
      ? MAC_APPS.map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
      : platform === 'win32'
        ? [env['ProgramFiles(x86)'], env.ProgramFiles, env.LOCALAPPDATA].flatMap((root) =>
            root === undefined
              ? []
              : [
                  join(root, 'Google/Chrome/Application/chrome.exe'),
                  join(root, 'Microsoft/Edge/Application/msedge.exe'),
                ],
          )
        : (env.PATH ?? '').split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return places.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The flags of the platform page; a profile of our own, so that no extension of the person's reads the panel. */
export function windowArgs(page: string, profile: string, isRoot: boolean): string[] {
  return [
    `--app=${page}`,
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    '--window-size=1280,840',
    ...(isRoot ? ['--no-sandbox', '--test-type'] : []),
  ];
}

/**
 * Opens the panel as a window of its own. The link goes through a file that only this user can read, since
 * a command line can be read by every user of the machine.
 *
 * @returns closes the window; null when there is no browser for it
 */
export function openWindow(link: string, options: { env: Env; home: string; stateDir: string }): (() => void) | null {
  const browser = findChromium(options.env, process.platform);
  if (browser === null) return null;
  // A browser in a snap sees no dot-folders of the home.
  const isSnap = realpathSync(browser).endsWith('/snap') || browser.startsWith('/snap/');
  const folder = isSnap ? join(options.home, 'snap/chromium/common/vaglio') : options.stateDir;
  const page = join(folder, 'panel-open.html');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(page, { force: true });
  const refresh = `<!doctype html><meta http-equiv="refresh" content="0;url=${link}"><title>Vaglio</title>`;
  writeFileSync(page, refresh, { mode: 0o600, flag: 'wx' });
  const args = windowArgs(`file://${page}`, join(folder, 'panel-window'), process.getuid?.() === 0);
  const child: ChildProcess = spawn(browser, args, { stdio: 'ignore' });
  child.on('error', () => undefined).unref();
  return () => {
    rmSync(page, { force: true });
    child.kill();
  };
}
