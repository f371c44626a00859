import { lstatSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';

/** As many links as the kernel follows, and a path as long as it takes. */
const MOST_LINKS = 40;
const LONGEST = 4096;

/**
 * The path with symbolic links resolved on its longest existing prefix (policy page, section 3); the rest,
 * which is not there yet, follows by its text. A link that leads to nothing yet is followed as well: a file
 * written through it would be made where it leads. As in the kernel, `..` goes up from where a link led.
 *
 * @param path absolute
 * @throws the system's error when the question has no answer: a loop, a folder that may not be entered
 */
export function realPath(path: string): string {
  if (path.length > LONGEST) throw systemError('ENAMETOOLONG', path);
  let links = 0;
  let at = '/';
  const ahead = path.split('/').reverse();
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '' || name === '.') continue;
    if (name === '..') {
      at = dirname(at);
      continue;
    }
    const here = at === '/' ? `/${name}` : `${at}/${name}`;
    const to = linkTarget(here);
    if (to === null) {
      at = here;
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw systemError('ELOOP', path);
    if (to.startsWith('/')) at = '/';
    ahead.push(...to.split('/').reverse());
  }
  return at;
}

/** Where the link leads; null when it is no link or not there. */
function linkTarget(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch (error) {
    // Below a file there is nothing.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return null;
    throw error;
  }
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: no real path for '${path.slice(0, 200)}'`), { code });
}
