import { CLAUDE_CODE_TOOLS } from './claude-code-tools.ts';
import { expectEvent, folderOf, type HookClient, jsonOutput, textOrNull, toolInput, toolName } from './client.ts';
import { mcpStep, mcpToolOf } from './mcp-tools.ts';
import { type ToolInput, type ToolStep, unknownTool } from './tool-step.ts';

/** A call of Claude Code's `PreToolUse` hook (agents page, "Claude Code"). */
export const CLAUDE_CODE: HookClient = {
  name: 'claude-code',
  title: 'Claude Code',
  read: (message) => {
    expectEvent(message, 'PreToolUse');
    const tool = toolName(message.tool_name, 'tool_name');
    const input = toolInput(message.tool_input, 'tool_input');
    return {
      tool,
      step: stepOf(tool, input, folderOf(message.cwd)),
      callId: textOrNull(message.tool_use_id),
      turnId: textOrNull(message.session_id),
      limitS: null,
    };
  },
  canAsk: () => true,
  say: ({ kind, reason }) =>
    jsonOutput({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: kind,
        permissionDecisionReason: reason,
      },
    }),
};

function stepOf(tool: string, input: ToolInput, cwd: string): ToolStep {
  const mcp = mcpToolOf(tool);
  if (mcp !== null) return mcpStep(mcp, tool, input, cwd);
  return CLAUDE_CODE_TOOLS.get(tool)?.(input, cwd) ?? unknownTool(tool, input, cwd);
}
