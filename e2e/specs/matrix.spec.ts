import { sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

test('39 cells, the level in force marked, a cell says which rule made it', async ({ panel, page }) => {
  await panel.go('Matrix');
  await expect(page.locator('[role=gridcell][data-outcome]')).toHaveCount(39);
  await expect(panel.cell('ReadOnly', 'fs:write')).toHaveAttribute('data-outcome', 'denied');
  await expect(panel.cell('Supervised', 'fs:write')).toHaveAttribute('data-outcome', 'approval_required');
  await expect(panel.cell('Full', 'fs:write')).toHaveAttribute('data-outcome', 'allowed');
  await expect(panel.cell('Full', 'code:exec')).toHaveAttribute('data-outcome', 'approval_required');
  await expect(page.getByRole('columnheader', { name: /Supervised.*in force/s })).toBeVisible();

  await panel.cell('Supervised', 'fs:write').click();
  await expect(page.getByText('~/Documents/fatture-2026/*')).toBeVisible();
});

test('a grant that no outcome can follow pierces nothing', async ({ panel }) => {
  await panel.go('Matrix');
  await expect(panel.cell('Supervised', 'mail:send')).toHaveAttribute('data-grants', '0');
  await expect(panel.cell('Supervised', 'fs:write')).toHaveAttribute('data-grants', '1');
  await expect(panel.cell('Supervised', 'fs:read')).toHaveAttribute('data-grants', '0');
});

test('the arrow keys walk through the cells', async ({ panel, page }) => {
  await panel.go('Matrix');
  await panel.cell('ReadOnly', 'fs:read').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await expect(panel.cell('Supervised', 'fs:write')).toBeFocused();
});
