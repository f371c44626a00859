import { protocol } from 'electron';
import { contentPolicy, GUARD_HEADERS } from '../host/content-policy.ts';
import { readStatic } from '../host/static-files.ts';

const SCHEME = 'app';
const HOST = 'vaglio';
/** The panel's own page. Not `file://`, whose pages may read other files. */
export const PANEL_URL = `${SCHEME}://${HOST}/`;

/** True for addresses of the panel's own files, and for nothing that merely looks like one. */
export function isPanelUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === `${SCHEME}:` && url.host === HOST && url.username === '';
}

/** Has to run before Electron is ready. */
export function registerPanelScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** @param rendererDir folder of the built panel */
export function servePanel(rendererDir: string): void {
  const headers = { ...GUARD_HEADERS, 'Content-Security-Policy': contentPolicy([]) };
  protocol.handle(SCHEME, async (request) => {
    if (!isPanelUrl(request.url)) return new Response('', { status: 404, headers });
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response('', { status: 405, headers });
    const file = await readStatic(rendererDir, new URL(request.url).pathname);
    if (file === null) return new Response('', { status: 404, headers });
    return new Response(new Uint8Array(file.body), { headers: { ...headers, 'Content-Type': file.type } });
  });
}
