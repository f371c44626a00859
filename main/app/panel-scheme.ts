import { protocol } from 'electron';
import type { AuditService } from '../engine/services.ts';
import { contentPolicy, GUARD_HEADERS } from '../host/content-policy.ts';
import { exportResponse } from '../host/export-route.ts';
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

/**
 * Answers the window: the panel's files, and the export of the audit, as the browser host does.
 *
 * @param options.rendererDir folder of the built panel
 */
export function servePanel(options: { rendererDir: string; audit: AuditService; log: (line: string) => void }): void {
  const headers = { ...GUARD_HEADERS, 'Content-Security-Policy': contentPolicy([]) };
  const empty = (status: number): Response => new Response('', { status, headers });
  protocol.handle(SCHEME, async ({ url, method }) => {
    if (!isPanelUrl(url)) return empty(404);
    if (method !== 'GET' && method !== 'HEAD') return empty(405);
    const { pathname, search } = new URL(url);
    if (pathname === '/export') {
      return exportResponse(options.audit, search, method, headers).then(
        (response) => response ?? empty(400),
        (error: unknown) => {
          options.log(`export: ${error instanceof Error ? error.stack : String(error)}`);
          return empty(500);
        },
      );
    }
    const file = await readStatic(options.rendererDir, pathname);
    if (file === null) return empty(404);
    return new Response(new Uint8Array(file.body), { headers: { ...headers, 'Content-Type': file.type } });
  });
}
