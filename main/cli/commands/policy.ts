import type { Command } from 'commander';
import { AUTONOMY_LEVELS } from '../../../shared/domain/capability.ts';
import { UserError } from '../../engine/errors.ts';
import { resolvePaths } from '../../engine/paths.ts';
import { formatInstant } from '../../policy/dates.ts';
import { viewGrant } from '../../policy/grant-view.ts';
import { effectiveOutcome } from '../../policy/outcome.ts';
import { capabilityNamed, REGISTRY } from '../../policy/registry.ts';
import { neededLevel, tableOutcome } from '../../policy/table.ts';
import type { CliContext } from '../context.ts';
import { jsonLine, printable } from '../printable.ts';

interface CheckOptions {
  channel?: string;
  sender?: string;
  target?: string;
}

/** `vaglio policy ...` (policy page, section 5): data on stdout, errors on stderr with exit 2. */
export function registerPolicy(program: Command, ctx: CliContext): void {
  const policy = program.command('policy').description('what each autonomy level allows, and the grants');

  policy
    .command('registry')
    .description('the capabilities, one JSON object a line')
    .action(() => {
      for (const capability of REGISTRY) ctx.out(jsonLine(capability));
    });

  policy
    .command('table')
    .description('the outcome of every level and capability, one JSON object a level')
    .action(() => {
      for (const level of AUTONOMY_LEVELS) {
        const outcomes = REGISTRY.map(({ name }) => [name, tableOutcome(level, name)]);
        ctx.out(jsonLine({ level, ...Object.fromEntries(outcomes) }));
      }
    });

  policy
    .command('check')
    .description('the outcome for one request; without channel, sender and target the table alone answers')
    .argument('<level>', AUTONOMY_LEVELS.join(', '))
    .argument('<capability>', 'a name of the registry')
    .option('--channel <channel>', 'channel of the request')
    .option('--sender <sender>', 'who sent it')
    .option('--target <target>', 'path, host or other target')
    .action((level: string, capability: string, options: CheckOptions) =>
      reporting(ctx, () => check(ctx, level, capability, options)),
    );

  policy
    .command('grants')
    .description('the grants that are not revoked, newest first, one JSON object a line')
    .option('--channel <channel>', 'of this channel alone')
    .option('--sender <sender>', 'of this sender alone')
    .option('--all', 'revoked ones as well')
    .action(({ channel, sender, all }: { channel?: string; sender?: string; all?: boolean }) =>
      reporting(ctx, async () => {
        const repository = await openGrants(ctx);
        try {
          const now = ctx.clock();
          for (const grant of repository.list({ channel, sender_id: sender, includeRevoked: all })) {
            const { state, no_effect } = viewGrant(grant, now);
            ctx.out(jsonLine({ ...grant, state, no_effect }));
          }
        } finally {
          repository.close();
        }
      }),
    );

  policy
    .command('revoke')
    .description('take a grant back: prints `revoked`, or `no-op` with exit 1')
    .argument('<id>', 'id of the grant')
    .action((text: string) =>
      reporting(ctx, async () => {
        const id = Number(text);
        if (!/^[1-9][0-9]*$/.test(text) || !Number.isSafeInteger(id)) {
          throw new UserError('bad-input', `${JSON.stringify(text)} is no id of a grant: it is a number from 1 up.`);
        }
        const repository = await openGrants(ctx);
        const [changed] = repository.revoke([id], formatInstant(ctx.clock()));
        ctx.out(changed ? 'revoked' : 'no-op');
        if (!changed) ctx.setExit(1);
      }),
    );
}

async function check(ctx: CliContext, level: string, capability: string, options: CheckOptions): Promise<void> {
  const unknown = [
    ...(AUTONOMY_LEVELS.some((name) => name === level) ? [] : [`level ${JSON.stringify(level)}`]),
    ...(capabilityNamed(capability) === null ? [`capability ${JSON.stringify(capability)}`] : []),
  ];
  for (const what of unknown) ctx.err(printable(`warning: unknown ${what}: what is unknown is denied`));

  const repository = await openGrants(ctx);
  const [{ createCoverage }, { realPath }] = await Promise.all([
    import('../../grants/coverage.ts'),
    import('../../grants/real-path.ts'),
  ]);
  const coverage = createCoverage(repository, { home: ctx.home, realpath: realPath }, ctx.clock);
  const scope = { channel: options.channel, sender_id: options.sender, target: options.target };
  try {
    const outcome = effectiveOutcome(level, capability, scope, {
      hasGrant: (...asked) => coverage.find(...asked) !== null,
      onError: (error) => report(ctx, error),
    });
    ctx.out(outcome);
    const needed = neededLevel(capability);
    if (outcome === 'denied' && unknown.length === 0 && needed !== null) ctx.err(`needs ${needed}`);
  } finally {
    repository.close();
  }
}

/** Loaded when needed: registry and table answer without SQLite. Opens no file yet. */
async function openGrants(ctx: CliContext) {
  const { createGrantsRepository } = await import('../../db/grants.ts');
  return createGrantsRepository(resolvePaths(ctx.env, ctx.home).grantsDb);
}

async function reporting(ctx: CliContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    report(ctx, error);
  }
}

function report(ctx: CliContext, error: unknown): void {
  ctx.err(printable(`error: ${error instanceof Error ? error.message : String(error)}`));
  ctx.setExit(2);
}
