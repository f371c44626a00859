import { readFileSync } from 'node:fs';
import { sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

test('an export holds what the filter shows', async ({ panel, page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.reload();
  await panel.go('Audit');
  await page.getByRole('radio', { name: 'Denied' }).click();
  await expect(panel.auditRows()).toHaveCount(2);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Export' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'JSON lines' }).click()),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line).intent).sort()).toEqual(['copy my key', 'read my notes']);
});

test('an export is streamed into the file that was chosen', async ({ panel, page }) => {
  // The real thing but for the dialog, which nobody can press here: a file of the browser's own.
  await page.addInitScript(() => {
    const pick = async () => (await navigator.storage.getDirectory()).getFileHandle('chosen', { create: true });
    Object.assign(window, { showSaveFilePicker: pick });
  });
  await page.reload();
  await panel.go('Audit');
  await expect(panel.auditRows().first()).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'CSV table' }).click();
  await expect(page.getByText('5 rows exported', { exact: true })).toBeVisible();
  const text = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    return (await (await root.getFileHandle('chosen')).getFile()).text();
  });
  expect(text.trimEnd().split('\r\n')).toHaveLength(6);
});
