/**
 * The place of the agent door: `vaglio.sock` in the state folder, which no other user may write to, or a named pipe
 * on Windows (agents page, "Two doors, two rights").
 */
import { chmodSync, lstatSync, type Stats, unlinkSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { UserError } from '../engine/errors.ts';
import { makeFolder } from '../engine/make-folder.ts';

const PROBE_MS = 1000;
const OTHERS_WRITE = 0o022;
/** Nobody listens behind it, whoever made it. */
const DEAD = new Set(['ECONNREFUSED', 'ENOENT']);

/** Path of the socket. @param platform as `process.platform` */
export function agentSocketPath(stateDir: string, platform: string): string {
  if (platform !== 'win32') return join(stateDir, 'vaglio.sock');
  // A hook finds its socket through here at every call, and the module takes longer to load than all the rest of it.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const place = createHash('sha256').update(stateDir.toLowerCase()).digest('hex').slice(0, 16);
  return `\\\\.\\pipe\\vaglio-${place}`;
}

/** A pipe's name is no file: nothing to look at, nothing to clear. */
export function isPipeName(path: string): boolean {
  return path.startsWith('\\\\.\\pipe\\');
}

/** @returns null when nothing is there */
export function lookAtSocket(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}

/**
 * Makes the place ready: the folder is there and closed to others, and a socket that nobody answers is gone.
 *
 * @param log told when the folder's rights had to be narrowed
 * @throws UserError `conflict` when somebody answers there or something else lies there, `refused` for a folder of
 * another user, `unreadable` for one that cannot be used
 */
export async function prepareSocketPlace(path: string, log: (line: string) => void): Promise<void> {
  if (isPipeName(path)) return;
  try {
    secureFolder(dirname(path), log);
    const found = lookAtSocket(path);
    if (found === null) return;
    if (!found.isSocket()) {
      throw new UserError('conflict', `${path} is no socket, and agents need that name. Move it away.`, path);
    }
    if (await answers(path)) {
      throw new UserError('conflict', `Another engine answers at ${path}. End it, then start again.`, path);
    }
    unlinkSync(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const cause = error instanceof Error ? error.message : String(error);
    throw new UserError('unreadable', `The socket ${path} cannot be made: ${cause}.`, path, { cause: error });
  }
}

/** Whoever may write to the folder could put a socket of his own there, and answer for us. */
function secureFolder(folder: string, log: (line: string) => void): void {
  makeFolder(folder);
  const found = lstatSync(folder);
  const own = process.getuid?.();
  if (own !== undefined && found.uid !== own) {
    throw new UserError(
      'refused',
      `${folder} belongs to another user. Agents are let in at a folder of yours.`,
      folder,
    );
  }
  if ((found.mode & OTHERS_WRITE) === 0) return;
  chmodSync(folder, 0o700);
  log(`${folder} could be written to by others: it is closed to them now (mode 0700).`);
}

function answers(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = createConnection(path);
    const tell = (isAlive: boolean): void => {
      socket.destroy();
      done(isAlive);
    };
    socket.setTimeout(PROBE_MS, () => tell(true));
    socket.on('connect', () => tell(true));
    socket.on('error', (error: NodeJS.ErrnoException) => tell(!DEAD.has(error.code ?? '')));
  });
}
