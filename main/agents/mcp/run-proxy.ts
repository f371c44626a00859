import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { askDecision, askDoor } from '../client.ts';
import { createLineBuffer } from '../line-buffer.ts';
import { createKnownTools } from './known-tools.ts';
import { createMcpProxy } from './proxy.ts';

/** Below the life of a card, 10 minutes. */
const WAIT_S = 570;
const MOST_LINE_BYTES = 64 * 1024 * 1024;
/** A server whose input ended may take so long to end, ms. */
const GRACE_MS = 2000;
const CANCEL_MS = 1000;
/** Programs that start another one. */
const STARTERS = new Set([
  'npx',
  'npm',
  'node',
  'bun',
  'bunx',
  'deno',
  'uvx',
  'uv',
  'python',
  'python3',
  'docker',
  'pnpm',
]);
const STARTER_WORDS = new Set(['run', 'exec', 'dlx', 'tool', 'x']);

/** A name for the server behind a command line: the first word that is no starter and no option. */
export function serverNameOf(command: readonly string[]): string {
  const [program = '', ...words] = command;
  const isStarter = STARTERS.has(basename(program).replace(/\.(exe|cmd)$/i, ''));
  const word = isStarter ? words.find((each) => !each.startsWith('-') && !STARTER_WORDS.has(each)) : program;
  const parts = (word ?? program)
    .split(/[\\/]/)
    .filter((part) => !/^(dist|build|src|bin|index\.[cm]?[jt]s)$/.test(part));
  const name = (parts.at(-1) ?? '').replace(/(?<=.)@.*$/, '').replace(/\.[a-z]+$/i, '');
  return name.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || 'server';
}

/**
 * Starts the server and stands before it until one of both ends.
 *
 * @param options.command the server's command line
 * @param options.name of the server; absent: made of its command line
 * @returns the exit code of the server, or 1 when it could not be started
 */
export async function runMcpProxy(options: {
  command: readonly string[];
  name?: string;
  waitS?: number;
  socketPath: string;
  stateDir: string;
  stdin: Readable;
  stdout: Writable;
  log: (line: string) => void;
}): Promise<number> {
  const { command, socketPath: path, stateDir, stdin, stdout, log, waitS = WAIT_S } = options;
  const [program = '', ...args] = command;
  const server = options.name ?? serverNameOf(command);
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    await once(child, 'spawn');
  } catch (error) {
    log(`The server could not be started: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
  const proxy = createMcpProxy({
    server,
    senderId: userInfo().username,
    cwd: process.cwd(),
    waitS,
    known: createKnownTools({ path: join(stateDir, 'mcp-tools.json'), server: command.join(' '), log }),
    ask: (request, given) => askDecision(request, { path, ...given }),
    withdraw: (token) => askDoor('cancel', { id: token }, { path, timeoutMs: CANCEL_MS }),
    toServer: writerTo(child.stdin, stdin),
    toClient: writerTo(stdout, child.stdout),
    log,
  });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  // Whoever has left reads no answer, and waits for none.
  const end = (): void => {
    proxy.close();
    child.stdin.end();
    setTimeout(() => child.kill(), GRACE_MS).unref();
  };
  child.stdin.on('error', () => undefined);
  stdout.on('error', end);
  splitLines(stdin, proxy.fromClient, () => {
    log(`A message has more than ${MOST_LINE_BYTES} bytes: the connection ends.`);
    end();
  });
  stdin.on('end', end);
  splitLines(child.stdout, proxy.fromServer, () => {
    log(`The server sent a message of more than ${MOST_LINE_BYTES} bytes: the connection ends.`);
    end();
  });
  const code = await closed(child);
  proxy.close();
  for (const signal of signals) process.off(signal, stop);
  stdin.destroy();
  return code;
}

async function closed(child: ChildProcess): Promise<number> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** Writes a line; a reader that is slow holds the other side up, not our memory. */
function writerTo(to: Writable, from: Readable): (line: string | Uint8Array) => void {
  return (line) => {
    if (!to.writable) return;
    to.write(line);
    if (to.write('\n') || from.isPaused()) return;
    from.pause();
    to.once('drain', () => from.resume());
  };
}

function splitLines(from: Readable, take: (line: Buffer) => void, tooLarge: () => void): void {
  const buffer = createLineBuffer(MOST_LINE_BYTES);
  let isOver = false;
  from.on('data', (piece: Buffer) => {
    if (isOver) return;
    const { lines, tooLarge: isTooLarge } = buffer.push(piece);
    for (const line of lines) take(line);
    if (!isTooLarge) return;
    isOver = true;
    tooLarge();
  });
}
