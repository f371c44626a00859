import { sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

test('counts what the log holds, with a table behind each chart', async ({ panel, page }) => {
  await panel.go('Statistics');
  await expect.poll(() => panel.tile('total')).toBe(5);
  expect(await panel.tile('approved')).toBe(3);
  expect(await panel.tile('guard')).toBe(1);
  expect(await panel.tile('judge')).toBe(1);
  await expect(page.locator('[data-rule="(^|/)\\\\.ssh(/|$)"]')).toBeVisible();
});

test('a figure leads to the rows behind it', async ({ panel, page }) => {
  await panel.go('Statistics');
  await expect.poll(() => panel.tile('guard')).toBe(1);
  await page.locator('[data-tile="guard"]').getByRole('link').click();
  await expect(panel.heading('Audit')).toBeVisible();
  await expect(panel.auditRows()).toHaveCount(1);
  await expect(panel.auditRows()).toContainText('copy my key');
});

test('a bin of the scores leads to its rows', async ({ panel, page }) => {
  await panel.go('Statistics');
  await expect.poll(() => panel.tile('total')).toBe(5);
  await page.locator('[data-bin="0.70"]').click();
  await expect(panel.heading('Audit')).toBeVisible();
  await expect(panel.auditRows()).toHaveCount(3);
  expect(page.url()).toContain('min=0.7&max=0.75');
});
