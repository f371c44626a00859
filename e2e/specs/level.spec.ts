import { DatabaseSync } from 'node:sqlite';
import type { TempHome } from '../fixtures/homes.ts';
import { sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

function storedLevel(home: TempHome, channel: string, sender: string): unknown {
  const db = new DatabaseSync(home.pairingsDb, { readOnly: true });
  const row = db
    .prepare('SELECT autonomy_level FROM pairings WHERE channel = ? AND sender_id = ?')
    .get(channel, sender);
  db.close();
  return row?.autonomy_level;
}

test('lowering is one click and stands in pairings.db', async ({ panel, home }) => {
  await panel.chooseScope('telegram / Roberto');
  await panel.level('Read-only').click();
  await expect(panel.level('Read-only')).toBeChecked();
  await expect.poll(() => storedLevel(home, 'telegram', 'roberto')).toBe('ReadOnly');
});

test('raising shows what opens and needs a second gesture of another kind', async ({ panel, page, home }) => {
  await panel.chooseScope('telegram / Roberto');
  await panel.level('Full').click();
  const dialog = page.getByRole('dialog', { name: 'Raise to Full?' });
  await expect(dialog.locator('[data-capability="fs:write"]')).toContainText('Allowed');
  await expect(dialog.getByRole('button', { name: 'Raise to Full' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(storedLevel(home, 'telegram', 'roberto')).toBe('Supervised');

  await panel.level('Full').click();
  await dialog.getByRole('checkbox', { name: 'I have read what opens' }).click();
  await dialog.getByRole('button', { name: 'Raise to Full' }).click();
  await expect(panel.level('Full')).toBeChecked();
  expect(storedLevel(home, 'telegram', 'roberto')).toBe('Full');
});

test('a level that another program sets is shown by itself', async ({ panel, home }) => {
  await panel.chooseScope('telegram / Anna');
  await expect(panel.level('Read-only')).toBeChecked();
  const db = new DatabaseSync(home.pairingsDb);
  db.exec("UPDATE pairings SET autonomy_level = 'Supervised' WHERE sender_id = 'anna'");
  db.close();
  await expect(panel.level('Supervised')).toBeChecked();
});

test('an unknown level counts as Read-only and says so; a revoked pairing cannot be switched', async ({
  panel,
  page,
}) => {
  await panel.chooseScope('web / roberto');
  await expect(panel.level('Read-only')).toBeChecked();
  await expect(page.getByText('“Wizard”')).toBeVisible();
  await panel.chooseScope('telegram / oldphone');
  await expect(panel.level('Full')).toBeDisabled();
});
