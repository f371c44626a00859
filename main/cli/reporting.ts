import { UserError } from '../engine/errors.ts';
import type { CliContext } from './context.ts';
import { printable } from './printable.ts';

/** Runs a command's work; what goes wrong is one line on stderr and exit 2. */
export async function reporting(ctx: CliContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    ctx.err(printable(`error: ${error instanceof Error ? error.message : String(error)}`));
    ctx.setExit(2);
    // Anything but an error for a person is a fault of ours, and its place helps whoever mends it.
    if (!(error instanceof UserError) && error instanceof Error && error.stack !== undefined) ctx.err(error.stack);
  }
}
