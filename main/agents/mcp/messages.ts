import type { CallToolResult, JSONRPCErrorResponse, ProgressNotification } from '@modelcontextprotocol/sdk/types.js';

export type MessageId = string | number;

/** One JSON-RPC message, as far as the proxy looks. */
export interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
}

/** Every request of the stateless era carries it (agents page, "MCP"). */
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id that comes back as it went. */
export function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** A refusal that the model can read and adapt to: a result, not an error of the protocol. */
export function refusalLine(id: MessageId, text: string, params: unknown): string {
  const result: CallToolResult = { content: [{ type: 'text', text }], isError: true };
  if (metaOf(params)[VERSION_KEY] !== undefined) result.resultType = 'complete';
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function errorLine(id: unknown, code: number, message: string): string {
  const error: JSONRPCErrorResponse['error'] = { code, message };
  return JSON.stringify({ jsonrpc: '2.0', id: isId(id) ? id : null, error });
}

export function progressLine(progressToken: MessageId, progress: number, message: string): string {
  const params: ProgressNotification['params'] = { progressToken, progress, message };
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params });
}

function metaOf(params: unknown): Record<string, unknown> {
  return isRecord(params) && isRecord(params._meta) ? params._meta : {};
}

/** The token with which a client asked to hear of progress. */
export function progressTokenOf(params: unknown): MessageId | null {
  const token = metaOf(params).progressToken;
  return isId(token) ? token : null;
}
