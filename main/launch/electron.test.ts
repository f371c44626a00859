import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { detectElectron } from './electron.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vaglio-electron-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function install(parts: { version?: string; binary?: string; mode?: number }) {
  const folder = join(root, 'node_modules/electron');
  mkdirSync(join(folder, 'dist'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"electron","version":"45.5.0"}');
  // As the real one: loading it would start a download.
  writeFileSync(join(folder, 'index.js'), 'throw new Error("the electron module was loaded");');
  if (parts.binary === undefined) return;
  writeFileSync(join(folder, 'path.txt'), 'electron');
  writeFileSync(join(folder, 'dist/version'), parts.version ?? '45.5.0');
  writeFileSync(join(folder, 'dist/electron'), `#!/bin/sh\n${parts.binary}\n`, { mode: parts.mode ?? 0o755 });
}

const detect = (env: NodeJS.ProcessEnv = { DISPLAY: ':0' }) =>
  detectElectron({ root, env, platform: 'linux', limitMs: 300 });

test('a binary that answers with the pinned version is taken', async () => {
  install({ binary: 'echo v45.5.0' });
  expect(await detect()).toEqual({ ok: true, exe: join(root, 'node_modules/electron/dist/electron') });
  expect(await detect({ WAYLAND_DISPLAY: 'wayland-0' })).toMatchObject({ ok: true });
});

test.each([
  ['no-binary', {}],
  ['no-binary', { binary: 'echo v45.5.0', mode: 0o644 }],
  ['stale-binary', { binary: 'echo v45.5.0', version: '44.0.0' }],
  ['stale-binary', { binary: 'echo v44.0.0' }],
  ['hung', { binary: 'sleep 60' }],
  ['broken', { binary: 'echo "error while loading shared libraries: libnss3.so" >&2; exit 127' }],
  ['broken', { binary: 'kill -SEGV $$' }],
  ['broken', { binary: 'echo hello' }],
])('%s, with advice', async (reason, parts) => {
  install(parts);
  const found = await detect();
  expect(found).toMatchObject({ ok: false, reason, advice: expect.stringMatching(/\S/) });
});

test('a binary that complains is quoted', async () => {
  install({ binary: 'echo "error while loading shared libraries: libnss3.so" >&2; exit 127' });
  expect(await detect()).toMatchObject({ advice: expect.stringContaining('libnss3.so') });
});

test('not-installed and no-display', async () => {
  expect(await detect()).toMatchObject({ ok: false, reason: 'not-installed' });
  install({ binary: 'echo v45.5.0' });
  expect(await detect({})).toMatchObject({ ok: false, reason: 'no-display' });
});
