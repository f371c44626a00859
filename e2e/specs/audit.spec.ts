import { appendFileSync, closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { metnosHome, sampleHome, verdictLine } from '../fixtures/homes.ts';
import { expect, needsCases, test } from '../fixtures/test.ts';

/** In its place, byte for byte: the file is never shorter or gone meanwhile. */
function overwrite(file: string, before: string, after: string): void {
  const fd = openSync(file, 'r+');
  try {
    writeSync(fd, after, readFileSync(file).indexOf(before));
  } finally {
    closeSync(fd);
  }
}

test.describe('a home of our own', () => {
  test.use({ from: { home: sampleHome } });

  test('verdicts and operator acts beside each other; a level change is there at once', async ({ panel, page }) => {
    await panel.level('Read-only').click();
    await panel.go('Audit');
    await expect(panel.auditRows().filter({ hasText: 'copy my key' })).toHaveCount(1);
    await expect(page.locator('[role=row][data-kind="grant"]')).toHaveCount(5);
    await expect(page.locator('[role=row][data-kind="revoke"]')).toHaveCount(1);
    const change = page.locator('[role=row][data-kind="level"]');
    await expect(change).toContainText('Supervised to Read-only');
    await change.click();
    await expect(page.getByRole('complementary')).toContainText('panel.db, row 1');
  });

  test('a filter is an address', async ({ panel, page }) => {
    await panel.go('Audit');
    await expect(panel.auditRows().first()).toBeVisible();
    await page.getByRole('radio', { name: 'Verdicts', exact: true }).click();
    await expect(panel.auditRows()).toHaveCount(5);
    await page.getByRole('searchbox').fill('SOGLIA');
    await expect(panel.auditRows()).toHaveCount(1);
    await expect(panel.auditRows()).toContainText('find_files');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Score' }).click();
    await page.getByRole('dialog').getByLabel('From').fill('0.1');
    await page.getByRole('dialog').getByLabel('Below').fill('0,3');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await expect(panel.auditRows()).toHaveCount(1);
    await panel.auditRows().click();
    await expect(page.getByRole('complementary')).toContainText('The judge scored it 0.20');
    await page.reload();
    await expect(panel.auditRows()).toHaveCount(1);
    await expect(page.getByRole('complementary')).toContainText('The judge scored it 0.20');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'Time' }).click();
    await page.getByRole('button', { name: 'Last 24 hours' }).click();
    await expect(panel.auditRows()).toHaveCount(5);
  });

  test('the record: verified, and after an alteration the file and line that changed', async ({
    panel,
    page,
    home,
  }) => {
    await panel.go('Audit');
    const record = page.getByTestId('record');
    await expect(record).toHaveAttribute('data-state', 'verified');
    await expect(record).toContainText('Verified to');
    overwrite(home.currentMonthFile, 'copy my key', 'copy my cat');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(record).toHaveAttribute('data-state', 'finding');
    await expect(record).toContainText(/\d{4}-\d{2}\.jsonl, line 3: changed/);
  });

  test('a finding that is acknowledged no longer counts, stays listed, and is an act of the operator', async ({
    panel,
    page,
    home,
  }) => {
    await panel.go('Audit');
    const record = page.getByTestId('record');
    await expect(record).toHaveAttribute('data-state', 'verified');
    overwrite(home.currentMonthFile, 'copy my key', 'copy my cat');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(record).toHaveAttribute('data-state', 'finding');
    await page.getByRole('button', { name: 'Look and acknowledge…' }).press('Enter');
    await page.getByRole('button', { name: /^Acknowledge: .*jsonl$/ }).press('Enter');
    await expect(record).toHaveAttribute('data-state', 'verified');
    await expect(page.getByRole('region', { name: 'Acknowledged' })).toContainText('line 3: changed');
    await page.keyboard.press('Escape');
    await expect(record).toContainText('1 acknowledged');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(record).toHaveAttribute('data-state', 'verified');
    await page.reload();
    await page.getByRole('radio', { name: 'Operator acts' }).click();
    await expect(panel.auditRows().filter({ hasText: 'Finding acknowledged' })).toHaveCount(1);
  });

  test('what arrives is counted, and shown on a click', async ({ panel, page, home }) => {
    await panel.go('Audit');
    await expect(panel.auditRows().first()).toBeVisible();
    appendFileSync(home.currentMonthFile, verdictLine({ intent: 'just now' }));
    await page.getByText('1 new verdict').click();
    await expect(panel.auditRows().filter({ hasText: 'just now' })).toHaveCount(1);
  });
});

test.describe('a real home', () => {
  needsCases();
  test.use({ from: { home: metnosHome } });

  test('scrolling reaches the first line of the log', async ({ panel, page }) => {
    await panel.go('Audit');
    await page.getByRole('radio', { name: 'Verdicts', exact: true }).click();
    await expect(panel.auditRows().first()).toBeVisible();
    const grid = page.getByRole('grid', { name: 'Verdicts and operator acts, newest first' });
    await expect
      .poll(
        async () => {
          await grid.evaluate((box) => box.scrollTo({ top: box.scrollHeight }));
          return panel.auditRows().last().getAttribute('aria-rowindex');
        },
        { intervals: [100], timeout: 30_000 },
      )
      .toBe('860');
    await expect(page.getByText('The beginning of the log.')).toBeVisible();
  });
});
