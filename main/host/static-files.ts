import { readFile, realpath } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
};

export interface StaticFile {
  type: string;
  /** Named after its content by the build, so it never changes under its name. */
  immutable: boolean;
  body: Buffer;
}

/**
 * A file of the built panel.
 *
 * @param root the folder that is served
 * @param urlPath the path of a request as it came, still encoded, without its query
 * @returns null for whatever is not a file below `root`, by whichever spelling or link it was asked for
 */
export async function readStatic(root: string, urlPath: string): Promise<StaticFile | null> {
  const relative = decode(urlPath);
  if (relative === null) return null;
  const folder = resolve(root);
  const asked = join(folder, relative === '/' ? 'index.html' : relative);
  if (!asked.startsWith(folder + sep)) return null;
  try {
    // A link inside the folder could still lead out of it.
    const [real, realFolder] = await Promise.all([realpath(asked), realpath(folder)]);
    if (!real.startsWith(realFolder + sep)) return null;
    const type = TYPES[extname(real).toLowerCase()];
    if (type === undefined) return null;
    return { type, immutable: relative.startsWith('/assets/'), body: await readFile(real) };
  } catch {
    return null;
  }
}

function decode(urlPath: string): string | null {
  try {
    const path = decodeURIComponent(urlPath);
    if (!path.startsWith('/') || path.includes('\0') || path.includes('\\')) return null;
    return path.split('/').some((part) => part === '..' || part === '.') ? null : path;
  } catch {
    return null;
  }
}
