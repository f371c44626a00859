import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { captureChild, runChild } from './child.mjs';
import { withLock } from './lock.mjs';
import { node24 } from './node.mjs';
import { LaunchError, note, ROOT } from './root.mjs';

const SPARTICUZ = '@sparticuz/chromium@153.0.0';
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
];
const DOWNLOAD_LIMIT_MS = 180_000;

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string | null} where Playwright keeps its own, when it is there */
function playwrightsOwn() {
  try {
    const require = createRequire(join(ROOT, 'package.json'));
    /** @type {string} */
    const file = require('@playwright/test').chromium.executablePath();
    return isExecutable(file) ? file : null;
  } catch {
    return null;
  }
}

/** @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
async function quietly(command, args, env = {}) {
  try {
    const { code, output } = await captureChild(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      timeout: DOWNLOAD_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    if (code !== 0) note(`  no: ${output.trim().split('\n').at(-1) || `exit code ${code}`}`);
    return code === 0 ? output : null;
  } catch (error) {
    note(`  no: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}

/** @returns {Promise<string | null>} */
async function fromDebian() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null;
  note("Installing Debian's package chromium for the tests ...");
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const { code } = await runChild('apt-get', args, { env: { ...process.env, ...env }, stdio: ['ignore', 2, 2] });
    if (code !== 0) return null;
  }
  return SYSTEM.find(isExecutable) ?? null;
}

/** @returns {Promise<string | null>} */
async function fromPlaywright() {
  note("Downloading Playwright's own Chromium for the tests ...");
  const cli = join(ROOT, 'node_modules/@playwright/test/cli.js');
  await quietly(node24(), [cli, 'install', 'chromium']);
  return playwrightsOwn();
}

/** @returns {Promise<string | null>} */
async function fromNpm() {
  note(`Installing ${SPARTICUZ} into .cache for the tests ...`);
  const folder = join(ROOT, '.cache/chromium');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const install = ['install', '--prefix', folder, '--no-save', '--no-package-lock', '--loglevel=error', SPARTICUZ];
  if ((await quietly('npm', install)) === null) return null;
  const unpack = "console.log(await (await import('@sparticuz/chromium')).default.executablePath())";
  const script = join(folder, 'unpack.mjs');
  writeFileSync(script, `${unpack}\n`);
  const said = await quietly(node24(), [script], { TMPDIR: folder });
  const file = said?.trim().split('\n').at(-1) ?? '';
  return isExecutable(file) ? file : null;
}

/**
 * A Chromium for the tests: the one named by VAGLIO_CHROMIUM, one that is there, or one that is fetched now.
 * @returns {Promise<string>} path of the binary
 * @throws {LaunchError} when none is there and none can be fetched
 */
export async function ensureChromium() {
  const named = process.env.VAGLIO_CHROMIUM;
  if (named) {
    if (!isExecutable(named)) throw new LaunchError(`VAGLIO_CHROMIUM is ${named}, which is not a program.`);
    return named;
  }
  const unpacked = join(ROOT, '.cache/chromium/chromium');
  const there = SYSTEM.find(isExecutable) ?? playwrightsOwn() ?? (isExecutable(unpacked) ? unpacked : null);
  if (there) return there;
  const fetched = await withLock('chromium', async () => {
    for (const way of [fromDebian, fromPlaywright, fromNpm]) {
      const file = await way();
      if (file) return file;
    }
    return null;
  });
  if (fetched) return fetched;
  throw new LaunchError(
    'There is no Chromium for the tests and none could be fetched. Install one and set VAGLIO_CHROMIUM to its path.',
  );
}
