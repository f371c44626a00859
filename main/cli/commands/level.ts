import { type Command, Option } from 'commander';
import { AUTONOMY_LEVELS, type AutonomyLevel } from '../../../shared/domain/capability.ts';
import type { LevelPreview, LevelScope } from '../../../shared/domain/level.ts';
import { UserError } from '../../engine/errors.ts';
import { confirmOpening } from '../confirm.ts';
import type { StreamContext } from '../context.ts';
import { asOperator, type Operator } from '../operator.ts';
import { jsonLine } from '../printable.ts';
import { reporting } from '../reporting.ts';

interface SetOptions {
  channel?: string;
  sender?: string;
  for?: string;
  until?: string;
  yesRaise?: boolean;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
const YES = '--yes-raise';
/** Nothing can rise to it, so nothing has to be looked at first: it goes through also where files are damaged. */
const LOWEST: AutonomyLevel = 'ReadOnly';

/** `vaglio level ...` (pipeline page, "Autonomy level"), as the operator: the state as one JSON object, errors with exit 2. */
export function registerLevel(program: Command, ctx: StreamContext): void {
  const level = program.command('level').description('how much the agent may do by itself');
  const yes = new Option(YES, 'confirm what opens, without a question');

  level
    .command('show')
    .description('the levels in force')
    .action(() =>
      reporting(ctx, () =>
        asOperator(ctx, async (operator) => ctx.out(jsonLine(await operator.query('level', 'state', {})))),
      ),
    );

  level
    .command('set')
    .description('set the default level, or the one of a pairing; raising shows what opens and asks')
    .argument('<level>', AUTONOMY_LEVELS.join(', '))
    .option('--channel <channel>', 'channel of the pairing')
    .option('--sender <sender>', 'sender of the pairing')
    .option('--for <time>', 'fall back after this time: 30m, 2h, 7d')
    .option('--until <time>', 'fall back at this time, ISO 8601')
    .addOption(yes)
    .action((to: string, options: SetOptions) => reporting(ctx, () => setLevel(ctx, levelNamed(to), options)));

  level
    .command('freeze')
    .description('everything to ReadOnly at once')
    .action(() =>
      reporting(ctx, () =>
        asOperator(ctx, async (operator) => ctx.out(jsonLine(await operator.mutate('level', 'freeze', {})))),
      ),
    );

  level
    .command('unfreeze')
    .description('bring back what was frozen; shows what opens and asks')
    .addOption(yes)
    .action((options: { yesRaise?: boolean }) => reporting(ctx, () => unfreeze(ctx, options.yesRaise === true)));
}

/** @throws UserError `bad-input` */
function levelNamed(text: string): AutonomyLevel {
  const level = AUTONOMY_LEVELS.find((name) => name === text);
  if (level !== undefined) return level;
  throw new UserError('bad-input', `${JSON.stringify(text)} is no level. Levels: ${AUTONOMY_LEVELS.join(', ')}.`);
}

/** @throws UserError `bad-input` */
function scopeOf({ channel, sender }: SetOptions): LevelScope {
  if (channel === undefined && sender === undefined) return { kind: 'default' };
  if (channel !== undefined && sender !== undefined) return { kind: 'pairing', channel, sender_id: sender };
  throw new UserError(
    'bad-input',
    'A pairing has both: give --channel and --sender, or neither for the default level.',
  );
}

/** Unix time, ms; undefined without an end. @throws UserError `bad-input` */
function endOf(options: SetOptions, now: number): number | undefined {
  if (options.for !== undefined && options.until !== undefined) {
    throw new UserError('bad-input', 'Give --for or --until, not both.');
  }
  if (options.for !== undefined) {
    const [, count = '', unit = ''] = /^([1-9][0-9]{0,4})([mhd])$/.exec(options.for) ?? [];
    const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
    if (ms > 0) return now + ms;
    throw new UserError('bad-input', `--for takes a time such as 30m, 2h or 7d, not ${JSON.stringify(options.for)}.`);
  }
  if (options.until === undefined) return undefined;
  const at = Date.parse(options.until);
  if (Number.isFinite(at)) return at;
  throw new UserError('bad-input', `--until takes an ISO 8601 time, not ${JSON.stringify(options.until)}.`);
}

/** What a person has to have seen before it opens. */
function openingLines({ from, to, cells, grants_live }: LevelPreview): string[] {
  return [
    `From ${from} to ${to} this opens:`,
    ...cells.map((cell) => `  ${cell.capability}: ${cell.from} -> ${cell.to}`),
    ...grants_live.map(
      ({ id, capability, target, channel, sender_id }) =>
        `  grant ${id} counts: ${capability} ${target} (${channel} / ${sender_id})`,
    ),
  ];
}

/** @returns null when nothing rises */
async function confirmRaise(
  ctx: StreamContext,
  operator: Operator,
  scope: LevelScope,
  to: AutonomyLevel,
  yes: boolean,
): Promise<string | null> {
  const preview = await operator.query('level', 'preview', { scope, to });
  if (preview.direction !== 'raise') return null;
  await confirmOpening(ctx, { word: to, lines: openingLines(preview), yes, option: YES });
  return preview.confirmation;
}

async function setLevel(ctx: StreamContext, to: AutonomyLevel, options: SetOptions): Promise<void> {
  const scope = scopeOf(options);
  const until_ms = endOf(options, ctx.clock());
  await asOperator(ctx, async (operator) => {
    const confirmation = to === LOWEST ? null : await confirmRaise(ctx, operator, scope, to, options.yesRaise === true);
    const state = await operator.mutate('level', 'set', {
      scope,
      to,
      ...(confirmation === null ? {} : { confirmation }),
      ...(until_ms === undefined ? {} : { until_ms }),
    });
    ctx.out(jsonLine(state));
  });
}

async function unfreeze(ctx: StreamContext, yes: boolean): Promise<void> {
  await asOperator(ctx, async (operator) => {
    const { frozen } = await operator.query('level', 'state', {});
    if (frozen === null) throw new UserError('conflict', 'Nothing is frozen.');
    const lines = frozen.restores.map(({ scope, to }) => {
      const who = scope.kind === 'default' ? 'the default level' : `${scope.channel} / ${scope.sender_id}`;
      return `  ${who}: ReadOnly -> ${to}`;
    });
    await confirmOpening(ctx, { word: 'unfreeze', lines: ['This comes back:', ...lines], yes, option: YES });
    ctx.out(jsonLine(await operator.mutate('level', 'unfreeze', { confirmation: frozen.confirmation })));
  });
}
