import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dayFileName, sampleHome, turnLine, turnStep } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

function withTurns() {
  const home = sampleHome();
  mkdirSync(home.turnLog, { recursive: true, mode: 0o700 });
  const turn = turnLine({ turn_id: 'rent', user_query: 'pay the rent of December', steps: [turnStep(1)] });
  writeFileSync(join(home.turnLog, dayFileName(new Date())), turn);
  return home;
}
test.use({ from: { home: withTurns } });

test('Ctrl-K goes to a page, a grant, an executor and a turn, by the keyboard alone', async ({ panel, page }) => {
  const go = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /A page, a grant/ }).fill(text);
    await expect(page.getByRole('option', { selected: true })).toBeVisible();
  };
  await go('matrix');
  await page.keyboard.press('Enter');
  await expect(panel.heading('Matrix')).toBeVisible();

  await go('anna@example.com');
  await expect(page.getByRole('option')).toHaveText([/anna@example\.com/]);
  await page.keyboard.press('Enter');
  await expect(panel.heading('Grants')).toBeVisible();
  expect(await panel.grantIds()).toEqual([5]);

  await go('compute');
  await page.keyboard.press('Enter');
  await expect(panel.heading('Audit')).toBeVisible();
  await expect(panel.auditRows()).toHaveCount(1);
  await expect(panel.auditRows()).toContainText('compute_sum');

  await go('rent');
  await expect(page.getByRole('option').last()).toContainText('pay the rent of December');
  await page.keyboard.press('Enter');
  await expect(panel.heading('Turns')).toBeVisible();
  await expect(page.getByRole('complementary')).toContainText('pay the rent of December');
  expect(panel.complaints).toEqual([]);
});
