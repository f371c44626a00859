import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { runEndToEnd } from './e2e-run.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { LaunchError, note, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';
import { closingLine, readPlaywright, readVitest } from './tally.mjs';

/** @typedef {import('./tally.mjs').Tally} Tally */

/** @param {string[]} faults @param {() => Promise<void>} step */
async function survive(faults, step) {
  try {
    await step();
  } catch (error) {
    const message = error instanceof LaunchError ? error.message : String(error instanceof Error ? error.stack : error);
    note(message);
    faults.push(message.split('\n')[0] ?? 'a step failed');
  }
}

/**
 * @param {string} name
 * @param {number} code the runner's exit code
 * @param {Tally | null} tally
 * @param {string[]} faults
 * @returns {Tally}
 */
function accept(name, code, tally, faults) {
  if (tally === null) faults.push(`${name} ended with code ${code} and left no result`);
  else if (code !== 0 && tally.failed === 0) faults.push(`${name} ended with code ${code}`);
  else if (tally.passed + tally.failed === 0) faults.push(`${name} ran no test`);
  return tally ?? { passed: 0, failed: 0, skipped: [] };
}

/** Check, unit tests, end-to-end specs: all of them, also when one fails; the closing line comes last. */
async function main() {
  const other = await prepare(fileURLToPath(import.meta.url), process.argv.slice(2));
  if (other !== null) return other;
  /** @type {string[]} */
  const faults = [];
  /** @type {Tally[]} */
  const tallies = [];
  const folder = mkdtempSync(join(tmpdir(), 'vaglio-test-'));
  try {
    await survive(faults, () => ensureBuild());
    await survive(faults, async () => {
      const { code } = await runChild(process.execPath, [join(ROOT, 'main/launch/check.mjs')], { cwd: ROOT });
      if (code !== 0) throw new LaunchError('check failed; see above');
    });
    await survive(faults, async () => {
      const file = join(folder, 'vitest.json');
      const reporter = join(ROOT, 'main/launch/vitest-reporter.mjs');
      const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', `--reporter=${reporter}`];
      const { code } = await runChild(process.execPath, args, {
        cwd: ROOT,
        env: { ...process.env, VAGLIO_TALLY: file },
      });
      tallies.push(accept('vitest', code, readVitest(file), faults));
    });
    await survive(faults, async () => {
      const file = join(folder, 'playwright.json');
      const code = await runEndToEnd([], { VAGLIO_E2E_JSON: file });
      tallies.push(accept('Playwright', code, readPlaywright(file), faults));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  /** @type {Tally} */
  const sum = { passed: 0, failed: 0, skipped: [] };
  for (const tally of tallies) {
    sum.passed += tally.passed;
    sum.failed += tally.failed;
    sum.skipped.push(...tally.skipped);
  }
  const lines = [
    ...sum.skipped.map(
      ({ name, reason }) => `skipped: ${name}: ${reason?.replace(/^skipped: /, '') ?? 'no reason given'}`,
    ),
    ...faults.map((fault) => `FAILED: ${fault}`),
    closingLine(sum),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return faults.length > 0 || sum.failed > 0 || sum.passed === 0 ? 1 : 0;
}

await runMain(main);
