import { appendFileSync } from 'node:fs';
import { SSH_REASON, sampleHome, verdictLine } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

test('newest first; a line that another process appends is there within a second', async ({ panel, home }) => {
  await expect(panel.verdictRows()).toHaveCount(5);
  await expect(panel.verdictRows().first()).toContainText('compute_sum');
  appendFileSync(home.currentMonthFile, verdictLine({ intent: 'a line from elsewhere', executor: 'list_events' }));
  await expect(panel.verdictRows().first()).toContainText('a line from elsewhere', { timeout: 1000 });
});

test('a half-written line waits for its rest', async ({ panel, home }) => {
  await expect(panel.verdictRows()).toHaveCount(5);
  const line = verdictLine({ intent: 'written in two halves' });
  appendFileSync(home.currentMonthFile, line.slice(0, 40));
  appendFileSync(home.currentMonthFile, line.slice(40));
  await expect(panel.verdictRows().first()).toContainText('written in two halves');
  await expect(panel.verdictRows()).toHaveCount(6);
});

test('paused: nothing moves and nothing is lost', async ({ panel, page, home }) => {
  await expect(panel.verdictRows()).toHaveCount(5);
  await page.getByRole('button', { name: /Pause/ }).click();
  appendFileSync(home.currentMonthFile, verdictLine({ intent: 'first while paused' }));
  appendFileSync(home.currentMonthFile, verdictLine({ intent: 'second while paused' }));
  await expect(page.getByText('2 new verdicts')).toBeVisible();
  await expect(panel.verdictRows()).toHaveCount(5);
  await page.getByRole('button', { name: /Resume/ }).click();
  await expect(panel.verdictRows()).toHaveCount(7);
});

test('a row opens its reason, rule and the line as it stands in the file', async ({ panel, page }) => {
  await panel.verdictRows().filter({ hasText: 'copy my key' }).click();
  await expect(page.getByText('The guard stopped it: an argument names a protected path.')).toBeVisible();
  await expect(page.getByText(SSH_REASON, { exact: false }).first()).toBeVisible();
});

test('filters by outcome and phase', async ({ panel, page }) => {
  await expect(panel.verdictRows()).toHaveCount(5);
  await page.getByRole('radio', { name: 'Denied' }).click();
  await expect(panel.verdictRows()).toHaveCount(2);
  await page.getByRole('button', { name: 'Judge' }).click();
  await expect(panel.verdictRows()).toHaveCount(1);
  await expect(panel.verdictRows()).toContainText('find_files');
});

test('text from outside stays text, and what is invisible is shown', async ({ panel, page, home }) => {
  const intent = '<img src=x onerror=alert(1)> \u202Eabc\u200B';
  appendFileSync(home.currentMonthFile, verdictLine({ intent }));
  const row = panel.verdictRows().first();
  await expect(row).toContainText('<img src=x onerror=alert(1)>');
  await expect(row.locator('img[src]')).toHaveCount(0);
  await expect(row.getByRole('img', { name: /202E/ })).toBeVisible();
  await expect(page.locator('body')).toContainText('<img');
});
