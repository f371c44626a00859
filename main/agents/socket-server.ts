/**
 * The agent door (agents page): a Unix socket of mode 0600, newline-delimited JSON-RPC 2.0. It knows the methods of
 * `shared/rpc/agent` and no other, so nothing that an agent sends reaches an operator's method. Node tells nothing
 * of who connects: the file's mode is the lock. May not import the operator's router.
 */
import { chmodSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../engine/errors.ts';
import { type AgentLine, createAgentMethods, type TurnReports } from './agent-methods.ts';
import { type Connection, serveConnection } from './connection.ts';
import { RPC_ERRORS } from './json-rpc.ts';
import { DOOR_LIMITS, type DoorLimits } from './limits.ts';
import { createRepeats } from './repeats.ts';
import { isPipeName, lookAtSocket, prepareSocketPlace } from './socket-file.ts';

/** Many agents may come in the same moment; a full queue turns them away. */
const BACKLOG = 4096;
/** How long what is unanswered may take when the door closes, ms. */
const CLOSE_MS = 500;
const PAUSE_MS = 5;

export interface AgentDoor {
  path: string;
  connections(): number;
  /** Why agents cannot come in right now, or null. */
  problem(): string | null;
  /** Withdraws what waits, answers it so, and ends. */
  close(): Promise<void>;
}

export interface AgentDoorOptions {
  path: string;
  line: AgentLine;
  turns: TurnReports;
  /** Of the program, told to `ping`. */
  version: string;
  /** One line; never a value of an argument. */
  log: (line: string) => void;
  limits?: Partial<DoorLimits>;
}

/** @throws UserError when the socket cannot be opened: `conflict`, `refused` or `unreadable` */
export async function openAgentDoor(options: AgentDoorOptions): Promise<AgentDoor> {
  const { path, line, turns, version, log } = options;
  const limits = { ...DOOR_LIMITS, ...options.limits };
  const clock = (): number => performance.now();
  const repeats = createRepeats({ clock, keepMs: limits.repeatMs, most: limits.repeats });
  const answer = createAgentMethods({ line, turns, repeats, version, log });
  const all = new Set<Connection>();
  const held = { bytes: 0 };
  let isClosed = false;

  const enter = (socket: Socket): void => {
    const closed = (): void => void all.delete(connection);
    const connection = serveConnection(socket, { limits, clock, held, answer, closed });
    const isFull = all.size >= limits.connections;
    all.add(connection);
    if (isFull) connection.fail({ code: RPC_ERRORS.busy, message: 'Too many agents are at this door. Try again.' });
  };

  await prepareSocketPlace(path, log);
  let server = await listen(path, enter, log);
  let inode = inodeOf(path);
  const isOurs = (): boolean => isPipeName(path) || (inode !== null && inodeOf(path) === inode);

  /** Somebody deleted the socket, or the folder: agents would find nobody. */
  const reopen = async (): Promise<void> => {
    const old = server;
    await prepareSocketPlace(path, log);
    // Closed only once nothing lies at the path: closing takes away whatever does.
    old.close();
    const fresh = await listen(path, enter, log);
    if (isClosed) {
      fresh.close();
      return;
    }
    server = fresh;
    inode = inodeOf(path);
    log(`${path} was deleted: the agent door is open again.`);
  };

  let reopening = false;
  let problem: string | null = null;
  const sweep = setInterval(() => {
    const now = clock();
    for (const connection of all) connection.sweep(now);
    if (isClosed || reopening || isOurs()) return;
    reopening = true;
    reopen()
      .then(() => {
        problem = null;
      })
      .catch((error: unknown) => {
        problem = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        reopening = false;
      });
  }, limits.sweepMs).unref();

  return {
    path,
    connections: () => all.size,
    problem: () => (isOurs() ? null : (problem ?? `The socket ${path} is gone; it is made again in a moment.`)),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      // Closing takes away what lies at the path, and that may be another engine's.
      const ended = isOurs() ? new Promise((done) => server.close(done)) : server.unref();
      for (const connection of all) connection.finish();
      for (const until = clock() + CLOSE_MS; all.size > 0 && clock() < until; ) await sleep(PAUSE_MS);
      for (const connection of all) connection.destroy();
      await ended;
      clearInterval(sweep);
    },
  };
}

function inodeOf(path: string): string | null {
  const found = isPipeName(path) ? null : lookAtSocket(path);
  return found?.isSocket() ? `${found.dev}:${found.ino}` : null;
}

async function listen(path: string, enter: (socket: Socket) => void, log: (line: string) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, enter);
  await new Promise<void>((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isLong = error.code === 'EINVAL' || error.code === 'ENAMETOOLONG';
      const cause = isLong ? 'its path is longer than a socket may have' : error.message;
      fail(new UserError('unreadable', `The socket ${path} cannot be opened: ${cause}.`, path, { cause: error }));
    });
    // The file is made within `listen`; between its making and a later chmod it would be open to others.
    const before = isPipeName(path) ? null : process.umask(0o177);
    try {
      server.listen({ path, backlog: BACKLOG }, done);
    } finally {
      if (before !== null) process.umask(before);
    }
  });
  server.on('error', (error) => log(`agent door: ${error.message}`));
  if (!isPipeName(path)) chmodSync(path, 0o600);
  return server;
}
