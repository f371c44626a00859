import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { runHook } from '../../agents/hook/run-hook.ts';
import { agentSocketPath } from '../../agents/socket-file.ts';
import { resolvePaths } from '../../engine/paths.ts';
import type { StreamContext } from '../context.ts';

/**
 * `vaglio hook CLIENT` (agents page, "Adapters"), as `install` registers it with a client. The client's own command line
 * starts a smaller program with the same inside.
 */
export function registerHook(program: Command, ctx: StreamContext): void {
  program
    .command('hook')
    .description('answer the question of an agent about one call (started by the agent, see install)')
    .argument('[words...]', 'claude-code, codex or gemini, then --on-approval wait|ask and --wait SECONDS')
    .allowUnknownOption()
    .action(async (_: string[], __: object, { args }: Command) => {
      const socketPath = agentSocketPath(resolvePaths(ctx.env, ctx.home).stateDir, process.platform);
      const { username: senderId } = userInfo();
      const { stdout, stderr, exit } = await runHook(args, { socketPath, senderId, stdin: ctx.stdin });
      if (stdout !== '') ctx.out(stdout.trimEnd());
      if (stderr !== '') ctx.err(stderr.trimEnd());
      ctx.setExit(exit);
    });
}
