import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { _electron, expect, test } from '@playwright/test';
import { sampleHome } from '../fixtures/homes.ts';

const root = resolve(import.meta.dirname, '../..');
const binary = resolve(
  root,
  'node_modules/electron/dist',
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform as string] ?? 'electron',
);
const display = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

test.skip(
  !existsSync(binary),
  `skipped: Electron's binary is not there (${binary}); npm start -- --install-electron fetches it`,
);
test.skip(!display, 'skipped: Electron needs a display (DISPLAY or WAYLAND_DISPLAY)');

test('the desktop window shows the same panel, and its page can reach nothing else', async () => {
  const home = sampleHome();
  const app = await _electron.launch({
    executablePath: binary,
    args: [root, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...process.env, HOME: home.path } as Record<string, string>,
  });
  const page = await app.firstWindow();
  await expect(page.getByRole('heading', { level: 1, name: 'Live' })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Verdicts, newest first' })).toContainText('copy my key');
  expect(page.url()).toMatch(/^app:\/\//);
  expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined');
  const lines = await page.evaluate(async () => (await fetch('/export?format=jsonl')).text());
  expect(lines.trimEnd().split('\n')).toHaveLength(5);
  await app.close();
  home.remove();
});
