import type { Command } from 'commander';
import type { StreamContext } from '../context.ts';
import { printable } from '../printable.ts';
import { reporting } from '../reporting.ts';

/** `vaglio serve`: the engine and its door for agents, without a panel (platform page). Exit 2 when it cannot start. */
export function registerServe(program: Command, ctx: StreamContext): void {
  program
    .command('serve')
    .description('run the engine and its door for agents, without a panel, until it is ended')
    .action(() =>
      reporting(ctx, async () => {
        const { runServeMode } = await import('../../host/serve-mode.ts');
        const { env, home } = ctx;
        await runServeMode({ env, home, say: ctx.out, warn: (line) => ctx.err(printable(line)) });
      }),
    );
}
