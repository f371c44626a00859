import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
const wall = 'lint/style/noRestrictedImports';
const cycle = 'lint/suspicious/noImportCycles';

/** An import across a wall, and the nearest one that is allowed, in the same file or in another. */
interface Planted {
  path: string;
  fault: string;
  cleanPath?: string;
  clean: string;
}

const planted: Planted[] = [
  ...['react', 'node:fs', 'fs', '@trpc/server', 'better-sqlite3', 'vitest'].map((name) => ({
    path: 'shared/domain/a.ts',
    fault: `import '${name}';`,
    clean: `import { z } from 'zod'; export const a = z;`,
  })),
  { path: 'shared/a.ts', fault: `import '../main/b.ts';`, clean: `import './b.ts';` },
  { path: 'shared/a.ts', fault: `export { b } from '../renderer/b.ts';`, clean: `export { b } from './b.ts';` },
  { path: 'shared/a.test.ts', fault: `import 'node:fs';`, clean: `import 'vitest'; import 'fast-check';` },
  { path: 'main/grants/a.ts', fault: `import '../../renderer/ui/b.ts';`, clean: `import '../../shared/b.ts';` },
  { path: 'main/grants/a.ts', fault: `import '../../e2e/fixtures/b.ts';`, clean: `import '../db/b.ts';` },
  { path: 'main/grants/a.test.ts', fault: `import '../../renderer/ui/b.ts';`, clean: `import 'ws';` },
  { path: 'main/grants/a.ts', fault: `import 'react';`, clean: `import 'zod';` },
  {
    path: 'main/rpc/a.ts',
    fault: `import type { App } from 'electron';`,
    cleanPath: 'main/app/a.ts',
    clean: `import type { App } from 'electron';`,
  },
  {
    path: 'main/host/a.ts',
    fault: `await import('electron');`,
    cleanPath: 'main/main.ts',
    clean: `await import('electron');`,
  },
  {
    path: 'main/rpc/transports/loopback-ws.ts',
    fault: `import 'electron';`,
    cleanPath: 'main/rpc/transports/electron-ipc.ts',
    clean: `import 'electron';`,
  },
  {
    path: 'main/host/b.ts',
    fault: `import 'electron/main';`,
    cleanPath: 'main/preload.ts',
    clean: `import 'electron/renderer';`,
  },
  {
    path: 'main/audit/a.ts',
    fault: `import D from 'better-sqlite3'; D;`,
    cleanPath: 'main/db/a.ts',
    clean: `import D from 'better-sqlite3'; D;`,
  },
  { path: 'main/app/b.ts', fault: `import 'better-sqlite3';`, clean: `import 'electron';` },
  {
    path: 'main/host/c.ts',
    fault: `import 'ws';`,
    cleanPath: 'main/rpc/transports/loopback-ws.ts',
    clean: `import 'ws';`,
  },
  { path: 'main/db/b.ts', fault: `import 'ws';`, clean: `import 'better-sqlite3';` },
  { path: 'main/db/c.ts', fault: `import 'electron';`, clean: `import 'node:fs';` },
  ...['electron', 'better-sqlite3', 'ws', 'node:fs', 'fs', '@trpc/server', 'chokidar'].map((name) => ({
    path: 'renderer/ui/a.ts',
    fault: `import '${name}';`,
    clean: `import 'react'; import '@trpc/client';`,
  })),
  {
    path: 'renderer/ui/b.ts',
    fault: `import type { R } from '../../main/rpc/router.ts';`,
    cleanPath: 'renderer/rpc/b.ts',
    clean: `import type { R } from '../../main/rpc/router.ts';`,
  },
  {
    path: 'renderer/rpc/c.ts',
    fault: `import '../../main/rpc/procedures.ts';`,
    clean: `import '../../shared/rpc/all.ts';`,
  },
  { path: 'renderer/ui/c.ts', fault: `import '../../e2e/data/a.ts';`, clean: `import './d.ts';` },
  {
    path: 'e2e/specs/a.ts',
    fault: `import '../../main/db/a.ts';`,
    clean: `import '../../shared/a.ts'; import '@playwright/test';`,
  },
  { path: 'e2e/specs/b.ts', fault: `import '../../renderer/ui/a.ts';`, clean: `import '../fixtures/a.ts';` },
  { path: 'e2e/specs/c.ts', fault: `import 'electron';`, clean: `import 'node:sqlite';` },
];

/** One run of Biome, with the project's own settings, over a folder of planted files: `path:line rule`. */
async function biomeFinds(files: ReadonlyMap<string, readonly string[]>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'vaglio-walls-'));
  try {
    copyFileSync(join(root, 'biome.json'), join(folder, 'biome.json'));
    writeFileSync(join(folder, '.gitignore'), 'dist\n');
    for (const [path, lines] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${lines.join('\n')}\n`);
    }
    const args = [biome, 'lint', '--reporter=github', '--max-diagnostics=none', '.'];
    const output = await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
      (done) => done.stdout,
      (failed: { stdout: string }) => failed.stdout,
    );
    const found = [...output.matchAll(/^::\w+ title=([^,]+),file=([^,]+),line=(\d+)/gm)];
    return found
      .filter(([, rule]) => rule === wall || rule === cycle)
      .map(
        ([, rule, file = '', line]) =>
          `${file.slice(file.indexOf(basename(folder)) + basename(folder).length + 1)}:${line} ${rule}`,
      )
      .sort();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts every planted line into the file it belongs to, and says where each one went. */
function lay(rows: readonly { path: string; source: string }[]) {
  const files = new Map<string, string[]>();
  const places = rows.map(({ path, source }) => {
    const lines = files.get(path) ?? [];
    files.set(path, lines);
    lines.push(source);
    return `${path}:${lines.length}`;
  });
  return { files, places };
}

test('every import across a wall is reported by the wall, and nothing else is', async () => {
  const { files, places } = lay(planted.map(({ path, fault }) => ({ path, source: fault })));
  expect(await biomeFinds(files)).toEqual(places.map((place) => `${place} ${wall}`).sort());
});

test('the nearest import that is allowed is not reported', async () => {
  const { files } = lay(planted.map(({ path, cleanPath, clean }) => ({ path: cleanPath ?? path, source: clean })));
  expect(await biomeFinds(files)).toEqual([]);
});

test('a cycle of imports is reported, a chain and a cycle of types are not', async () => {
  const cyclic = new Map([
    ['main/turns/a.ts', [`import { b } from './b.ts';`, 'export const a = () => b;']],
    ['main/turns/b.ts', [`import { a } from './a.ts';`, 'export const b = () => a;']],
  ]);
  expect(await biomeFinds(cyclic)).toEqual([`main/turns/a.ts:1 ${cycle}`, `main/turns/b.ts:1 ${cycle}`]);
  const chain = new Map([
    ['main/turns/a.ts', [`import { b } from './b.ts';`, 'export type A = string;', 'export const a = () => b;']],
    ['main/turns/b.ts', [`import type { A } from './a.ts';`, `export const b: A = '';`]],
  ]);
  expect(await biomeFinds(chain)).toEqual([]);
});
