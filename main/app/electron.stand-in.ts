import { EventEmitter } from 'node:events';

/**
 * As much of Electron's API as the shell uses, for tests: importing the real module outside Electron
 * starts a download. Notes each call, in order.
 */
export const calls: { name: string; args: unknown[] }[] = [];

function note(name: string) {
  return (...args: unknown[]): void => void calls.push({ name, args });
}

function callOf(name: string): unknown[] {
  const call = calls.findLast((one) => one.name === name);
  if (call === undefined) throw new Error(`${name} was not called`);
  return call.args;
}

/** The first argument of the last call of that name. */
export function given<T>(name: string): T {
  return callOf(name)[0] as T;
}

class App extends EventEmitter {
  isFirst = true;
  #becomeReady: () => void = () => undefined;
  #ready = new Promise<void>((done) => {
    this.#becomeReady = done;
  });

  readonly setPath = note('app.setPath');
  readonly enableSandbox = note('app.enableSandbox');
  readonly exit = note('app.exit');
  readonly quit = note('app.quit');

  getLocale(): string {
    return 'en-GB';
  }

  requestSingleInstanceLock(): boolean {
    note('app.requestSingleInstanceLock')();
    return this.isFirst;
  }

  whenReady(): Promise<void> {
    note('app.whenReady')();
    return this.#ready;
  }

  becomeReady(): void {
    note('ready')();
    this.#becomeReady();
  }
}

class WebContents extends EventEmitter {
  readonly setWindowOpenHandler = note('contents.setWindowOpenHandler');
  readonly reload = note('contents.reload');
  readonly send = note('contents.send');

  isDestroyed(): boolean {
    return false;
  }
}

export class BrowserWindow extends EventEmitter {
  /** The window that has the focus. */
  static focused: unknown = null;
  readonly webContents = new WebContents();
  minimized = false;
  readonly show = note('window.show');
  readonly focus = note('window.focus');
  readonly restore = note('window.restore');

  constructor(options: unknown) {
    super();
    note('new BrowserWindow')(options, this);
    app.emit('web-contents-created', {}, this.webContents);
  }

  static getFocusedWindow(): unknown {
    return BrowserWindow.focused;
  }

  isMinimized(): boolean {
    return this.minimized;
  }

  loadURL(url: string): Promise<void> {
    note('window.loadURL')(url);
    return Promise.resolve();
  }
}

export class Notification extends EventEmitter {
  static supported = true;
  readonly options: { title: string; body: string };

  constructor(options: { title: string; body: string }) {
    super();
    this.options = options;
  }

  static isSupported(): boolean {
    return Notification.supported;
  }

  show(): void {
    note('notification.show')(this);
  }

  close(): void {
    note('notification.close')(this);
  }
}

class Session extends EventEmitter {
  readonly setPermissionRequestHandler = note('session.setPermissionRequestHandler');
  readonly setPermissionCheckHandler = note('session.setPermissionCheckHandler');
  readonly setDevicePermissionHandler = note('session.setDevicePermissionHandler');
  readonly webRequest = { onBeforeRequest: note('session.onBeforeRequest') };
}

export let app = new App();
export let ipcMain = new EventEmitter();
export let session = { defaultSession: new Session() };
export const protocol = {
  registerSchemesAsPrivileged: note('protocol.registerSchemesAsPrivileged'),
  handle: (scheme: string, handler: unknown) => note('protocol.handle')(handler, scheme),
};
export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: note('Menu.setApplicationMenu'),
};
export const dialog = { showErrorBox: note('dialog.showErrorBox') };
export const shell = {
  openExternal: (url: string): Promise<void> => {
    note('shell.openExternal')(url);
    return Promise.resolve();
  },
};
export const nativeTheme = { shouldUseDarkColors: true };
export const contextBridge = { exposeInMainWorld: note('contextBridge.exposeInMainWorld') };
export const ipcRenderer = { on: note('ipcRenderer.on'), send: note('ipcRenderer.send') };

/** As if the process had just begun. */
export function restartElectron(): void {
  calls.length = 0;
  app = new App();
  ipcMain = new EventEmitter();
  session = { defaultSession: new Session() };
}
