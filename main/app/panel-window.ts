import { BrowserWindow, nativeTheme } from 'electron';
import { PANEL_URL } from './panel-scheme.ts';

/** A page that dies again and again is not worth more tries. */
const MAX_RELOADS = 3;

/** Address of the card of a waiting call. The quotes keep a token of digits from being read as a number. */
export function cardUrl(token: string): string {
  return `${PANEL_URL}#/approvals?card=${encodeURIComponent(JSON.stringify(token))}`;
}

/**
 * @param preload path of the one CommonJS file that is the bridge
 * @param url the page that it opens at
 */
export function openPanelWindow(preload: string, url: string = PANEL_URL): BrowserWindow {
  const window = new BrowserWindow({
    title: 'Vaglio',
    width: 1280,
    height: 840,
    minWidth: 720,
    minHeight: 480,
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#15171b' : '#fbfbfc',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    },
  });
  window.once('ready-to-show', () => window.show());
  let reloads = 0;
  window.webContents.on('render-process-gone', (_, { reason }) => {
    if (reason === 'clean-exit' || reloads >= MAX_RELOADS) return;
    reloads += 1;
    window.webContents.reload();
  });
  void window.loadURL(url);
  return window;
}

/** Brings a window to the front, from wherever it is. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}
