import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { node24 } from './node.mjs';
import { LaunchError, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

await runMain(async () => {
  const args = process.argv.slice(2);
  const other = await prepare(fileURLToPath(import.meta.url), args);
  if (other !== null) return other;
  const entry = join(ROOT, 'main/bench/main.ts');
  if (!existsSync(entry)) throw new LaunchError(`${entry} is missing: this copy of the project holds no measurements.`);
  // The hook is measured as agents start it.
  if (args[0] === undefined || args[0] === 'hook') await ensureBuild(['main']);
  return (await runChild(node24(), ['--expose-gc', entry, ...args], { cwd: ROOT })).code;
});
