#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const SCRIPT = fileURLToPath(import.meta.url);
const HOOK = join(dirname(dirname(dirname(SCRIPT))), 'dist/main/hook.cjs');

const isHook = process.argv[2] === 'hook';

async function runHook() {
  process.argv.splice(2, 1);
  await import(pathToFileURL(HOOK).href);
}

// An agent waits for each of its hooks: no look at the sources, no other Node.
if (isHook && existsSync(HOOK)) await runHook();
else {
  const { ROOT, runMain } = await import('./root.mjs');
  await runMain(async () => {
    const { prepare } = await import('./setup.mjs');
    const other = await prepare(SCRIPT, process.argv.slice(2));
    if (other !== null) return other;
    const { ensureBuild } = await import('./ensure-build.mjs');
    await ensureBuild(['main']);
    if (isHook) {
      await runHook();
      return undefined;
    }
    const { enableCompileCache } = await import('node:module');
    enableCompileCache?.(join(ROOT, '.cache/compile'));
    await import(pathToFileURL(join(ROOT, 'dist/main/cli.js')).href);
    return undefined;
  });
  // What no hook could answer must not run; any other code would let it.
  if (isHook && process.exitCode !== undefined && process.exitCode !== 0) process.exitCode = 2;
}
