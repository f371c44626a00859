import type { Command } from 'commander';
import type { ApprovalChoice } from '../../../shared/domain/approval.ts';
import { UserError } from '../../engine/errors.ts';
import type { StreamContext } from '../context.ts';
import { asOperator, type Operator } from '../operator.ts';
import { jsonLine, printable } from '../printable.ts';
import { reporting } from '../reporting.ts';

interface ApproveOptions {
  similar?: string;
  until?: string;
  withoutEnd?: boolean;
  yesBroad?: boolean;
}

/** `vaglio approvals ...` (pipeline page, "Approvals"), as the operator: cards as JSON lines, errors with exit 2. */
export function registerApprovals(program: Command, ctx: StreamContext): void {
  const approvals = program.command('approvals').description('what waits for a person, and the answer to it');

  approvals
    .command('list')
    .description('the cards that wait, oldest first, one JSON object a line')
    .option('--resolved', 'those that were decided or ran out instead, newest first')
    .action(({ resolved }: { resolved?: boolean }) =>
      reporting(ctx, () =>
        asOperator(ctx, async (operator) => {
          const status = resolved ? 'resolved' : 'pending';
          const { cards, more, problem } = await operator.query('approvals', 'list', { status, limit: 1000 });
          if (problem !== null) throw new UserError('unreadable', problem);
          for (const card of cards) ctx.out(jsonLine(card));
          if (more) ctx.err('warning: there are more than these 1000');
        }),
      ),
    );

  approvals
    .command('approve')
    .description('let it happen this time; with --similar make a grant as well')
    .argument('<token>', 'of the card')
    .option('--similar <target>', 'and whatever this target pattern covers')
    .option('--until <time>', 'end of that grant, ISO 8601')
    .option('--without-end', 'that grant has no end')
    .option('--yes-broad', 'confirm a pattern as wide as the home folder')
    .action((token: string, options: ApproveOptions) =>
      reporting(ctx, async () => resolve(ctx, token, choiceOf(options))),
    );

  approvals
    .command('reject')
    .description('do not let it happen')
    .argument('<token>', 'of the card')
    .option('--session', 'and do not ask again for the like while this engine runs')
    .action((token: string, { session }: { session?: boolean }) =>
      reporting(ctx, async () => resolve(ctx, token, { kind: session ? 'no-session' : 'no' })),
    );
}

/** @throws UserError `bad-input` */
function choiceOf({ similar, until, withoutEnd, yesBroad }: ApproveOptions): ApprovalChoice {
  if (similar === undefined) {
    if (until === undefined && !withoutEnd && !yesBroad) return { kind: 'once' };
    throw new UserError('bad-input', '--until, --without-end and --yes-broad say more about --similar.');
  }
  if ((until === undefined) === !withoutEnd) {
    throw new UserError('bad-input', '--similar needs an end: give --until TIME, or --without-end.');
  }
  return {
    kind: 'similar',
    target: similar,
    expires_at: until ?? null,
    ...(yesBroad ? { confirm_broad: true } : {}),
  };
}

async function resolve(ctx: StreamContext, token: string, choice: ApprovalChoice): Promise<void> {
  const { card, grant, problem } = await asOperator(ctx, (operator: Operator) =>
    operator.mutate('approvals', 'resolve', { token, choice }),
  );
  ctx.out(jsonLine(card));
  ctx.err(printable(`${card.status}: ${card.verb} ${card.object}`));
  if (problem !== null) ctx.err(printable(`warning: ${problem}`));
  if (grant !== null) ctx.err(printable(`grant ${grant.id}: ${grant.capability} ${grant.target}`));
}
