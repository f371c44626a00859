import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runChild } from './child.mjs';
import { detectElectron } from './electron.mjs';
import { ensureBuild } from './ensure-build.mjs';
import { node24 } from './node.mjs';
import { browserArgs, parseStart, USAGE } from './options.mjs';
import { LaunchError, note, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

const SCRIPT = fileURLToPath(import.meta.url);

/** The one place that downloads Electron's binary, because the person asked for it. */
async function installElectron() {
  note("Downloading Electron's binary ...");
  const { code } = await runChild(node24(), [join(ROOT, 'node_modules/electron/install.js')], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  });
  if (code !== 0) {
    throw new LaunchError("Electron's binary could not be downloaded; npm start -- --browser runs without it.");
  }
}

/** @param {readonly string[]} args @returns {Promise<number | undefined>} undefined: the panel runs in this process */
async function main(args) {
  const options = parseStart(args);
  if (typeof options === 'string') {
    note(`${options}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const other = await prepare(SCRIPT, args);
  if (other !== null) return other;
  await ensureBuild();
  if (options.installElectron) await installElectron();
  if (!options.browser) {
    const electron = await detectElectron();
    if (electron.ok) {
      return (await runChild(electron.exe, [ROOT, ...(options.demo ? ['--demo'] : [])], { cwd: ROOT })).code;
    }
    note(`Running in the browser, because ${electron.advice}.`);
  }
  // In this very process: no middleman has to pass signals on or can leave an orphan behind.
  const host = join(ROOT, 'dist/main/browser-main.js');
  process.argv.splice(1, Number.POSITIVE_INFINITY, host, ...browserArgs(options));
  await import(pathToFileURL(host).href);
  return undefined;
}

await runMain(() => main(process.argv.slice(2)));
