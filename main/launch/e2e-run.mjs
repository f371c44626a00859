import { join } from 'node:path';
import { runChild } from './child.mjs';
import { ensureChromium } from './chromium.mjs';
import { node24 } from './node.mjs';
import { ROOT } from './root.mjs';

/**
 * Runs the end-to-end specs against the build that is there.
 * @param {readonly string[]} args passed on to Playwright
 * @param {NodeJS.ProcessEnv} [env] on top of this process's own
 * @returns {Promise<number>} Playwright's exit code
 */
export async function runEndToEnd(args, env = {}) {
  const chromium = await ensureChromium();
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
  const { code } = await runChild(node24(), [cli, 'test', '--config', 'e2e/playwright.config.ts', ...args], {
    cwd: ROOT,
    env: { ...process.env, VAGLIO_CHROMIUM: chromium, ...env },
  });
  return code;
}
