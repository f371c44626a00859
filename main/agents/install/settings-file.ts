import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../engine/errors.ts';

const LARGEST = 5 * 1024 * 1024;

/** @returns null when there is none. @throws UserError naming a file that cannot be read as a text */
export function readSettings(path: string): string | null {
  try {
    const size = statSync(path).size;
    if (size > LARGEST) throw new UserError('damaged', `${path} has ${size} bytes: these are no settings.`, path);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof UserError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const cause =
      error instanceof TypeError ? 'it is no UTF-8' : error instanceof Error ? error.message : String(error);
    throw new UserError('unreadable', `${path} cannot be read (${cause}), and was left as it is.`, path, {
      cause: error,
    });
  }
}

/**
 * Puts the new text in the old one's place, whole or not at all, through a link to where it leads. What was there stays
 * beside it.
 *
 * @param before what the new text was made from; the file has to be as it was. null: there was none
 * @returns path of the copy of what was there, or null
 * @throws UserError `conflict` when somebody else changed it, `unreadable` when it cannot be written
 */
export function writeSettings(path: string, before: string | null, text: string, now: number): string | null {
  if (readSettings(path) !== before) {
    throw new UserError('conflict', `Somebody else changed ${path} just now. Nothing was written; try again.`, path);
  }
  try {
    const folder = dirname(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const place = before === null ? path : realpathSync(path);
    const mode = before === null ? 0o600 : statSync(place).mode & 0o777;
    const backup = before === null ? null : keepCopy(place, before, mode, now);
    const draft = `${place}.vaglio-${process.pid}`;
    try {
      writeFileSync(draft, text, { mode, flag: 'wx' });
      chmodSync(draft, mode);
      flush(draft);
      // A file that came into being meanwhile is not ours to replace.
      if (before === null) linkSync(draft, place);
      else renameSync(draft, place);
    } finally {
      rmSync(draft, { force: true });
    }
    return backup;
  } catch (error) {
    if (error instanceof UserError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new UserError('unreadable', `${path} cannot be written (${cause}).`, path, { cause: error });
  }
}

function keepCopy(place: string, text: string, mode: number, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  for (let n = 1; ; n++) {
    const path = `${place}.before-vaglio-${stamp}${n === 1 ? '' : `-${n}`}`;
    try {
      writeFileSync(path, text, { mode, flag: 'wx' });
      flush(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
