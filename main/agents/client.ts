/**
 * The agent's end of the door: one question, one connection (agents page). Loads nothing but Node's own, since a hook
 * starts it for every call. Nothing here throws or rejects: whatever goes wrong is a failure with a sentence, and a
 * caller turns every failure into a denial.
 */
import { lstatSync } from 'node:fs';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DecideAnswer, DecideRequest, DecisionKind } from '../../shared/domain/decision.ts';

/**
 * `not-running`: nobody answers there; `unsafe`: what lies there is not ours to trust; `timeout`: no answer in time;
 * `ended`: the engine went away before it answered; `bad-answer`: what came is no answer; `error`: the engine says
 * that it cannot answer; `left`: the caller gave up.
 */
export type FailureKind = 'not-running' | 'unsafe' | 'timeout' | 'ended' | 'bad-answer' | 'error' | 'left';

export interface AgentFailure {
  kind: FailureKind;
  /** A sentence or two for a person: what is wrong and what to do. */
  message: string;
}

export type Asked<T> = { ok: true; value: T } | { ok: false; failure: AgentFailure };

export interface AskOptions {
  /** Path of the agent door's socket. */
  path: string;
  /** ms, from the first try to connect to the whole answer. */
  timeoutMs: number;
  /** Its end leaves the door: a card is withdrawn. */
  signal?: AbortSignal;
  /** Told when a person is asked. */
  onPending?: (approval: { token: string; expires_at: string }) => void;
}

const DECISIONS: ReadonlySet<unknown> = new Set<DecisionKind>([
  'allowed',
  'approved',
  'denied',
  'rejected',
  'expired',
  'withdrawn',
  'approval_required',
]);
/** A decision that holds nobody up takes far less, even of a model. */
const DECIDE_MS = 60_000;
const MOST_ANSWER_CHARS = 64 * 1024 * 1024;
/** Connecting meets a full queue when very many agents come at once. */
const QUEUE_PAUSE_MS = 20;

const START_IT = 'Open the panel or run `vaglio serve`.';

function failure(kind: FailureKind, message: string): { ok: false; failure: AgentFailure } {
  return { ok: false, failure: { kind, message } };
}

/** Only these two mean that the call may run. */
export function mayRun(decision: DecisionKind): boolean {
  return decision === 'allowed' || decision === 'approved';
}

/**
 * Asks for a decision. An answer without a known decision is a failure.
 *
 * @param options.timeoutMs absent: what `wait_s` needs, and a minute
 */
export async function askDecision(
  request: DecideRequest,
  options: Omit<AskOptions, 'timeoutMs'> & { timeoutMs?: number },
): Promise<Asked<DecideAnswer>> {
  const waitMs = typeof request.wait_s === 'number' ? request.wait_s * 1000 : 0;
  const timeoutMs = options.timeoutMs ?? waitMs + DECIDE_MS;
  const asked = await askDoor('decide', request, { ...options, timeoutMs });
  if (!asked.ok) return asked;
  const answer = asked.value as Partial<DecideAnswer>;
  if (!DECISIONS.has(answer.decision) || typeof answer.reason !== 'string') {
    return failure('bad-answer', 'The engine answered without a decision.');
  }
  return { ok: true, value: answer as DecideAnswer };
}

/** Calls one method of the door; the value is an object of which nothing else was checked. */
export async function askDoor(method: string, params: unknown, options: AskOptions): Promise<Asked<object>> {
  let text: string;
  try {
    text = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`;
  } catch {
    return failure('error', 'The request cannot be written as JSON.');
  }
  const { path, timeoutMs, signal } = options;
  const unsafe = distrust(path);
  if (unsafe !== null) return unsafe;
  for (const until = performance.now() + timeoutMs; ; await sleep(QUEUE_PAUSE_MS)) {
    const left = until - performance.now();
    if (signal?.aborted) return failure('left', 'The caller gave up before there was an answer.');
    if (left <= 0) return failure('timeout', `The engine did not answer within ${timeoutMs / 1000} s.`);
    const asked = await once(text, { ...options, timeoutMs: left }, timeoutMs);
    if (asked !== 'queue-full') return asked;
  }
}

/** Whoever else could have put the socket there would answer what he likes. */
function distrust(path: string): { ok: false; failure: AgentFailure } | null {
  if (process.platform === 'win32') return null;
  try {
    const found = lstatSync(path);
    if (!found.isSocket()) return failure('unsafe', `${path} is no socket.`);
    if (found.uid !== process.getuid?.()) return failure('unsafe', `The socket ${path} belongs to another user.`);
    return null;
  } catch (error) {
    return unreachable(path, error);
  }
}

function unreachable(path: string, error: unknown): { ok: false; failure: AgentFailure } {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return failure('not-running', `The engine is not running: there is no ${path}. ${START_IT}`);
  }
  if (code === 'ECONNREFUSED') {
    return failure('not-running', `The engine is not running: nobody answers at ${path}. ${START_IT}`);
  }
  return failure('not-running', `The engine cannot be reached at ${path}: ${String(code ?? error)}.`);
}

function once(text: string, options: AskOptions, wholeMs: number): Promise<Asked<object> | 'queue-full'> {
  const { path, timeoutMs, signal, onPending } = options;
  return new Promise((done) => {
    let isIn = false;
    let got = '';
    const socket = createConnection(path);
    const give = (asked: Asked<object> | 'queue-full'): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      socket.removeAllListeners('close');
      socket.destroy();
      done(asked);
    };
    const leave = (): void => give(failure('left', 'The caller gave up before there was an answer.'));
    const timer = setTimeout(
      () => give(failure('timeout', `The engine did not answer within ${wholeMs / 1000} s.`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', leave);
    socket.setEncoding('utf8');
    socket.on('connect', () => {
      isIn = true;
      socket.write(text);
    });
    socket.on('data', (piece: string) => {
      got += piece;
      if (got.length > MOST_ANSWER_CHARS) return give(failure('bad-answer', 'The answer is too long.'));
      for (let end = got.indexOf('\n'); end >= 0; end = got.indexOf('\n')) {
        const asked = readLine(got.slice(0, end), onPending);
        got = got.slice(end + 1);
        if (asked !== null) return give(asked);
      }
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (isIn) return;
      give(error.code === 'EAGAIN' ? 'queue-full' : unreachable(path, error));
    });
    const ended = 'The engine went away before it answered.';
    socket.on('end', () => give(failure('ended', ended)));
    socket.on('close', () => give(failure('ended', ended)));
  });
}

/** @returns null for a message that is no answer to our question */
function readLine(line: string, onPending: AskOptions['onPending']): Asked<object> | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return failure('bad-answer', 'The engine answered with something that is no JSON.');
  }
  if (typeof message !== 'object' || message === null) return failure('bad-answer', 'The engine gave no answer.');
  const { id, method, params, result, error } = message as Record<string, unknown>;
  if (method === 'approval.pending') {
    const approval = (params as { approval?: { token: string; expires_at: string } } | undefined)?.approval;
    if (approval !== undefined) onPending?.(approval);
    return null;
  }
  if (error !== undefined) {
    const said = (error as { message?: unknown } | null)?.message;
    return failure('error', `The engine cannot answer: ${typeof said === 'string' ? said : 'it gives no reason.'}`);
  }
  if (id !== 1) return null;
  if (typeof result !== 'object' || result === null) return failure('bad-answer', 'The engine gave no answer.');
  return { ok: true, value: result };
}
