import { app, type Session } from 'electron';
import { isPanelUrl } from './panel-scheme.ts';

/** No page ever leads elsewhere, opens a window or holds another page, whatever is in it. */
export function denyNavigation(): void {
  app.on('web-contents-created', (_, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.on('will-navigate', (event) => event.preventDefault());
    contents.on('will-frame-navigate', (event) => event.preventDefault());
    contents.on('will-redirect', (event) => event.preventDefault());
    contents.on('will-attach-webview', (event) => event.preventDefault());
  });
}

/** No permission, no device, no download, and no request that leaves the panel's own files. */
export function denyPowers(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest(({ url }, answer) => {
    answer({ cancel: !isPanelUrl(url) && !url.startsWith('devtools://') && !url.startsWith('data:') });
  });
}
