import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { lint } from './house/rules.mjs';
import { readSource } from './house/source.mjs';
import { note, ROOT, runMain } from './root.mjs';

/** Generated, or other people's words. */
const SKIPPED = /^(package-lock\.json|LICENSE|.*\.(png|woff2|ico|icns|db|bin))$/;

/** @returns {string[]} what git knows or would take in, from the root */
function projectFiles() {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return listed.split('\0').filter((path) => path !== '' && !SKIPPED.test(path));
}

await runMain(async () => {
  const { parseSync } = await import('vite');
  const sources = new Map();
  for (const path of projectFiles()) {
    const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (stat?.isFile()) sources.set(path, readSource(path, readFileSync(join(ROOT, path), 'utf8'), parseSync));
  }
  const faults = lint(sources);
  for (const { path, line, rule, says } of faults) note(`${path}:${line} ${rule} ${says}`);
  return faults.length > 0 ? 1 : 0;
});
