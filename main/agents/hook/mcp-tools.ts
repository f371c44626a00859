import {
  keepsToItself,
  looksBelow,
  type ToolInput,
  type ToolStep,
  type ToolTable,
  touches,
  unknownTool,
} from './tool-step.ts';

/**
 * Tools of MCP servers by their own name (agents page, "MCP"): those of the reference filesystem server. Any other tool
 * is unknown. What a server says of its tools (annotations) is not asked: it never lowers a capability.
 */
export const MCP_TOOLS: ToolTable = new Map([
  ['read_file', touches('fs:read', ['path'])],
  ['read_text_file', touches('fs:read', ['path'])],
  ['read_media_file', touches('fs:read', ['path'])],
  ['read_multiple_files', touches('fs:read', ['paths'])],
  ['get_file_info', touches('fs:read', ['path'])],
  ['list_directory', looksBelow(['path'])],
  ['list_directory_with_sizes', looksBelow(['path'])],
  ['directory_tree', looksBelow(['path'])],
  ['search_files', looksBelow(['path'])],
  ['write_file', touches('fs:write', ['path'])],
  ['edit_file', touches('fs:write', ['path'])],
  ['create_directory', touches('fs:write', ['path'])],
  ['move_file', touches('fs:write', ['source', 'destination'])],
  ['list_allowed_directories', keepsToItself],
]);

/** In the place of a folder that is not known. */
const NOWHERE = '\0';

/**
 * A server may take a relative path from folders of its own, so nobody else can tell where it leads: such a call is asked
 * about like one of a tool that is not known.
 *
 * @param executor the whole name, server and tool, for whoever is asked
 */
export function mcpStep(tool: string, executor: string, input: ToolInput, cwd: string): ToolStep {
  const step = MCP_TOOLS.get(tool)?.(input, NOWHERE);
  if (step === undefined || step.targets.some((target) => target.startsWith(NOWHERE))) {
    return unknownTool(executor, input, cwd);
  }
  return { ...step, cwd };
}

/** `mcp__<server>__<tool>`: the tool, or null for a name of another form. */
export function mcpToolOf(name: string): string | null {
  return /^mcp__[^_](?:(?!__).)*__(.+)$/s.exec(name)?.[1] ?? null;
}
