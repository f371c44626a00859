#!/usr/bin/env node
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureBuild } from './ensure-build.mjs';
import { ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

const SCRIPT = fileURLToPath(import.meta.url);

await runMain(async () => {
  const other = await prepare(SCRIPT, process.argv.slice(2));
  if (other !== null) return other;
  await ensureBuild(['main']);
  const { enableCompileCache } = await import('node:module');
  enableCompileCache?.(join(ROOT, '.cache/compile'));
  await import(pathToFileURL(join(ROOT, 'dist/main/cli.js')).href);
  return undefined;
});
