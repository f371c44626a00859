import { createConnection, type Socket } from 'node:net';

/** A bare socket that speaks lines, so that a test can misbehave as no client of ours would. */
export interface RawAgent {
  socket: Socket;
  send(text: string): void;
  call(id: string | number, method: string, params?: unknown): void;
  /** The next line as JSON; rejects when the door ends first. */
  next(): Promise<Record<string, unknown>>;
  /** Resolves when the door has ended. */
  ended: Promise<void>;
}

export async function rawAgent(path: string): Promise<RawAgent> {
  const socket = createConnection(path);
  await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail));
  socket.setEncoding('utf8');
  const lines: string[] = [];
  let text = '';
  let isOver = false;
  let wake: () => void = () => undefined;
  socket.on('data', (piece: string) => {
    text += piece;
    const parts = text.split('\n');
    text = parts.pop() ?? '';
    lines.push(...parts);
    wake();
  });
  socket.on('error', () => undefined);
  const ended = new Promise<void>((done) => {
    const over = (): void => {
      isOver = true;
      wake();
      done();
    };
    socket.on('end', over).on('close', over);
  });
  return {
    socket,
    ended,
    send: (line) => void socket.write(line),
    call: (id, method, params) => void socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`),
    next: async () => {
      while (lines.length === 0) {
        if (isOver) throw new Error('the door ended without an answer');
        await new Promise<void>((done) => {
          wake = done;
        });
      }
      return JSON.parse(lines.shift() as string);
    },
  };
}
