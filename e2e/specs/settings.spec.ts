import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askAsAgent } from '../fixtures/agent.ts';
import { sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

const GEMINI = '{\n  // mine\n  "theme": "Dark"\n}\n';

function homeWithSettings() {
  const home = sampleHome();
  mkdirSync(join(home.path, '.gemini'));
  writeFileSync(join(home.path, '.gemini/settings.json'), GEMINI);
  mkdirSync(join(home.path, '.config/metnos'), { recursive: true });
  const model = 'provider: local\n    model: llama\n    base_url: http://127.0.0.1:1/v1';
  writeFileSync(
    join(home.path, '.config/metnos/config.yaml'),
    `vaglio:\n  judge:\n    threshold: 0.35\nllm_roles:\n  judge:\n    ${model}\n`,
  );
  return home;
}

test.use({ from: { home: homeWithSettings } });

test('an agent’s hook is put in after the difference was seen, denies the probe, and goes without a trace', async ({
  home,
  panel,
  page,
}) => {
  const settings = () => readFileSync(join(home.path, '.gemini/settings.json'), 'utf8');
  await panel.go('Settings');
  const row = page.getByTestId('agent-gemini');
  await row.getByRole('button', { name: 'Install… Gemini CLI' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByTestId('diff')).toContainText('BeforeTool');
  expect(settings()).toBe(GEMINI);
  await dialog.getByRole('button', { name: 'Install', exact: true }).click();
  await expect(dialog).toContainText('This was changed.');
  expect(settings()).toContain('// mine');
  expect(settings()).toContain('BeforeTool');
  await page.keyboard.press('Escape');

  await row.getByRole('button', { name: 'Probe Gemini CLI' }).click();
  await expect(row.locator('[data-probe="guarded"]')).toContainText('Denied by the guard');
  await expect(row).toContainText('.ssh');

  await row.getByRole('button', { name: 'Remove… Gemini CLI' }).click();
  await expect(dialog.getByTestId('diff')).toContainText('BeforeTool');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog).toContainText('This was changed.');
  await page.keyboard.press('Escape');
  await expect(row).toHaveAttribute('data-installed', 'false');
  expect(settings()).toBe(GEMINI);
});

test('what is in force names the line that sets it, and a model that is not there is told', async ({ panel, page }) => {
  await panel.go('Settings');
  await expect(page.getByTestId('setting-threshold')).toContainText('0.35');
  await expect(page.getByTestId('setting-threshold')).toContainText('from line 3 of the file');
  await expect(page.getByTestId('setting-structure')).toContainText('On');
  await expect(page.getByTestId('setting-model')).toContainText('local / llama');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByTestId('judge-test')).toHaveAttribute('data-outcome', 'no-answer');
  await expect(page.getByTestId('file-grants')).toContainText('Fine');
});

test('notices, look and retention hold over a reload', async ({ panel, page }) => {
  await panel.go('Settings');
  await page.getByRole('switch', { name: /Desktop notices/ }).click();
  await page.getByRole('radio', { name: 'Dark' }).click();
  await page.getByRole('combobox', { name: 'Keep answers' }).click();
  await page.getByRole('option', { name: '90 days' }).click();
  await expect(page.getByRole('combobox', { name: 'Keep answers' })).toHaveText('90 days');
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Keep answers' })).toHaveText('90 days');
  await expect(page.getByRole('switch', { name: /Desktop notices/ })).not.toBeChecked();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});

test('a verdict on Live shows how the line decided', async ({ home, panel, page }) => {
  const { decision } = await askAsAgent(home, {
    executor: 'shell_exec',
    intent: 'clean up',
    args: { command: 'find ~ -delete' },
  }).answer;
  expect(decision).toBe('denied');
  const row = panel.verdictRows().filter({ hasText: 'clean up' });
  await row.click();
  const trail = page.getByTestId('trail');
  await expect(trail).toHaveAttribute('data-decision', 'denied');
  await expect(page.getByRole('list', { name: 'The five stages' }).locator('[data-stage="vaglio"]')).toHaveAttribute(
    'data-outcome',
    'ended',
  );
  await expect(page.getByRole('complementary')).toContainText('Deletes a whole home folder.');
});

test('“freeze” in the palette freezes', async ({ panel, page }) => {
  await expect(panel.level('Supervised')).toBeChecked();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('freeze');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('frozen')).toBeVisible();
});
