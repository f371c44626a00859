/**
 * One engine per state folder (platform page, "Two hosts, one panel"). Who holds the operating system's lock
 * is the instance; `panel.lock` beside it only says how to reach it: its pid, a loopback port and a key that
 * the same user alone can read.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { holdProcessLock } from '../db/process-lock.ts';
import { UserError } from '../engine/errors.ts';
import { makeFolder } from '../engine/make-folder.ts';

const ANSWER_LIMIT_MS = 2000;
const MAX_MESSAGE_CHARS = 4096;
/** A call of the operator carries its input, and its answer what was asked for. */
const MAX_CALL_CHARS = 16 * 1024 * 1024;
const CALL_LIMIT_MS = 30_000;
/** A first instance needs a moment from its lock to its first answer, and may be busy. */
const PATIENCE_MS = 8000;
const PAUSE_MS = 100;

const noteSchema = z.object({ pid: z.number().int().positive(), port: z.number().int(), key: z.string().min(1) });
type Note = z.infer<typeof noteSchema>;

/**
 * What the first instance tells one that came after it: a fresh link, or null when it has shown its window; `panel`
 * false when it has no panel to show.
 */
const answerSchema = z.object({ url: z.string().nullable(), panel: z.boolean().optional() });
export type ShowAnswer = z.infer<typeof answerSchema>;

/** Answers one call of the operator, who proved to be one by the key. Never rejects. */
export type AnswerCall = (request: unknown) => Promise<unknown>;

export type InstanceLock =
  | {
      held: true;
      /** Says what to do when another start asks; until then it waits. */
      onShow(show: () => ShowAnswer): void;
      /** Says who answers the command line of the operator; until then it waits. */
      onCall(answer: AnswerCall): void;
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
    const answer = note === null ? null : parsed(answerSchema, await ask(note, '', ANSWER_LIMIT_MS));
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
  let tellCalls: (answer: AnswerCall) => void = () => undefined;
  const calls = new Promise<AnswerCall>((resolve) => {
    tellCalls = resolve;
  });
  const server = createServer((socket) => serve(socket, key, show, calls));
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
    onCall: tellCalls,
    release: async () => {
      // First the note, then the lock: whoever gets the lock next writes its own.
      rmSync(lockFile, { force: true });
      await new Promise((done) => server.close(done));
      letGo();
    },
  };
}

/** One line comes, the key alone or the key and a call, and one line goes. */
function serve(socket: Socket, key: string, show: Promise<() => ShowAnswer>, calls: Promise<AnswerCall>): void {
  let text = '';
  socket.setEncoding('utf8').setTimeout(ANSWER_LIMIT_MS, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  const reply = (answer: Promise<unknown>): void => {
    answer.then((value) => socket.end(`${JSON.stringify(value)}\n`)).catch(() => socket.destroy());
  };
  socket.on('data', (part: string) => {
    text += part;
    // Before the key is known to be right, no more than a key is listened to.
    const isKnown = text.charAt(key.length) === ' ' && isKey(text.slice(0, key.length), key);
    const isTooLong = text.length > (isKnown ? MAX_CALL_CHARS : MAX_MESSAGE_CHARS);
    if (!part.includes('\n') && !isTooLong) return;
    socket.removeAllListeners('data').resume();
    if (isTooLong) {
      socket.destroy();
      return;
    }
    if (isKnown) {
      socket.setTimeout(CALL_LIMIT_MS);
      reply(calls.then((answer) => answer(JSON.parse(text.slice(key.length)))));
    } else if (isKey(text.trimEnd(), key)) reply(show.then((now) => now()));
    else socket.destroy();
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

/** @returns the one line of the answer; empty when nobody answers as an instance would */
function ask({ port, key }: Note, call: string, limitMs: number): Promise<string> {
  return new Promise((done) => {
    let text = '';
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.write(`${key}${call}\n`));
    const give = (): void => {
      socket.destroy();
      done(text);
    };
    socket.setEncoding('utf8').setTimeout(limitMs, give);
    socket.on('data', (part: string) => {
      text += part;
      if (text.length > MAX_CALL_CHARS) give();
    });
    socket.on('close', give).on('error', give);
  });
}

/**
 * What the command line of the operator works with: the engine that runs, or the files alone.
 *
 * - `ours`: no engine runs, and none can start before `release`
 * - `running`: `call` asks its engine; null when it went away or gave no answer
 */
export type Reached =
  | { kind: 'ours'; release(): void }
  | { kind: 'running'; pid: number; call(request: unknown): Promise<unknown> };

/**
 * Finds the engine of a state folder without bringing its window to the front.
 *
 * @throws UserError `conflict` when an engine runs that cannot be reached, `unreadable` and the like when nothing
 * can be locked in that folder
 */
export async function reachInstance(lockFile: string, patienceMs = PATIENCE_MS): Promise<Reached> {
  const started = performance.now();
  do {
    const letGo = holdProcessLock(`${lockFile}.db`);
    if (letGo !== null) return { kind: 'ours', release: letGo };
    const note = readNote(lockFile);
    if (note !== null) {
      const call = async (request: unknown): Promise<unknown> =>
        parsed(z.unknown(), await ask(note, ` ${JSON.stringify(request)}`, CALL_LIMIT_MS));
      return { kind: 'running', pid: note.pid, call };
    }
    await sleep(PAUSE_MS);
  } while (performance.now() - started < patienceMs);
  throw new UserError('conflict', 'An engine is running and cannot be reached. End it, then start again.', lockFile);
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
  makeFolder(dirname(lockFile));
  const draft = `${lockFile}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(draft, lockFile);
}
