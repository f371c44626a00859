/**
 * JSON-RPC 2.0, one message a line: reading and writing, without a socket. What is read is only known to be a
 * request; whether its method exists and its params fit is for whoever answers it.
 */
import { isUtf8 } from 'node:buffer';

export type RpcId = string | number | null;

/** Codes below -32000 are JSON-RPC's own. */
export const RPC_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  tooLarge: -32001,
  tooSlow: -32002,
  busy: -32003,
  conflict: -32004,
} as const;

export interface RpcError {
  code: (typeof RPC_ERRORS)[keyof typeof RPC_ERRORS];
  message: string;
}

/** `id` undefined: a notification, which gets no answer. */
export interface RpcCall {
  id: RpcId | undefined;
  method: string;
  params: unknown;
}

/** A message that is no request; null for an `id` that cannot be read. */
export interface RpcFault {
  id: RpcId;
  error: RpcError;
}

export type RpcItem = RpcCall | RpcFault;
/** `blank`: nothing but white space. A batch holds at least one item. */
export type RpcMessage = { kind: 'blank' } | { kind: 'single'; item: RpcItem } | { kind: 'batch'; items: RpcItem[] };

const MAX_ID_CHARS = 200;

export function isFault(item: RpcItem): item is RpcFault {
  return 'error' in item;
}

function fault(code: RpcError['code'], message: string, id: RpcId = null): RpcFault {
  return { id, error: { code, message } };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' ? value.length <= MAX_ID_CHARS : typeof value === 'number' && Number.isFinite(value);
}

function itemOf(value: unknown): RpcItem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault(RPC_ERRORS.invalidRequest, 'A request is an object.');
  }
  const { jsonrpc, id, method, params } = value as Record<string, unknown>;
  const hasId = Object.hasOwn(value, 'id');
  if (hasId && !isId(id)) {
    return fault(RPC_ERRORS.invalidRequest, `id is a number or a text of at most ${MAX_ID_CHARS} characters.`);
  }
  const known = hasId ? (id as RpcId) : null;
  if (jsonrpc !== '2.0') return fault(RPC_ERRORS.invalidRequest, 'jsonrpc is not "2.0".', known);
  if (typeof method !== 'string') return fault(RPC_ERRORS.invalidRequest, 'method is not a text.', known);
  return { id: hasId ? (id as RpcId) : undefined, method, params };
}

/**
 * Reads one line. Never throws.
 *
 * @param line without its newline
 * @param maxBatch a longer batch is one fault
 */
export function readMessage(line: Buffer, maxBatch: number): RpcMessage {
  const single = (item: RpcItem): RpcMessage => ({ kind: 'single', item });
  if (!isUtf8(line)) return single(fault(RPC_ERRORS.parse, 'The line is not UTF-8.'));
  const text = line.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (text.trim() === '') return { kind: 'blank' };
    // The parser's own message quotes the text.
    return single(fault(RPC_ERRORS.parse, 'The line is no JSON.'));
  }
  if (!Array.isArray(value)) return single(itemOf(value));
  if (value.length === 0) return single(fault(RPC_ERRORS.invalidRequest, 'The batch is empty.'));
  if (value.length > maxBatch) {
    return single(fault(RPC_ERRORS.invalidRequest, `A batch holds at most ${maxBatch} requests.`));
  }
  return { kind: 'batch', items: value.map(itemOf) };
}

export function resultText(id: RpcId, result: unknown): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`;
}

export function errorText(id: RpcId, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

export function notificationText(method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}
