import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** @typedef {'main' | 'renderer'} Part */

/** @type {readonly Part[]} */
export const PARTS = ['main', 'renderer'];

/** What each part of the build is made from: folders (whole) and files, from the root. */
const INPUTS = {
  main: [
    ...['main', 'shared', 'package.json', 'package-lock.json'],
    ...['vite.main.config.ts', 'vite.preload.config.ts', 'vite.hook.config.ts'],
  ],
  renderer: ['renderer', 'shared', 'vite.renderer.config.ts', 'package.json', 'package-lock.json'],
};

/** In the source folders but in no bundle: a change there needs no build. */
const IGNORED = /\.test\.tsx?$|\.stand-in\.ts$|^main\/(bench\/|launch\/(?!build|freshness))/;

/** @param {string} path from the root @param {string} root @param {string[]} found */
function walk(path, root, found) {
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) walk(child, root, found);
    else if (entry.isFile() && !IGNORED.test(child)) found.push(child);
  }
}

/**
 * A fingerprint of everything a part is made from: names, sizes and times of change, so that a file that
 * went away or came back with an old date counts too.
 * @param {Part} part
 * @param {string} [root]
 */
export function fingerprint(part, root = ROOT) {
  /** @type {string[]} */
  const files = [];
  for (const input of INPUTS[part]) {
    const stat = statSync(join(root, input), { throwIfNoEntry: false });
    if (stat?.isDirectory()) walk(input, root, files);
    else if (stat) files.push(input);
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const stat = statSync(join(root, file), { throwIfNoEntry: false });
    hash.update(`${file}\0${stat?.size ?? -1}\0${stat?.mtimeMs ?? -1}\n`);
  }
  return hash.digest('hex');
}

/** @typedef {{fingerprint: string, files: string[]}} Stamp */

/** @param {Part} part @param {string} [root] */
export function stampFile(part, root = ROOT) {
  return join(root, 'dist', part, '.stamp.json');
}

/** @param {Part} part @param {string} [root] @returns {Stamp | null} null when there is no complete build */
export function readStamp(part, root = ROOT) {
  try {
    return JSON.parse(readFileSync(stampFile(part, root), 'utf8'));
  } catch {
    return null;
  }
}

/** @param {Part} part @param {string} [root] */
export function isFresh(part, root = ROOT) {
  const stamp = readStamp(part, root);
  return stamp !== null && stamp.fingerprint === fingerprint(part, root);
}
