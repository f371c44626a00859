import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { startHost } from '../fixtures/browser-host.ts';
import { emptyHome, sampleHome, type TempHome, verdictLine } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.describe('an empty home', () => {
  test.use({ from: { home: emptyHome } });

  test('says what it looks for, and fills by itself when the log appears', async ({ panel, page, home }) => {
    await expect(page.getByText('No verdicts yet')).toBeVisible();
    await panel.go('Grants');
    await expect(page.getByText('No active grants')).toBeVisible();
    await panel.go('Matrix');
    await expect(page.locator('[role=gridcell][data-outcome]')).toHaveCount(39);
    await panel.go('Live');
    mkdirSync(home.verdictLog, { recursive: true });
    writeFileSync(home.currentMonthFile, verdictLine({ intent: 'the first line of all' }));
    await expect(panel.verdictRows()).toContainText('the first line of all');
  });
});

function damaged(): TempHome {
  const home = sampleHome();
  writeFileSync(home.grantsDb, 'this is no database, and it stays as it is');
  return home;
}

test.describe('a damaged grants.db', () => {
  test.use({ from: { home: damaged } });

  test('is named, stays untouched, and the rest works', async ({ panel, page, home }) => {
    await panel.go('Grants');
    await expect(page.getByRole('alert').filter({ hasText: 'grants.db' })).toBeVisible();
    await page.getByRole('button', { name: /problem/ }).click();
    await expect(page.getByText('Damaged', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await panel.go('Live');
    await expect(panel.verdictRows()).toHaveCount(5);
    await panel.go('Matrix');
    await expect(page.locator('[role=gridcell][data-outcome]')).toHaveCount(39);
    expect(readFileSync(home.grantsDb, 'utf8')).toBe('this is no database, and it stays as it is');
  });
});

test.describe('a broken log line', () => {
  test.use({ from: { home: sampleHome } });

  test('is counted, said where it is, and stops nothing', async ({ panel, page, home }) => {
    await expect(panel.verdictRows()).toHaveCount(5);
    appendFileSync(home.currentMonthFile, '{"approved": tru\n');
    appendFileSync(home.currentMonthFile, verdictLine({ intent: 'after the broken one' }));
    await expect(panel.verdictRows().first()).toContainText('after the broken one');
    await page.getByRole('button', { name: '1 unreadable line' }).click();
    await expect(page.getByText(/line 6/)).toBeVisible();
  });

  test('a second instance hands over to the first and ends with 0', async ({ panel, home }) => {
    await expect(panel.verdictRows()).toHaveCount(5);
    const second = await startHost(home.path).then(
      () => null,
      (error: unknown) => String(error),
    );
    expect(second).toContain('exited with 0');
    expect(second).toContain('Panel already running: http://127.0.0.1:');
  });
});

test('a port in use is named, with what to do', async () => {
  const home = emptyHome();
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => taken.once('listening', done));
  const address = taken.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const said = await startHost(home.path, ['--port', String(port)]).then(
    () => null,
    (error: unknown) => String(error),
  );
  taken.close();
  home.remove();
  expect(said).toContain('exited with 1');
  expect(said).toContain(String(port));
});

test('ends with 0 within two seconds of SIGTERM, and leaves no lock behind', async () => {
  const home = sampleHome();
  const host = await startHost(home.path);
  const { code, ms } = await host.stop();
  expect(code).toBe(0);
  expect(ms).toBeLessThan(2000);
  const again = await startHost(home.path);
  expect((await again.stop()).code).toBe(0);
  expect(dirname(home.panelDb)).toContain('metnos');
  home.remove();
});
