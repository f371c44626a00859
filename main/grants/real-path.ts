import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** As many links as the kernel follows, and a path as long as it takes. */
const MOST_LINKS = 40;
const LONGEST = 4096;
/** A path that is not as it will be answered even where it holds no link. */
const UNTIDY = /\/(?:\.{0,2}\/|\.{0,2}$)/;
/** A missing file is an answer. Making the error for it would take longer than all the rest. */
const QUIET = { throwIfNoEntry: false } as const;

/**
 * The path with symbolic links resolved on its longest existing prefix (policy page, section 3); the rest,
 * which is not there yet, follows by its text. A link that leads to nothing yet is followed as well: a file
 * written through it would be made where it leads. As in the kernel, `..` goes up from where a link led.
 * No answer is remembered: a link can be made at any moment.
 *
 * @param path absolute
 * @throws the system's error when the question has no answer: a loop, a folder that may not be entered
 */
export const realPath: (path: string) => string = createRealPath();

function createRealPath(): (path: string) => string {
  // Only which way is tried first, never what it answers.
  let isFolderLikely = true;

  /** The system's own answer for the folder and a look at the last name; null where that does not do. */
  function bySystem(path: string): string | null {
    const cut = path.lastIndexOf('/');
    const name = path.slice(cut + 1);
    if (cut <= 0 || name === '' || name === '.' || name === '..') return null;
    const folder = path.slice(0, cut);
    try {
      const real = realpathSync.native(folder);
      const here = real === folder ? path : real === '/' ? `/${name}` : `${real}/${name}`;
      return lstatSync(here, QUIET)?.isSymbolicLink() ? null : here;
    } catch {
      isFolderLikely = false;
      return null;
    }
  }

  return (path) => {
    if (path.length > LONGEST) throw systemError('ENAMETOOLONG', path);
    return (
      (isFolderLikely ? bySystem(path) : null) ??
      stepByStep(path, () => {
        isFolderLikely = true;
      })
    );
  };
}

/** @param whole called when all of the path but its last name was found to be there */
function stepByStep(path: string, whole: () => void): string {
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
    const found = look(here);
    if (found.link === null) {
      at = here;
      // Below what is not there is nothing to look at.
      if (!found.isThere && !ahead.includes('..')) {
        if (ahead.length === 0) whole();
        if (links === 0 && !UNTIDY.test(path)) return path;
        return [here, ...ahead.reverse().filter((rest) => rest !== '' && rest !== '.')].join('/');
      }
      continue;
    }
    links += 1;
    if (links > MOST_LINKS) throw systemError('ELOOP', path);
    if (found.link.startsWith('/')) at = '/';
    ahead.push(...found.link.split('/').reverse());
  }
  whole();
  return at;
}

/** `link`: where it leads; null when it is no link. */
function look(path: string): { isThere: boolean; link: string | null } {
  try {
    const stats = lstatSync(path, QUIET);
    return { isThere: stats !== undefined, link: stats?.isSymbolicLink() ? readlinkSync(path) : null };
  } catch (error) {
    // Below a file there is nothing.
    if (error instanceof Error && 'code' in error && error.code === 'ENOTDIR') return { isThere: false, link: null };
    throw error;
  }
}

function systemError(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: no real path for '${path.slice(0, 200)}'`), { code });
}
