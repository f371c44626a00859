// The launch scripts run before anything is installed: plain JavaScript, no dependency, Node 20 or newer.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the project's root, without a slash at its end. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Tells the person what is going on. On stderr, since stdout belongs to the command's own answer.
 * @param {string} line
 */
export function note(line) {
  process.stderr.write(`${line}\n`);
}

/** A failure whose message says all that a person needs; printed without a stack. */
export class LaunchError extends Error {}

/**
 * Runs a script's main function and turns its result into the exit code: a number is the code,
 * a `LaunchError` prints its message and is 1, anything else prints its stack and is 1.
 * @param {() => Promise<number | void>} main
 */
export async function runMain(main) {
  try {
    const code = await main();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    note(
      error instanceof LaunchError
        ? error.message
        : error instanceof Error
          ? (error.stack ?? error.message)
          : String(error),
    );
    process.exitCode = 1;
  }
}
