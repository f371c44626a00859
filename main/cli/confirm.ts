import { UserError } from '../engine/errors.ts';
import type { StreamContext } from './context.ts';
import { linesOf } from './lines.ts';
import { printable } from './printable.ts';

const LONGEST_ANSWER = 1000;

/**
 * The second, distinct gesture for whatever opens something (pipeline page, "Autonomy level"): what opens is shown, and
 * the person types a word, or has given the option that says yes beforehand.
 *
 * @param asked.word to type
 * @param asked.lines what opens, one thing a line
 * @param asked.yes the option was given
 * @throws UserError `confirmation-needed` when it is not confirmed
 */
export async function confirmOpening(
  ctx: StreamContext,
  asked: { word: string; lines: readonly string[]; yes: boolean; option: string },
): Promise<void> {
  const { word, lines, yes, option } = asked;
  for (const line of lines) ctx.err(printable(line));
  if (yes) return;
  if (ctx.isTerminal !== true) {
    throw new UserError('confirmation-needed', `Nothing was changed. To confirm what is shown above, add ${option}.`);
  }
  ctx.err(`Type ${word} to confirm:`);
  if ((await firstLine(ctx)) !== word) {
    throw new UserError('confirmation-needed', 'Nothing was changed: another word was typed.');
  }
}

async function firstLine(ctx: StreamContext): Promise<string> {
  for await (const [line] of linesOf(ctx.stdin, LONGEST_ANSWER)) return (line ?? '').toString().trim();
  return '';
}
