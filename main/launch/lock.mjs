import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LaunchError, note, ROOT } from './root.mjs';

const LIMIT_MS = 15 * 60_000;

/** @param {number} pid @returns {string | null} the process's start time, so that a reused number is not taken for it */
function startTime(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** @param {string} owner as written in the lock file @returns {boolean} */
function isAlive(owner) {
  const [pid = '', started = ''] = owner.split(' ');
  const number = Number(pid);
  if (!Number.isInteger(number) || number <= 0) return false;
  try {
    process.kill(number, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  return started === '' || startTime(number) === null || startTime(number) === started;
}

/** @param {string} file @param {string} owner @returns {boolean} whether the lock is ours now */
function tryTake(file, owner) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, owner);
  try {
    // A link appears whole, so nobody ever reads a lock without its owner.
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** @param {string} file @returns {string | null} */
function ownerOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/** @param {string} file @param {string} dead */
function clearStale(file, dead) {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
    // Another waiter may have cleared it first and hold it by now: give it back.
    if (ownerOf(aside) !== dead) linkSync(aside, file);
  } catch {
    // The next try sees what is there.
  }
  rmSync(aside, { force: true });
}

/**
 * Does `work` while no other launch script does work under the same name; one that is at it is waited for,
 * one that died is not.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder]
 * @returns {Promise<T>}
 */
export async function withLock(name, work, folder = join(ROOT, '.cache')) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.lock`);
  const owner = `${process.pid} ${startTime(process.pid) ?? ''}`;
  const since = Date.now();
  let told = false;
  while (!tryTake(file, owner)) {
    const holder = ownerOf(file);
    if (holder !== null && !isAlive(holder)) {
      clearStale(file, holder);
      continue;
    }
    if (!told) {
      note(`Waiting for another ${name} of this project to end (process ${holder?.split(' ')[0] ?? '?'}) ...`);
      told = true;
    }
    if (Date.now() - since > LIMIT_MS) {
      throw new LaunchError(`Another ${name} has held ${file} for 15 minutes. End it, or delete that file.`);
    }
    await sleep(100);
  }
  try {
    return await work();
  } finally {
    if (ownerOf(file) === owner) rmSync(file, { force: true });
  }
}
