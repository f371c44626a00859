import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UserError } from '../../engine/errors.ts';
import type { StreamContext } from '../context.ts';
import { printable } from '../printable.ts';
import { reporting } from '../reporting.ts';

interface Options {
  project?: string;
  dryRun?: boolean;
}

/**
 * `vaglio install CLIENT` and `uninstall` (agents page, "Adapters"): the client's own settings file, with a copy of what
 * was there. Exit 2 when nothing could be done.
 */
export function registerInstall(program: Command, ctx: StreamContext): void {
  register(program, ctx, 'install', 'have an agent ask before each call');
}

export function registerUninstall(program: Command, ctx: StreamContext): void {
  register(program, ctx, 'uninstall', 'take the hook out of an agent again');
}

function register(program: Command, ctx: StreamContext, what: 'install' | 'uninstall', description: string): void {
  program
    .command(what)
    .description(description)
    .argument('<client>', 'claude-code, codex or gemini')
    .option('--project <folder>', 'settings of one project instead of all that you do')
    .option('--dry-run', 'show what would change, and change nothing')
    .action((client: string, options: Options) => reporting(ctx, () => change(ctx, what, client, options)));
}

async function change(
  ctx: StreamContext,
  what: 'install' | 'uninstall',
  name: string,
  options: Options,
): Promise<void> {
  const [{ applyChange, planInstall, planUninstall }, { CLIENT_NAMES, CLIENTS }, { findHookCommand }] =
    await Promise.all([
      import('../../agents/install/install.ts'),
      import('../../agents/install/clients.ts'),
      import('../../agents/install/hook-command.ts'),
    ]);
  const client = CLIENT_NAMES.find((each) => each === name);
  if (client === undefined) {
    throw new UserError(
      'bad-input',
      `There is no agent ${JSON.stringify(name)}. Known: ${CLIENT_NAMES.join(', ')}.`,
      name,
    );
  }
  const { env, home, clock } = ctx;
  const place = { env, home, project: options.project === undefined ? null : resolve(options.project) };
  const planned = what === 'install' ? planInstall(client, place, findHookCommand(env)) : planUninstall(client, place);
  const { path, diff, notes } = planned;
  const { title } = CLIENTS[client];
  if (diff.length === 0) {
    ctx.err(
      printable(what === 'install' ? `${title} asks already (${path}).` : `${title} has no hook of ours (${path}).`),
    );
  } else if (options.dryRun === true) {
    ctx.out(printable(`--- ${path}${planned.before === null ? ' (not there yet)' : ''}`));
    for (const line of diff) ctx.out(printable(line));
    ctx.err('Nothing was written.');
    return;
  } else {
    const backup = applyChange(planned, clock());
    ctx.err(printable(what === 'install' ? `${path} has the hook now.` : `The hook is gone from ${path}.`));
    if (backup !== null) ctx.err(printable(`What was there: ${backup}`));
  }
  for (const note of notes) ctx.err(printable(`- ${note}`));
  if (what === 'install')
    ctx.err(`- Calls come as channel ${client}, sender ${userInfo().username}. vaglio doctor plays one.`);
}
