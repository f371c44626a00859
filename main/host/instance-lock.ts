/**
 * One engine per state folder (platform page, "Two hosts, one panel"). Who holds the operating system's lock
 * is the instance; `panel.lock` beside it only says how to reach it: its pid, a loopback port and a key that
 * the same user alone can read.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { holdProcessLock } from '../db/process-lock.ts';
import { UserError } from '../engine/errors.ts';

const ANSWER_LIMIT_MS = 2000;
const MAX_MESSAGE_CHARS = 4096;
/** A first instance needs a moment from its lock to its first answer, and may be busy. */
const PATIENCE_MS = 8000;
const PAUSE_MS = 100;

const noteSchema = z.object({ pid: z.number().int().positive(), port: z.number().int(), key: z.string().min(1) });
type Note = z.infer<typeof noteSchema>;

/** What the first instance tells one that came after it: a fresh link, or null when it has shown its window. */
const answerSchema = z.object({ url: z.string().nullable() });
export type ShowAnswer = z.infer<typeof answerSchema>;

export type InstanceLock =
  | {
      held: true;
      /** Says what to do when another start asks; until then it waits. */
      onShow(show: () => ShowAnswer): void;
      release(): Promise<void>;
    }
  | { held: false; pid: number; answer: ShowAnswer };

/**
 * Takes the lock, or hands the request over to whoever has it.
 *
 * @param lockFile `Paths.lockFile`; its folder is made when it is not there
 * @throws UserError `conflict` when the other instance does not answer, `unreadable` and the like when nothing
 * can be locked in that folder
 */
export async function takeInstanceLock(lockFile: string, patienceMs = PATIENCE_MS): Promise<InstanceLock> {
  const started = performance.now();
  do {
    const letGo = holdProcessLock(`${lockFile}.db`);
    if (letGo !== null) return hold(lockFile, letGo);
    const note = readNote(lockFile);
    const answer = note === null ? null : await askToShow(note);
    if (note !== null && answer !== null) return { held: false, pid: note.pid, answer };
    await sleep(PAUSE_MS);
  } while (performance.now() - started < patienceMs);
  const pid = readNote(lockFile)?.pid;
  const who = pid === undefined ? 'Another panel' : `Another panel (process ${pid})`;
  throw new UserError('conflict', `${who} is running and does not answer. End it, then start again.`, lockFile);
}

/**
 * As {@link takeInstanceLock}; a folder where nothing can be locked is told, and is no reason not to show
 * what can be read.
 *
 * @returns null when there is no lock
 * @throws UserError `conflict` alone
 */
export async function tryInstanceLock(lockFile: string, warn: (line: string) => void): Promise<InstanceLock | null> {
  try {
    return await takeInstanceLock(lockFile);
  } catch (error) {
    if (error instanceof UserError && error.code === 'conflict') throw error;
    warn(`A second panel cannot be kept out: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

async function hold(lockFile: string, letGo: () => void): Promise<InstanceLock> {
  const key = randomBytes(32).toString('base64url');
  let tell: (show: () => ShowAnswer) => void = () => undefined;
  const show = new Promise<() => ShowAnswer>((resolve) => {
    tell = resolve;
  });
  const server = createServer((socket) => serve(socket, key, show));
  try {
    const port = await listen(server);
    writeNote(lockFile, { pid: process.pid, port, key });
  } catch (error) {
    server.close();
    letGo();
    throw error;
  }
  return {
    held: true,
    onShow: tell,
    release: async () => {
      // First the note, then the lock: whoever gets the lock next writes its own.
      rmSync(lockFile, { force: true });
      await new Promise((done) => server.close(done));
      letGo();
    },
  };
}

function serve(socket: Socket, key: string, show: Promise<() => ShowAnswer>): void {
  let text = '';
  socket.setEncoding('utf8').setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (part: string) => {
    text += part;
    if (text.length > MAX_MESSAGE_CHARS) socket.destroy();
    if (!text.includes('\n')) return;
    if (!isKey(text.trimEnd(), key)) socket.destroy();
    else show.then((answer) => socket.end(`${JSON.stringify(answer())}\n`)).catch(() => socket.destroy());
  });
}

function isKey(given: string, key: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(key)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function listen(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    // It keeps nothing alive: the host does.
    server.unref().listen({ host: '127.0.0.1', port: 0 }, () => done((server.address() as AddressInfo).port));
  });
}

/** @returns null when nobody answers as an instance would */
function askToShow({ port, key }: Note): Promise<ShowAnswer | null> {
  return new Promise((done) => {
    let text = '';
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(`${key}\n`));
    const give = (): void => {
      socket.destroy();
      done(parsed(answerSchema, text));
    };
    socket.setEncoding('utf8').setTimeout(ANSWER_LIMIT_MS, give);
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > MAX_MESSAGE_CHARS) give();
    });
    socket.on('close', give).on('error', give);
  });
}

function parsed<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function readNote(lockFile: string): Note | null {
  try {
    return parsed(noteSchema, readFileSync(lockFile, 'utf8'));
  } catch {
    return null;
  }
}

function writeNote(lockFile: string, note: Note): void {
  mkdirSync(dirname(lockFile), { recursive: true, mode: 0o700 });
  const draft = `${lockFile}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(draft, lockFile);
}
