import type { DecideRequest } from '../../shared/domain/decision.ts';
import { askAsAgent } from '../fixtures/agent.ts';
import { sampleHome, type TempHome } from '../fixtures/homes.ts';
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

/** Calls of someone without a pairing, and one of Roberto's. */
async function someCalls(home: TempHome): Promise<void> {
  const ask = (executor: string, args: Record<string, unknown>, more: Partial<DecideRequest> = {}) =>
    askAsAgent(home, { channel: 'web', sender_id: 'guest', wait_s: 0, executor, args, ...more }).answer;
  await ask('write_files', { path: '~/notes/first.txt', content: 'x' });
  await ask('write_files', { path: '~/notes/sec\u202eond.txt', content: 'x' });
  await ask('write_files', { path: '~/.ssh/authorized_keys', content: 'x' });
  await ask('run_command', { command: 'df -h' });
  await ask('get_now', {});
  await ask('write_files', { path: '~/notes/his.txt', content: 'x' }, { channel: 'telegram', sender_id: 'roberto' });
}

test('a cell says how often it fired, counts on while calls come, and lists the last ones', async ({
  panel,
  page,
  home,
}) => {
  await panel.go('Matrix');
  await expect(panel.cell('Supervised', 'fs:write')).toHaveAttribute('data-fired', '0');
  await someCalls(home);
  await expect(panel.cell('Supervised', 'fs:write')).toHaveAttribute('data-fired', '4');
  await expect(panel.cell('Supervised', 'code:exec')).toHaveAttribute('data-fired', '1');
  await expect(panel.cell('Full', 'fs:write')).toHaveAttribute('data-fired', '0');

  await panel.cell('Supervised', 'fs:write').click();
  const calls = page.getByRole('list', { name: 'Last calls' }).getByRole('listitem');
  await expect(calls).toHaveCount(4);
  await expect(calls.nth(0)).toContainText('telegram / roberto');
  await expect(calls.nth(1)).toContainText('Denied');
  await expect(calls.nth(2)).not.toContainText('\u202e');
  await expect(calls.nth(3)).toContainText('~/notes/first.txt');
  await calls.nth(1).getByRole('link').click();
  await expect(panel.heading('Audit')).toBeVisible();
  await expect(panel.auditRows()).toHaveCount(1);
  await expect(panel.auditRows()).toContainText('write_files');
});

test('a column is compared with the level in force by what happened, and nothing is switched', async ({
  panel,
  page,
  home,
}) => {
  await someCalls(home);
  await panel.go('Matrix');
  await page.getByRole('button', { name: 'Compare Full with the level in force' }).click();
  const side = page.getByRole('complementary');
  await expect(side.getByText('2 of 3 that asked would have passed.')).toBeVisible();
  await expect(side.getByText('0 of 1 guard blocks would have changed.')).toBeVisible();
  await expect(side.locator('[data-changes]')).toHaveCount(1);
  await expect(side.locator('[data-changes="fs:write"]')).toContainText('2 calls');
  await expect(panel.level('Supervised')).toBeChecked();

  await page.getByRole('button', { name: 'Compare Read-only with the level in force' }).click();
  await expect(side.getByText('3 of 3 that asked would have been denied.')).toBeVisible();
  await panel.chooseScope('telegram / Roberto');
  await expect(side.getByText('1 of 1 that asked would have been denied.')).toBeVisible();
  await expect(side.getByText('0 guard blocks would have changed: there were none.')).toBeVisible();
});

test('the dialog that raises a level says what it would have meant', async ({ panel, page, home }) => {
  await someCalls(home);
  await panel.level('Full').click();
  const dialog = page.getByRole('dialog', { name: 'Raise to Full?' });
  await expect(dialog.getByText('2 of 3 that asked would have passed.')).toBeVisible();
  await expect(dialog.getByText('0 of 1 guard blocks would have changed.')).toBeVisible();
});

test('where no call is kept yet, that is said and nothing is made up', async ({ panel, page }) => {
  await panel.go('Matrix');
  await expect(page.getByText('No call is kept yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Compare Full with the level in force' }).click();
  await expect(page.getByText('No call of the last 30 days is kept that could be compared.')).toBeVisible();
});

// The pictures are for people: they lie in test-results/pages after a run.
for (const theme of ['light', 'dark'] as const) {
  for (const language of ['English', 'Italiano'] as const) {
    test(`pictures in ${theme}, ${language}, with and without calls, nothing cut off sideways`, async ({
      panel,
      page,
      home,
    }) => {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.getByRole('button', { name: 'Look and language' }).click();
      await page.getByRole('menuitemradio', { name: language }).click();
      await page.keyboard.press('Escape');
      await page.goto(new URL('/#/matrix', panel.host.url).href);
      const picture = async (name: string) => {
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${name} fits the window`).toBeLessThanOrEqual(0);
        await page.screenshot({ path: `test-results/pages/matrix-${name}-${theme}-${language.slice(0, 2)}.png` });
      };
      await expect(panel.cell('Full', 'fs:read')).toHaveAttribute('data-fired', '0');
      await panel.cell('Full', 'fs:read').click();
      await picture('empty');
      await someCalls(home);
      await panel.cell('Supervised', 'fs:write').click();
      await expect(page.getByRole('complementary').locator('[data-decision]')).toHaveCount(4);
      await picture('cell');
      await page.getByRole('columnheader').nth(3).getByRole('button').click();
      await expect(page.getByTestId('past-calls')).toBeVisible();
      await picture('compare');
      await page.setViewportSize({ width: 900, height: 640 });
      await picture('narrow');
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('radiogroup').getByRole('radio').nth(2).click();
      await expect(page.getByRole('dialog').getByTestId('past-calls')).toBeVisible();
      await picture('dialog');
    });
  }
}
