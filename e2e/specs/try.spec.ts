import { existsSync, readFileSync } from 'node:fs';
import { sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

test('a call on the real line: each stage with rule and matched text, and nothing is written', async ({
  panel,
  page,
  home,
}) => {
  const before = readFileSync(home.currentMonthFile, 'utf8');
  await panel.go('Try it');
  await page.getByRole('button', { name: 'Read a key' }).click();
  await page.getByRole('button', { name: 'Ask the line' }).click();
  const answer = page.getByTestId('answer');
  await expect(answer).toHaveAttribute('data-decision', 'denied');
  await expect(answer.locator('[data-stage]')).toHaveCount(5);
  await expect(answer.locator('[data-stage="vaglio"]')).toHaveAttribute('data-outcome', 'ended');
  await expect(answer.locator('[data-stage="vaglio"] mark')).toContainText('.ssh');
  await expect(page.getByTestId('refusal')).toContainText('Your SSH keys');

  await page.getByRole('button', { name: 'Run a command' }).click();
  await page.getByRole('button', { name: 'Ask the line' }).click();
  await expect(answer).toHaveAttribute('data-decision', 'approval_required');
  await expect(page.getByTestId('waiting-count')).toHaveCount(0);
  expect(readFileSync(home.currentMonthFile, 'utf8')).toBe(before);
  expect(existsSync(home.approvalsDb)).toBe(false);
});

test('another level answers otherwise', async ({ panel, page }) => {
  await panel.go('Try it');
  await page.getByRole('textbox', { name: 'Executor' }).fill('write_files');
  await page.getByRole('textbox', { name: 'Arguments, as JSON' }).fill('{"path": "~/Documents/x.txt", "content": "x"}');
  await page.getByRole('button', { name: 'Ask the line' }).click();
  const answer = page.getByTestId('answer');
  await expect(answer).toHaveAttribute('data-decision', 'approval_required');
  await page.getByRole('combobox', { name: 'Level' }).click();
  await page.getByRole('option', { name: 'Read-only' }).click();
  await expect(page.getByText('The form was changed since')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(answer).toHaveAttribute('data-decision', 'denied');
  await expect(page.getByTestId('refusal')).toContainText('policy:level');
});

test('a fault in the arguments is told by line and column', async ({ panel, page }) => {
  await panel.go('Try it');
  await page.getByRole('textbox', { name: 'Executor' }).fill('read_files');
  await page.getByRole('textbox', { name: 'Arguments, as JSON' }).fill('{\n  "path": "~/a",\n}');
  await page.getByRole('button', { name: 'Ask the line' }).click();
  await expect(page.getByText('Line 3, column 1: a name in double quotes is expected here.')).toBeVisible();
  await expect(page.getByTestId('answer')).toHaveCount(0);
});

test('many calls: what another threshold would have answered', async ({ panel, page }) => {
  await panel.go('Try it');
  await page.getByRole('radio', { name: 'Many calls' }).click();
  const call = (path: string) =>
    JSON.stringify({
      channel: 'telegram',
      sender_id: 'roberto',
      intent: 'read',
      executor: 'read_files',
      args: { path },
    });
  await page
    .getByRole('textbox', { name: 'Calls, one JSON object a line' })
    .fill(`${call('~/a')}\n\nthis is none\n${call('~/b')}`);
  await page.getByRole('textbox', { name: 'Threshold of the judge' }).fill('0.95');
  await page.getByRole('button', { name: 'Compare' }).click();
  await expect(page.locator('[data-line="1"]')).toHaveAttribute('data-changed', 'true');
  await expect(page.locator('[data-line="3"]')).toContainText('No request');
});
