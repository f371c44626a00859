import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { withLock } from './lock.mjs';
import { reexec } from './node.mjs';
import { LaunchError, note, ROOT } from './root.mjs';

/** @typedef {{version?: string, integrity?: string, optional?: boolean, devOptional?: boolean}} Locked */

/** @param {string} root */
function expectedStamp(root) {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return JSON.stringify({
    lock: createHash('sha256').update(lock).digest('hex'),
    platform: process.platform,
    arch: process.arch,
  });
}

/** @param {string} file @returns {string | null} */
function readOrNull(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Whether npm's own record of what is installed says the same as the lock. Entries that only some platforms
 * install may be missing.
 * @param {string} lockText package-lock.json
 * @param {string} installedText node_modules/.package-lock.json
 */
export function sameAsLock(lockText, installedText) {
  /** @type {{packages?: Record<string, Locked>}} */
  const lock = JSON.parse(lockText);
  /** @type {{packages?: Record<string, Locked>}} */
  const installed = JSON.parse(installedText);
  const have = installed.packages ?? {};
  for (const [path, entry] of Object.entries(lock.packages ?? {})) {
    if (path === '') continue;
    const there = have[path];
    if (!there) {
      if (entry.optional || entry.devOptional) continue;
      return false;
    }
    if (there.version !== entry.version || there.integrity !== entry.integrity) return false;
  }
  return true;
}

/**
 * Whether node_modules is what package-lock.json asks for. The full comparison is done once per lock; after
 * that a stamp in node_modules answers.
 * @param {string} [root]
 */
export function dependenciesAreCurrent(root = ROOT) {
  const stampFile = join(root, 'node_modules/.vaglio-setup.json');
  const wanted = expectedStamp(root);
  if (readOrNull(stampFile) === wanted) return true;
  const installed = readOrNull(join(root, 'node_modules/.package-lock.json'));
  if (installed === null) return false;
  try {
    if (!sameAsLock(readFileSync(join(root, 'package-lock.json'), 'utf8'), installed)) return false;
  } catch {
    return false;
  }
  writeStamp(stampFile, wanted);
  return true;
}

/** @param {string} file @param {string} text */
function writeStamp(file, text) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/**
 * Installs the pinned dependencies when they are missing or are not those of the lock.
 * @throws {LaunchError} when npm fails
 */
export async function ensureDependencies() {
  if (dependenciesAreCurrent()) return;
  await withLock('set-up', async () => {
    if (dependenciesAreCurrent()) return;
    note('Installing the pinned dependencies (npm ci) ...');
    // npm under the same Node that runs this; a silent `npm run -s` must not silence an error of this one,
    // and a production setting must not leave the build tools out.
    const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--no-progress'];
    const cli = process.env.npm_execpath;
    const [command, full] = cli && /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
    const { code, signal } = await runChild(command, full, { cwd: ROOT, stdio: ['ignore', 2, 2] });
    if (signal) process.exit(code);
    if (code !== 0) {
      throw new LaunchError(
        `npm ci ended with code ${code}; its message is above. It needs the npm registry: check the network and run the command again.`,
      );
    }
    if (!existsSync(join(ROOT, 'node_modules'))) throw new LaunchError('npm ci left no node_modules behind.');
    writeStamp(join(ROOT, 'node_modules/.vaglio-setup.json'), expectedStamp(ROOT));
  });
}

/**
 * Every script's first step: dependencies, then a Node that is new enough.
 * @param {string} script `import.meta.filename` of the caller, run again when another Node is needed
 * @param {readonly string[]} args
 * @returns {Promise<number | null>} the exit code when the work was done by another Node, else null
 */
export async function prepare(script, args) {
  await ensureDependencies();
  return reexec(script, args);
}
