import type { Socket } from 'node:net';
import type { AnswerAgent, Answered } from './agent-methods.ts';
import {
  errorText,
  isFault,
  notificationText,
  RPC_ERRORS,
  type RpcCall,
  type RpcError,
  type RpcItem,
  readMessage,
  resultText,
} from './json-rpc.ts';
import type { DoorLimits } from './limits.ts';
import { createLineBuffer } from './line-buffer.ts';

/** A client that was told why may still be writing; this long it is listened to, ms. */
const PARTING_MS = 2000;
/** Methods that do something without anybody hearing of it. */
const WITHOUT_ANSWER = new Set(['cancel', 'turn.step', 'turn.end']);

/** One agent at the door. */
export interface Connection {
  /** Looks at the times. @param now as the door's clock */
  sweep(now: number): void;
  /** Says why, then ends; what it waits for is withdrawn. */
  fail(error: RpcError): void;
  /** Withdraws what it waits for, and ends when all is answered. */
  finish(): void;
  destroy(): void;
}

/**
 * @param deps.clock monotonic, ms
 * @param deps.held bytes of unfinished requests, all connections together
 */
export function serveConnection(
  socket: Socket,
  deps: { limits: DoorLimits; clock: () => number; held: { bytes: number }; answer: AnswerAgent; closed: () => void },
): Connection {
  const { limits, clock, held, answer, closed } = deps;
  const lines = createLineBuffer(limits.lineBytes);
  const left = new AbortController();
  let unanswered = 0;
  let isEnding = false;
  let partBy: number | null = null;
  let lineSince = 0;
  let heardAt = clock();
  let unsentSince: number | null = null;
  let heldHere = 0;

  const account = (): void => {
    held.bytes += lines.held() - heldHere;
    heldHere = lines.held();
  };

  const send = (text: string): void => {
    if (!socket.writable) return;
    const isTaken = socket.write(`${text}\n`);
    // Nothing else may pause it: only a socket that is read tells that its agent has left. This one has bytes to send.
    if (!isTaken && socket.writableLength > limits.unsentBytes) socket.pause();
  };

  const part = (): void => {
    left.abort();
    if (partBy !== null) return;
    partBy = clock() + PARTING_MS;
    socket.end();
    socket.resume();
  };

  const fail = (error: RpcError): void => {
    if (partBy !== null) return;
    lines.rest();
    account();
    send(errorText(null, error));
    part();
  };

  const finish = (): void => {
    isEnding = true;
    left.abort();
    if (unanswered === 0) part();
  };

  const textOf = (call: RpcCall): string | null | Promise<string | null> => {
    const { id, method, params } = call;
    if (id === undefined && !WITHOUT_ANSWER.has(method)) {
      const message = 'The request has no id, so it could not be answered.';
      return errorText(null, { code: RPC_ERRORS.invalidRequest, message });
    }
    const onPending = (approval: { token: string; expires_at: string }): void =>
      send(notificationText('approval.pending', { id, approval }));
    const write = (answered: Answered): string | null => {
      if (id === undefined) return null;
      return 'error' in answered ? errorText(id, answered.error) : resultText(id, answered.result);
    };
    const answered = answer(method, params, { signal: left.signal, onPending });
    return answered instanceof Promise ? answered.then(write) : write(answered);
  };

  const itemText = (item: RpcItem): string | null | Promise<string | null> =>
    isFault(item) ? errorText(item.id, item.error) : textOf(item);

  const settle = (text: string | null): void => {
    unanswered--;
    if (text !== null && partBy === null) send(text);
    if (isEnding && unanswered === 0) part();
  };
  const settleFault = (): void =>
    settle(errorText(null, { code: RPC_ERRORS.internal, message: 'The answer cannot be written as JSON.' }));

  const handle = (line: Buffer): void => {
    const message = readMessage(line, limits.batch);
    if (message.kind === 'blank') return;
    if (unanswered >= limits.inFlight) {
      const id = message.kind === 'single' ? (message.item.id ?? null) : null;
      const text = `This connection has ${unanswered} unanswered requests, the most there may be.`;
      send(errorText(id, { code: RPC_ERRORS.busy, message: text }));
      return;
    }
    unanswered++;
    try {
      if (message.kind === 'single') {
        const text = itemText(message.item);
        if (text instanceof Promise) text.then(settle, settleFault);
        else settle(text);
      } else {
        const texts = Promise.all(message.items.map(itemText)).then((all) => all.filter((text) => text !== null));
        texts.then((some) => settle(some.length === 0 ? null : `[${some.join(',')}]`), settleFault);
      }
    } catch {
      settleFault();
    }
  };

  const tooLarge = (): RpcError => ({
    code: RPC_ERRORS.tooLarge,
    message: `A request has at most ${limits.lineBytes} bytes.`,
  });

  socket.on('data', (piece: Buffer) => {
    if (partBy !== null || isEnding) return;
    heardAt = clock();
    const { lines: complete, tooLarge: isTooLarge } = lines.push(piece);
    if (heldHere === 0 || complete.length > 0) lineSince = heardAt;
    // What is answered at once goes out in one piece.
    if (complete.length > 1) socket.cork();
    for (const line of complete) handle(line);
    if (complete.length > 1) socket.uncork();
    if (isTooLarge) return fail(tooLarge());
    account();
    if (held.bytes <= limits.heldBytes) return;
    fail({ code: RPC_ERRORS.busy, message: 'Too many unfinished requests wait at this door. Try again.' });
  });
  socket.on('end', () => {
    if (partBy === null && lines.rest().toString('latin1').trim() !== '') {
      send(errorText(null, { code: RPC_ERRORS.parse, message: 'The last request has no newline at its end.' }));
    }
    account();
    finish();
  });
  socket.on('drain', () => socket.resume());
  // An agent may die at any time; 'close' follows.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    left.abort();
    lines.rest();
    account();
    closed();
  });

  return {
    sweep: (now) => {
      if (partBy !== null) {
        if (now >= partBy) socket.destroy();
        return;
      }
      if (socket.writableLength === 0) unsentSince = null;
      else unsentSince ??= now;
      if (unsentSince !== null && now - unsentSince > limits.unsentMs) socket.destroy();
      else if (lines.held() > 0 && now - lineSince > limits.lineMs) {
        const message = `A request is sent within ${limits.lineMs / 1000} s.`;
        fail({ code: RPC_ERRORS.tooSlow, message });
      } else if (unanswered === 0 && lines.held() === 0 && now - heardAt > limits.idleMs) part();
    },
    fail,
    finish,
    destroy: () => socket.destroy(),
  };
}
