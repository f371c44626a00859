import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server does with one request. */
export type Play = (response: ServerResponse, request: { api: 'openai' | 'anthropic' }) => void;

export interface HeardRequest {
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Everything that came over the wire, as one text. */
  bytes: string;
}

export interface ModelServer {
  /** With `/v1` at its end, as both APIs have it. */
  url: string;
  heard: HeardRequest[];
  play: Play;
  /** Resolves when a client went away before it had its whole answer. */
  clientLeft: Promise<void>;
  close(): Promise<void>;
}

function bodyOf(api: 'openai' | 'anthropic', text: string): unknown {
  if (api === 'openai') {
    const message = { role: 'assistant', content: text };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message, finish_reason: 'stop' }];
    return { id: 'c1', object: 'chat.completion', created: 1, model: 'm', choices, usage };
  }
  const usage = { input_tokens: 1, output_tokens: 1 };
  const content = [{ type: 'text', text }];
  return { id: 'm1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', usage };
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Answers with `text` as the model's words. */
export function says(text: string): Play {
  return (response, { api }) => void response.writeHead(200, JSON_TYPE).end(JSON.stringify(bodyOf(api, text)));
}

/** Answers with a status and, in every field that APIs have for it, a message. */
export function fails(status: number, message = 'no'): Play {
  const body = { type: 'error', error: { type: 'api_error', message, code: null } };
  return (response) => void response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
}

export const hangs: Play = () => undefined;
export const closesTheSocket: Play = (response) => void response.socket?.destroy();
export const breaksOff: Play = (response) => {
  response.writeHead(200, { ...JSON_TYPE, 'content-length': '500' }).write('{"id": ', () => response.socket?.destroy());
};
export const speaksNoJson: Play = (response) => void response.writeHead(200, JSON_TYPE).end('<html>welcome</html>');
export const answersOtherJson: Play = (response) => void response.writeHead(200, JSON_TYPE).end('{"hello": 1}');
export const isEmpty: Play = (response) => void response.writeHead(200, JSON_TYPE).end();

/** Whole-looking beginnings, then a space every few milliseconds, for ever. */
export const drips: Play = (response) => {
  response.writeHead(200, JSON_TYPE).write('{');
  const timer = setInterval(() => response.write(' '), 5);
  response.on('close', () => clearInterval(timer));
};

/** A valid answer, if anybody read it to its end. */
export function floods(bytes: number): Play {
  return (response, { api }) => {
    const text = JSON.stringify(bodyOf(api, '{"score": 0.9, "reason": "big"}'));
    response.writeHead(200, JSON_TYPE).write(' '.repeat(bytes));
    response.end(text);
  };
}

/** A model's API on a free loopback port. */
export async function startModelServer(): Promise<ModelServer> {
  let left: () => void = () => undefined;
  const clientLeft = new Promise<void>((resolve) => {
    left = resolve;
  });
  const model: ModelServer = { url: '', heard: [], play: hangs, clientLeft, close: async () => undefined };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('latin1');
      const url = request.url ?? '';
      const bytes = `${request.method} ${url}\n${request.rawHeaders.join('\n')}\n\n${body}`;
      model.heard.push({ url, headers: request.headers, body, bytes });
      response.on('close', () => {
        if (!response.writableFinished) left();
      });
      model.play(response, { api: url.endsWith('/messages') ? 'anthropic' : 'openai' });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  model.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  model.close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return model;
}
