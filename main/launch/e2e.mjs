import { fileURLToPath } from 'node:url';
import { runEndToEnd } from './e2e-run.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { runMain } from './root.mjs';
import { prepare } from './setup.mjs';

await runMain(async () => {
  const args = process.argv.slice(2);
  const other = await prepare(fileURLToPath(import.meta.url), args);
  if (other !== null) return other;
  await ensureBuild();
  return runEndToEnd(args);
});
