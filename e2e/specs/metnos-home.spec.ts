import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { casesDir, metnosHome, type TempHome, verdictLine } from '../fixtures/homes.ts';
import { expect, needsCases, test } from '../fixtures/test.ts';

needsCases();
test.use({ from: { home: metnosHome } });

interface Line {
  approved: boolean;
  blocked_by: string | null;
  executor: string;
}

/** Counts the files themselves, as `jq` would; none of our code takes part. */
function linesOf(home: TempHome): Line[] {
  return readdirSync(home.verdictLog)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(home.verdictLog, name), 'utf8').split('\n'))
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text))
    .filter((line) => typeof line.approved === 'boolean');
}

test('39 cells with the right outcomes', async ({ panel, page }) => {
  await panel.go('Matrix');
  await expect(page.locator('[role=gridcell][data-outcome]')).toHaveCount(39);
  const right = JSON.parse(readFileSync(join(String(casesDir), 'policy-table.json'), 'utf8'));
  for (const { level, capability, outcome } of right) {
    await expect(panel.cell(level, capability)).toHaveAttribute('data-outcome', outcome);
  }
});

test('the grants that are active now, and only those', async ({ panel }) => {
  await panel.go('Grants');
  await expect(panel.grantRow(1)).toBeVisible();
  // Right until the end of 2026, when the first of them expires.
  const active = Date.now() < Date.UTC(2026, 11, 31) ? [1, 2, 3, 5, 6, 8, 9, 10] : null;
  test.skip(active === null, 'skipped: the grants of the real home are expiring by now');
  expect(await panel.grantIds()).toEqual(active);
  await expect(panel.grantRow(10)).toContainText('No effect');
});

test('revoking grant 1 is seen by a second SQLite client', async ({ panel, home }) => {
  await panel.go('Grants');
  await panel
    .grantRow(1)
    .getByRole('button', { name: /Revoke/ })
    .click();
  await expect(panel.grantRow(1)).toHaveCount(0);
  const db = new DatabaseSync(home.grantsDb, { readOnly: true });
  expect(db.prepare('SELECT revoked_at FROM grants WHERE id = 1').get()?.revoked_at).toBeTruthy();
  db.close();
});

test('a line appended by another process is on the Live page within a second', async ({ panel, home }) => {
  await expect(panel.verdictRows().first()).toBeVisible();
  appendFileSync(home.currentMonthFile, verdictLine({ intent: 'from another process' }));
  await expect(panel.verdictRows().first()).toContainText('from another process', { timeout: 1000 });
});

test('switching telegram/roberto to ReadOnly is in pairings.db', async ({ panel, home }) => {
  await panel.chooseScope('telegram / Roberto');
  await panel.level('Read-only').click();
  await expect(panel.level('Read-only')).toBeChecked();
  const db = new DatabaseSync(home.pairingsDb, { readOnly: true });
  const row = db
    .prepare("SELECT autonomy_level FROM pairings WHERE channel = 'telegram' AND sender_id = 'roberto'")
    .get();
  expect(row?.autonomy_level).toBe('ReadOnly');
  db.close();
});

test('the statistics equal a count over the files', async ({ panel, page, home }) => {
  const lines = linesOf(home);
  await panel.go('Statistics');
  await page.getByRole('radio', { name: 'All' }).click();
  await expect.poll(() => panel.tile('total')).toBe(lines.length);
  expect(await panel.tile('approved')).toBe(lines.filter((line) => line.approved).length);
  for (const phase of ['guard', 'judge']) {
    expect(await panel.tile(phase)).toBe(lines.filter((line) => line.blocked_by === phase).length);
  }
  const executors = Map.groupBy(lines, (line) => line.executor);
  for (const [executor, of] of executors) {
    const row = page.locator(`[data-executor="${executor}"]`);
    await expect(row).toContainText(String(of.length));
    const blocked = of.filter((line) => !line.approved).length;
    if (blocked > 0) await expect(row).toContainText(`${blocked} blocked`);
  }
});
