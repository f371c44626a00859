/**
 * The desktop shell: one window on the engine, and nothing else that a page could reach (platform page,
 * "Two hosts, one panel"). The only room, with `main.ts`, that imports Electron.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, dialog, ipcMain, session, shell } from 'electron';
import { createEngine } from '../engine/engine.ts';
import { UserError } from '../engine/errors.ts';
import { resolvePaths } from '../engine/paths.ts';
import { type InstanceLock, tryInstanceLock } from '../host/instance-lock.ts';
import { serveElectronIpc } from '../rpc/transports/electron-ipc.ts';
import { createOperatorCalls } from '../rpc/transports/operator-calls.ts';
import { denyNavigation, denyPowers } from './deny.ts';
import { setMenu } from './menu.ts';
import { languageOf, tellOfApprovals } from './notifications.ts';
import { isPanelUrl, registerPanelScheme, servePanel } from './panel-scheme.ts';
import { bringToFront, cardUrl, openPanelWindow } from './panel-window.ts';

export interface DesktopOptions {
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Folder of the bundles: `preload.cjs` lies in it, the built panel beside it. */
  bundleDir: string;
}

/**
 * Starts the desktop panel. Returns at once: waiting for Electron at the top level of its main module
 * would keep it from ever becoming ready.
 */
export function startDesktop(options: DesktopOptions): void {
  const { stateDir } = resolvePaths(options.env, options.home);
  // One instance per state folder, so that a demo in a folder of its own runs beside the panel.
  keepDataIn(join(stateDir, 'electron'));
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  registerPanelScheme();
  app.enableSandbox();
  denyNavigation();
  app
    .whenReady()
    .then(() => run(options))
    .catch((error: unknown) => {
      dialog.showErrorBox('Vaglio cannot start', error instanceof UserError ? error.message : String(error));
      app.exit(1);
    });
}

function keepDataIn(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    app.setPath('userData', folder);
  } catch (error) {
    // Then Electron's own folder has to do; the engine says what is wrong with ours.
    process.stderr.write(`${folder}: ${error instanceof Error ? error.message : error}\n`);
  }
}

async function run({ args, env, home, bundleDir }: DesktopOptions): Promise<void> {
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const lock = await tryInstanceLock(resolvePaths(env, home).lockFile, log);
  if (lock !== null && !lock.held) return handOver(lock);
  const demo = args.includes('--demo');
  const engine = await createEngine({ env, home, clock: Date.now, host: 'electron', demo, agentDoor: true, log }).catch(
    async (error) => {
      await lock?.release();
      throw error;
    },
  );
  denyPowers(session.defaultSession);
  servePanel({ rendererDir: join(bundleDir, '../renderer'), audit: engine.services.audit, log });
  const stopServing = serveElectronIpc({ ipcMain, services: engine.services, fromPanel: isPanelUrl, log });
  setMenu(process.platform);

  let window: BrowserWindow | null = null;
  const show = (url?: string): void => {
    if (window !== null) {
      bringToFront(window);
      if (url !== undefined) void window.loadURL(url);
      return;
    }
    window = openPanelWindow(join(bundleDir, 'preload.cjs'), url);
    window.on('closed', () => {
      window = null;
    });
  };
  app.on('second-instance', () => show());
  app.on('activate', () => show());
  lock?.onShow(() => {
    show();
    return { url: null };
  });
  lock?.onCall(createOperatorCalls({ services: engine.services, log }));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  const preferences = async () => (await engine.services.app.info({})).preferences;
  const stopTelling = tellOfApprovals({
    watch: (signal) => engine.services.approvals.watch({}, signal),
    wanted: async () => (await preferences()).notifications,
    language: async () => (await preferences()).language ?? languageOf(app.getLocale()),
    open: (token) => show(cardUrl(token)),
    log,
  });
  let isClosed = false;
  app.on('will-quit', (event) => {
    if (isClosed) return;
    isClosed = true;
    event.preventDefault();
    stopTelling();
    stopServing();
    Promise.allSettled([engine.close(), lock?.release()]).then(() => app.exit(0));
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit());
  show();
}

/** Another panel has this state folder: its window came to the front, or it gave us a link for a browser. */
async function handOver(lock: InstanceLock & { held: false }): Promise<void> {
  if (lock.answer.panel === false) {
    const what = `An engine without a panel is running (vaglio serve, process ${lock.pid}). End it, then start again.`;
    dialog.showErrorBox('Vaglio cannot start', what);
  }
  if (lock.answer.url !== null) await shell.openExternal(lock.answer.url);
  app.quit();
}
