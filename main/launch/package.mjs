import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from './child.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { node24 } from './node.mjs';
import { LaunchError, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

// Arguments go to electron-builder. VAGLIO_ELECTRON_DIST names an unpacked Electron to use instead of a download.
await runMain(async () => {
  const args = process.argv.slice(2);
  const other = await prepare(fileURLToPath(import.meta.url), args);
  if (other !== null) return other;
  await ensureBuild();
  const dist = process.env.VAGLIO_ELECTRON_DIST;
  if (dist && !existsSync(dist)) throw new LaunchError(`VAGLIO_ELECTRON_DIST is ${dist}, and there is nothing there.`);
  const cli = join(ROOT, 'node_modules/electron-builder/cli.js');
  const own = ['--publish', 'never', ...(dist ? [`-c.electronDist=${dist}`] : [])];
  return (await runChild(node24(), [cli, ...own, ...args], { cwd: ROOT, env: { CI: '1', ...process.env } })).code;
});
