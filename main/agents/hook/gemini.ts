import {
  expectEvent,
  folderOf,
  type HookCall,
  type HookClient,
  HookInputError,
  isObject,
  jsonOutput,
  textOrNull,
  toolInput,
  toolName,
} from './client.ts';
import { GEMINI_TOOLS } from './gemini-tools.ts';
import { mcpStep, mcpToolOf } from './mcp-tools.ts';
import { type ToolInput, type ToolStep, unknownTool } from './tool-step.ts';

/** The client gives its safety checker 5 s. */
const CHECKER_LIMIT_S = 4;
const CHECKER_VERSION = '1.0.0';

/** Gemini CLI's `BeforeTool` hook, and its external safety checker (agents page, "Gemini CLI"). */
export const GEMINI: HookClient = {
  name: 'gemini',
  title: 'Gemini CLI',
  read: (message) => (isChecker(message) ? readChecker(message) : readHook(message)),
  canAsk: isChecker,
  say: ({ kind, reason }) => {
    switch (kind) {
      case 'allow':
        return jsonOutput({ decision: 'allow' });
      case 'deny':
        return jsonOutput({ decision: 'deny', reason });
      case 'ask':
        return jsonOutput({ decision: 'ask_user', reason });
      default:
        return kind satisfies never;
    }
  },
};

function isChecker(message: Record<string, unknown>): boolean {
  return Object.hasOwn(message, 'protocolVersion');
}

function readHook(message: Record<string, unknown>): HookCall {
  expectEvent(message, 'BeforeTool');
  const tool = toolName(message.tool_name, 'tool_name');
  const input = toolInput(message.tool_input, 'tool_input');
  const step = stepOf(tool, input, folderOf(message.cwd), message.mcp_context);
  return { tool, step, callId: null, turnId: textOrNull(message.session_id), limitS: null };
}

function readChecker(message: Record<string, unknown>): HookCall {
  if (message.protocolVersion !== CHECKER_VERSION) throw new HookInputError('protocolVersion is not known');
  const { toolCall, context } = message;
  if (!isObject(toolCall)) throw new HookInputError('toolCall is missing');
  const tool = toolName(toolCall.name, 'toolCall.name');
  const input = toolInput(toolCall.args, 'toolCall.args');
  const environment = isObject(context) && isObject(context.environment) ? context.environment : {};
  const step = stepOf(tool, input, folderOf(environment.cwd), undefined);
  return { tool, step, callId: null, turnId: null, limitS: CHECKER_LIMIT_S };
}

/** A server's tool may have the name of one of the client's own, so where it comes from counts first. */
function stepOf(tool: string, input: ToolInput, cwd: string, mcp: unknown): ToolStep {
  if (isObject(mcp)) {
    const own = textOrNull(mcp.tool_name);
    return own === null ? unknownTool(tool, input, cwd) : mcpStep(own, tool, input, cwd);
  }
  const named = mcpToolOf(tool);
  if (named !== null) return mcpStep(named, tool, input, cwd);
  return GEMINI_TOOLS.get(tool)?.(input, cwd) ?? unknownTool(tool, input, cwd);
}
