import type { Command } from 'commander';
import { agentSocketPath } from '../../agents/socket-file.ts';
import { resolvePaths } from '../../engine/paths.ts';
import type { StreamContext } from '../context.ts';
import { printable } from '../printable.ts';

/** `vaglio mcp -- COMMAND` (agents page, "MCP"). stdout belongs to the protocol; the exit code is the server's. */
export function registerMcp(program: Command, ctx: StreamContext): void {
  program
    .command('mcp')
    .description('stand before an MCP server: each call of a tool is asked about')
    .argument('<command...>', 'the command that starts the server, after --')
    .option('--name <name>', 'of the server, as it is shown; absent: made of its command')
    .action(async (command: string[], { name }: { name?: string }) => {
      const { runMcpProxy } = await import('../../agents/mcp/run-proxy.ts');
      const { stateDir } = resolvePaths(ctx.env, ctx.home);
      const code = await runMcpProxy({
        command,
        ...(name === undefined ? {} : { name: name.replace(/[^A-Za-z0-9-]+/g, '-') }),
        socketPath: agentSocketPath(stateDir, process.platform),
        stateDir,
        stdin: process.stdin,
        stdout: process.stdout,
        log: (line) => ctx.err(printable(`vaglio mcp: ${line}`)),
      });
      ctx.setExit(code);
    });
}
