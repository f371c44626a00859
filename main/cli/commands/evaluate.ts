import { type Command, Option } from 'commander';
import { type FinalDecision, type Flow, flowSchema } from '../../../shared/domain/constitution.ts';
import { UserError } from '../../engine/errors.ts';
import type { StreamContext } from '../context.ts';
import { asOperator } from '../operator.ts';
import { jsonLine, printable } from '../printable.ts';

const MOST_BYTES = 10 * 1024 * 1024;

/**
 * `vaglio evaluate` (constitution page): one action on stdin, the result on stdout. It goes through the running engine
 * and its journal, or, when none runs, through the files.
 */
export function registerEvaluate(program: Command, ctx: StreamContext): void {
  program
    .command('evaluate')
    .description(
      'weigh the JSON action on stdin {kind, targets, args, capability, reversibility, scope, impact, plan, rationale}; exit 0 allow or publish, 1 block or reject, 2 error, 3 defer',
    )
    .addOption(
      new Option('--flow <flow>', 'asked for by the user, or the own idea of the agent')
        .choices(flowSchema.options)
        .makeOptionMandatory(),
    )
    .option('--urgency <number>', 'of the proposer, from 0.5 to 2')
    .action(async (options: { flow: Flow; urgency?: string }) => {
      try {
        const urgency = urgencyOf(options.urgency);
        const action = await readAction(ctx);
        const input = { action, flow: options.flow, ...(urgency === undefined ? {} : { urgency }) };
        const result = await asOperator(ctx, (operator) => operator.mutate('proposals', 'evaluate', input));
        ctx.out(jsonLine(result));
        ctx.setExit(exitOf(result.final_decision));
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        ctx.err(printable(`error: ${error.message}`));
        ctx.setExit(2);
      }
    });
}

function exitOf(decision: FinalDecision): number {
  switch (decision) {
    case 'allow':
    case 'publish':
      return 0;
    case 'block':
    case 'reject':
      return 1;
    case 'defer':
      return 3;
    default:
      decision satisfies never;
      return 1;
  }
}

function urgencyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new UserError('bad-input', `--urgency needs a number, not ${JSON.stringify(text)}.`, 'urgency');
}

async function readAction(ctx: StreamContext): Promise<Record<string, unknown>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of ctx.stdin) {
    size += piece.length;
    if (size > MOST_BYTES) throw new UserError('bad-input', `The action has more than ${MOST_BYTES} bytes.`, 'action');
    pieces.push(piece);
  }
  let action: unknown;
  try {
    action = JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch (error) {
    throw new UserError('bad-input', 'The action on stdin is no JSON.', 'action', { cause: error });
  }
  if (typeof action !== 'object' || action === null || Array.isArray(action)) {
    throw new UserError('bad-input', 'The action on stdin is no JSON object.', 'action');
  }
  return { ...action };
}
