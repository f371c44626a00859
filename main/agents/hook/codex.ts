import { expectEvent, folderOf, type HookClient, jsonOutput, textOrNull, toolInput, toolName } from './client.ts';
import { CODEX_TOOLS } from './codex-tools.ts';
import { mcpStep, mcpToolOf } from './mcp-tools.ts';
import { type ToolInput, type ToolStep, unknownTool } from './tool-step.ts';

/**
 * A call of Codex's `PreToolUse` hook (agents page, "Codex"). Anything but a denial with a reason lets the call run, so
 * to allow is to say nothing, and there is no way to ask.
 */
export const CODEX: HookClient = {
  name: 'codex',
  title: 'Codex',
  read: (message) => {
    expectEvent(message, 'PreToolUse');
    const tool = toolName(message.tool_name, 'tool_name');
    const given = message.tool_input;
    // Some tools have a bare text for their input.
    const input = typeof given === 'string' ? { input: given } : toolInput(given, 'tool_input');
    return {
      tool,
      step: stepOf(tool, input, folderOf(message.cwd)),
      callId: textOrNull(message.tool_use_id),
      turnId: textOrNull(message.turn_id) ?? textOrNull(message.session_id),
      limitS: null,
    };
  },
  canAsk: () => false,
  say: ({ kind, reason }) => {
    switch (kind) {
      case 'allow':
        return { stdout: '', stderr: '', exit: 0 };
      case 'deny':
      case 'ask':
        return jsonOutput({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: reason.trim() === '' ? 'Vaglio denied this call.' : reason,
          },
        });
      default:
        return kind satisfies never;
    }
  },
};

function stepOf(tool: string, input: ToolInput, cwd: string): ToolStep {
  const mcp = mcpToolOf(tool);
  if (mcp !== null) return mcpStep(mcp, tool, input, cwd);
  return CODEX_TOOLS.get(tool)?.(input, cwd) ?? unknownTool(tool, input, cwd);
}
