import { join } from 'node:path';
import { runChild } from './child.mjs';
import { isFresh, PARTS } from './freshness.mjs';
import { node24 } from './node.mjs';
import { LaunchError, note, ROOT } from './root.mjs';

/**
 * Builds the parts whose sources changed since their last build; a few milliseconds when none did.
 * @param {readonly import('./freshness.mjs').Part[]} [parts]
 * @throws {LaunchError} when the build fails; what was built before stays
 */
export async function ensureBuild(parts = PARTS) {
  const stale = parts.filter((part) => !isFresh(part));
  if (stale.length === 0) return;
  note(`Building ${stale.join(' and ')} ...`);
  const { code, signal } = await runChild(node24(), [join(ROOT, 'main/launch/build.mjs'), '--if-stale', ...stale], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (signal) process.exit(code);
  if (code !== 0) throw new LaunchError('The build failed; its message is above.');
}
