import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** As Electron 45 ships it: version 1, nine fuses, each at its default. */
const WIRE = '\x01\x09101011001';
const folder = mkdtempSync(join(tmpdir(), 'vaglio-package-'));
const app = join(folder, 'release/linux-unpacked');

/** The paths inside an asar archive; its header is JSON behind four lengths. */
function asarFiles(file: string): string[] {
  const bytes = readFileSync(file);
  const header: unknown = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12)));
  const list = (node: unknown, path: string): string[] => {
    const files = (node as { files?: Record<string, unknown> }).files;
    return files ? Object.entries(files).flatMap(([name, child]) => list(child, `${path}/${name}`)) : [path];
  };
  return list(header, '');
}

beforeAll(async () => {
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'resources'), { recursive: true });
  mkdirSync(join(dist, 'locales'));
  writeFileSync(join(dist, 'electron'), `#!/bin/sh\n# ${SENTINEL}${WIRE}\n`, { mode: 0o755 });
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'locales/en-US.pak']) writeFileSync(join(dist, name), '');
  writeFileSync(join(dist, 'version'), '45.5.0');
  const args = ['main/launch/package.mjs', '--linux', '--x64', '--dir'];
  await promisify(execFile)(process.execPath, [...args, `-c.directories.output=${join(folder, 'release')}`], {
    cwd: root,
    env: { ...process.env, VAGLIO_ELECTRON_DIST: dist },
  });
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds the bundles, the notices and better-sqlite3 for its platform, and nothing else', () => {
  const files = asarFiles(join(app, 'resources/app.asar'));
  const allowed = [
    /^\/(package\.json|LICENSE|dist\/THIRD-PARTY\.txt)$/,
    /^\/dist\/(main|renderer)\/.*[^/]$/,
    /^\/node_modules\/better-sqlite3\/(LICENSE|package\.json|lib\/.*\.js|prebuilds\/linux(musl)?-x64\.node)$/,
  ];
  expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
  for (const file of [
    '/dist/main/main.js',
    '/dist/main/preload.cjs',
    '/dist/main/audit-index.worker.js',
    '/dist/main/turns.worker.js',
    '/dist/renderer/index.html',
    '/dist/THIRD-PARTY.txt',
  ]) {
    expect(files).toContain(file);
  }
  expect(existsSync(join(app, 'resources/app.asar.unpacked/dist/main/hook.cjs'))).toBe(true);
  const native = 'resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds/linux-x64.node';
  expect(existsSync(join(app, native))).toBe(true);
});

test('the fuses are set: run-as-node off, cookies encrypted, options and inspector off, asar checked and alone, no file privileges', () => {
  const binary = readFileSync(join(app, 'vaglio'), 'latin1');
  const wire = binary.slice(binary.indexOf(SENTINEL) + SENTINEL.length + 2).slice(0, 8);
  // In the order of Electron's wire; the seventh, a snapshot of its own, stays as it was.
  expect(wire).toBe('01001100');
});
