/**
 * Stands between an MCP client and one server over stdio (agents page, "MCP"): every `tools/call` passes the line, all
 * else passes untouched. It looks at messages alone, so that both eras of the protocol go through it. What was judged
 * is what the server gets.
 */
import { isUtf8 } from 'node:buffer';
import type { DecideAnswer, DecideRequest } from '../../../shared/domain/decision.ts';
import { type Asked, mayRun } from '../client.ts';
import { mcpStep } from '../hook/mcp-tools.ts';
import { targeted } from '../hook/request.ts';
import { type ToolStep, unknownTool } from '../hook/tool-step.ts';
import { refusalText } from '../refusal-text.ts';
import type { KnownTools } from './known-tools.ts';
import {
  errorLine,
  isId,
  isRecord,
  type Message,
  type MessageId,
  progressLine,
  progressTokenOf,
  refusalLine,
} from './messages.ts';

export const MCP_CHANNEL = 'mcp';
const CALL = 'tools/call';
/** Any of these could make another reader see a call where we see none. */
const MAYBE_CALL = /tools\\?\/call|\\u00/i;
const PROGRESS_MS = 5000;
const MESSAGE_KEYS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];
const CALL_KEYS = ['name', 'arguments', 'inputResponses', 'requestState', 'task', '_meta'];

export interface ProxyDeps {
  /** Of the server, for the executor's name and the person. */
  server: string;
  senderId: string;
  /** Where the server runs, absolute. */
  cwd: string;
  /** Seconds to hold a call while a person decides. */
  waitS: number;
  known: KnownTools;
  /** As `askDecision` over the agent door. */
  ask(request: DecideRequest, options: { signal: AbortSignal; onPending: () => void }): Promise<Asked<DecideAnswer>>;
  /** Withdraws a card that nobody waits for any more. */
  withdraw(token: string): Promise<unknown>;
  /** One line, without its line feed. */
  toServer(line: string | Uint8Array): void;
  toClient(line: string | Uint8Array): void;
  /** One line for a person; never a value of an argument. */
  log(line: string): void;
  progressMs?: number;
}

export interface McpProxy {
  fromClient(line: Buffer): void;
  fromServer(line: Buffer): void;
  /** Withdraws what waits. */
  close(): void;
}

export function createMcpProxy(deps: ProxyDeps): McpProxy {
  const { server, senderId, cwd, waitS, known, ask, withdraw, toServer, toClient, log } = deps;
  const { progressMs = PROGRESS_MS } = deps;
  /** Calls that are not decided yet. */
  const open = new Map<MessageId, AbortController>();
  /** Requests for the list of tools whose answer is to come. */
  const listing = new Set<MessageId>();

  const decide = async (message: Message, id: MessageId, left: AbortController): Promise<void> => {
    const { params } = message;
    const { name, arguments: input = {}, inputResponses } = params as Record<string, unknown>;
    const tool = name as string;
    const executor = `mcp__${server}__${tool}`;
    const hasChanged = known.hasChanged(tool);
    const given = input as Record<string, unknown>;
    // What a person or a model has answered to the server's questions is part of what the tool gets.
    const args = inputResponses === undefined ? given : { ...given, inputResponses };
    const step: ToolStep = hasChanged ? unknownTool(executor, args, cwd) : mcpStep(tool, executor, args, cwd);
    const stopTelling = new AbortController();
    const asked = await ask(
      {
        channel: MCP_CHANNEL,
        sender_id: senderId,
        intent: hasChanged ? `MCP ${executor}: its definition has changed since it was first seen` : `MCP: ${executor}`,
        executor,
        ...targeted(step),
        capability: step.capability,
        context: { mode: 'mcp', capability: step.capability, cwd: step.cwd },
        wait_s: waitS,
      },
      { signal: left.signal, onPending: () => tell(params, stopTelling.signal) },
    ).finally(() => stopTelling.abort());
    // A cancelled call gets no answer.
    if (left.signal.aborted) return;
    open.delete(id);
    if (!asked.ok) {
      toClient(refusalLine(id, `Vaglio: ${asked.failure.message} The call is denied.`, params));
      return;
    }
    const { decision, approval } = asked.value;
    if (mayRun(decision)) {
      if (hasChanged && decision === 'approved') known.accept(tool);
      toServer(JSON.stringify(message));
      return;
    }
    if (decision === 'approval_required') {
      if (approval !== undefined) await withdraw(approval.token);
      const text = `Vaglio: nobody decided about this call within ${waitS} s, so it is denied. It may be asked again.`;
      toClient(refusalLine(id, text, params));
      return;
    }
    toClient(refusalLine(id, refusalText(asked.value), params));
  };

  /** Tells a client that asked for it, again and again, that a person is asked. */
  const tell = (params: unknown, until: AbortSignal): void => {
    const token = progressTokenOf(params);
    if (token === null) return;
    let progress = 0;
    const say = (): void => toClient(progressLine(token, ++progress, 'A person is asked about this call.'));
    say();
    const timer = setInterval(say, progressMs).unref();
    until.addEventListener('abort', () => clearInterval(timer), { once: true });
  };

  const call = (message: Message): void => {
    const { id, params } = message;
    if (!Object.hasOwn(message, 'id')) {
      log('A call without an id was dropped: it could not be answered.');
      return;
    }
    const fits = isRecord(params) && typeof params.name === 'string' && params.name !== '';
    const isInput = fits && (params.arguments === undefined || isRecord(params.arguments));
    if (!isId(id) || !isInput) {
      toClient(errorLine(id, -32602, 'This is no call of a tool: it needs an id, a name, and arguments as an object.'));
      return;
    }
    if (open.has(id)) {
      toClient(errorLine(id, -32600, 'A call with this id is not answered yet.'));
      return;
    }
    const left = new AbortController();
    open.set(id, left);
    decide(message, id, left).catch((error: unknown) => {
      open.delete(id);
      log(`The proxy failed at a call: ${error instanceof Error ? error.name : 'an error'}.`);
      if (!left.signal.aborted) toClient(refusalLine(id, 'Vaglio: the proxy failed, so the call is denied.', params));
    });
  };

  const one = (message: unknown, line: string | Uint8Array): void => {
    if (!isRecord(message)) {
      toClient(errorLine(null, -32600, 'A message is an object.'));
      return;
    }
    const { method, id, params } = message as Message;
    if (hasDouble(message, MESSAGE_KEYS) || (method === CALL && isRecord(params) && hasDouble(params, CALL_KEYS))) {
      const text = 'A key differs from one of the protocol by its case alone: the server could read another message.';
      if (Object.hasOwn(message, 'id')) toClient(errorLine(id, -32600, text));
      else log(`A message was dropped. ${text}`);
      return;
    }
    if (method === CALL) {
      call(message);
      return;
    }
    if (method === 'tools/list' && isId(id)) listing.add(id);
    if (method === 'notifications/cancelled' && isRecord(params) && isId(params.requestId)) {
      const left = open.get(params.requestId);
      if (left !== undefined) {
        // The server has not heard of the call.
        open.delete(params.requestId);
        left.abort();
        return;
      }
    }
    toServer(line);
  };

  return {
    fromClient: (line) => {
      if (!isUtf8(line)) {
        toClient(errorLine(null, -32700, 'The line is not UTF-8.'));
        return;
      }
      const text = line.toString('utf8');
      if (text.trim() === '') return;
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        toClient(errorLine(null, -32700, 'The line is no JSON.'));
        return;
      }
      if (Array.isArray(message)) {
        for (const item of message) one(item, JSON.stringify(item));
        return;
      }
      one(message, MAYBE_CALL.test(text) ? JSON.stringify(message) : line);
    },
    fromServer: (line) => {
      if (listing.size > 0) lookAtList(line, listing, known);
      toClient(line);
    },
    close: () => {
      for (const left of open.values()) left.abort();
      open.clear();
    },
  };
}

/** Some servers read keys without their case (`Method`, `param\u017f`): what was judged would not be what they run. */
function hasDouble(record: Record<string, unknown>, known: readonly string[]): boolean {
  const folded = (key: string): string => key.toUpperCase().toLowerCase();
  return Object.keys(record).some((key) => !known.includes(key) && known.some((one) => folded(one) === folded(key)));
}

/** Whether the line answers a question for the tools; then they are looked at. */
function lookAtList(line: Buffer, listing: Set<MessageId>, known: KnownTools): void {
  let message: unknown;
  try {
    message = JSON.parse(line.toString('utf8'));
  } catch {
    return;
  }
  for (const item of Array.isArray(message) ? message : [message]) {
    if (!isRecord(item) || !isId(item.id) || item.method !== undefined || !listing.delete(item.id)) continue;
    if (isRecord(item.result) && Array.isArray(item.result.tools)) known.seen(item.result.tools);
  }
}
