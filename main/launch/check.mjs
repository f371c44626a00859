import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { captureChild } from './child.mjs';
import { LaunchError, note, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

const SCRIPT = fileURLToPath(import.meta.url);

/** @type {{name: string, command: string[]}[]} */
const CHECKS = [
  {
    name: 'biome: format, lint, walls',
    command: ['@biomejs/biome/bin/biome', 'ci', process.stderr.isTTY ? '--colors=force' : '--colors=off', '.'],
  },
  ...['shared', 'main', 'renderer', 'e2e'].map((folder) => ({
    name: `types: ${folder}`,
    command: ['typescript/bin/tsc', '-p', folder],
  })),
  { name: 'house rules', command: ['../main/launch/house-lint.mjs'] },
  { name: 'dead code: all', command: ['knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  {
    name: 'dead code: production',
    command: ['knip/bin/knip.js', '--no-progress', '--no-config-hints', '--production', '--exclude', 'types'],
  },
];

// The tools write into a pipe and would guess wrong.
const { FORCE_COLOR: _, ...env } = process.env;
const COLOURS = { ...env, ...(process.stderr.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) };

/**
 * Runs every check and prints each one that fails.
 * @returns {Promise<string[]>} the names of those that failed
 */
async function runChecks() {
  /** @type {string[]} */
  const failed = [];
  const waiting = [...CHECKS];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const [program = '', ...args] = check.command;
      const started = performance.now();
      const { code, output } = await captureChild(process.execPath, [join(ROOT, 'node_modules', program), ...args], {
        cwd: ROOT,
        env: COLOURS,
      });
      note(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name} (${Math.round(performance.now() - started)} ms)`);
      if (code === 0) continue;
      failed.push(check.name);
      note(output.trimEnd() || `It printed nothing and ended with code ${code}.`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, worker));
  return failed;
}

await runMain(async () => {
  const other = await prepare(SCRIPT, process.argv.slice(2));
  if (other !== null) return other;
  const failed = await runChecks();
  if (failed.length > 0) throw new LaunchError(`check failed: ${failed.join('; ')}`);
  note('check passed');
  return 0;
});
