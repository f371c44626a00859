import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint, isFresh, PARTS, readStamp } from './freshness.mjs';
import { withLock } from './lock.mjs';
import { LaunchError, note, ROOT, runMain } from './root.mjs';
import { prepare } from './setup.mjs';

/** @typedef {import('./freshness.mjs').Part} Part */

const SCRIPT = fileURLToPath(import.meta.url);

/** @type {Record<Part, string[]>} */
const CONFIGS = {
  main: ['vite.main.config.ts', 'vite.preload.config.ts', 'vite.hook.config.ts'],
  renderer: ['vite.renderer.config.ts'],
};

/** @param {string} folder @returns {string[]} files below it, from it */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/**
 * A bundle that names a folder of the machine it was built on runs nowhere else.
 * @param {string} folder
 * @param {string[]} files
 */
function refuseOwnPaths(folder, files) {
  for (const file of files) {
    if (/\.(js|cjs|css|html|json)$/.test(file) && readFileSync(join(folder, file), 'utf8').includes(`${ROOT}/`)) {
      throw new LaunchError(`The bundle ${file} contains the path ${ROOT}/ of this machine.`);
    }
  }
}

/**
 * Bundles one part beside the old one and swaps them when it is whole, so that a build that fails leaves what
 * worked. Files that only the last build had live one build longer: a panel that
 * runs may still ask for them.
 * @param {Part} part
 * @param {typeof import('vite').build} bundle
 */
async function buildPart(part, bundle) {
  const before = fingerprint(part);
  const target = join(ROOT, 'dist', part);
  const draft = join(ROOT, 'dist', `.${part}-${process.pid}`);
  const old = `${draft}-old`;
  try {
    for (const [index, config] of CONFIGS[part].entries()) {
      await bundle({
        root: part === 'renderer' ? join(ROOT, 'renderer') : ROOT,
        configFile: join(ROOT, config),
        logLevel: 'warn',
        build: { outDir: draft, emptyOutDir: index === 0 },
      });
    }
    const files = filesBelow(draft);
    refuseOwnPaths(draft, files);
    for (const file of readStamp(part)?.files ?? []) {
      const from = join(target, file);
      if (files.includes(file) || !existsSync(from)) continue;
      mkdirSync(dirname(join(draft, file)), { recursive: true });
      cpSync(from, join(draft, file));
    }
    writeFileSync(join(draft, '.stamp.json'), JSON.stringify({ fingerprint: before, files }));
    if (existsSync(target)) renameSync(target, old);
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

/** @typedef {{name: string, version: string, identifier: string | null, text: string | null}} License */

/** The bundles carry other people's work: their notices, once each, in dist/THIRD-PARTY.txt. */
function writeNotices() {
  /** @type {Map<string, string>} */
  const notices = new Map();
  for (const part of PARTS) {
    const file = join(ROOT, 'dist', part, 'third-party.json');
    if (!existsSync(file)) continue;
    for (const { name, version, identifier, text } of /** @type {License[]} */ (
      JSON.parse(readFileSync(file, 'utf8'))
    )) {
      const title = `${name} ${version} (${identifier ?? 'see its text'})`;
      notices.set(title, `${title}\n\n${text?.trim() ?? ''}\n`);
    }
  }
  const sorted = [...notices].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  writeFileSync(join(ROOT, 'dist/THIRD-PARTY.txt'), sorted.join(`\n${'-'.repeat(80)}\n\n`));
}

/** @param {readonly string[]} args `--if-stale`, then the parts to build; all when none is named */
async function main(args) {
  const other = await prepare(SCRIPT, args);
  if (other !== null) return other;
  const ifStale = args[0] === '--if-stale';
  const named = ifStale ? args.slice(1) : args;
  const unknown = named.find((arg) => !PARTS.includes(/** @type {Part} */ (arg)));
  if (unknown !== undefined) {
    note(`There is no part named ${unknown}. Usage: npm run build [-- ${PARTS.join(' | ')}]`);
    return 2;
  }
  const parts = named.length > 0 ? PARTS.filter((part) => named.includes(part)) : PARTS;
  // A test run's own value would bundle React's development half, with the paths of this machine in it.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  await withLock('build', async () => {
    for (const part of parts) {
      // Whoever held the lock before may have done it.
      if (ifStale && isFresh(part)) continue;
      const started = performance.now();
      await buildPart(part, build);
      note(`Built dist/${part} in ${Math.round(performance.now() - started)} ms`);
    }
    writeNotices();
  });
  return 0;
}

await runMain(() => main(process.argv.slice(2)));
