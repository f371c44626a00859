import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Flow, VaglioResult } from '../../shared/domain/constitution.ts';
import { callAsAgent } from '../fixtures/agent.ts';
import { sampleHome, type TempHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

/** An agent that asks for one action to be weighed. */
function evaluateAsAgent(home: TempHome, action: object, flow: Flow = 'proactive'): Promise<VaglioResult> {
  return callAsAgent<VaglioResult>(home, 'evaluate', { action, flow });
}

const idea = (kind: string) => ({
  ...{ kind, reversibility: 'reversible', scope: 'this week', targets: ['~/notes'] },
  ...{ impact: `${kind} makes one note`, plan: ['look', 'write'], rationale: 'it may help' },
});
const telosFile = (home: TempHome) => join(home.path, '.local/share/metnos/workspace/TELOS.md');
const row = (page: Page, kind: string) => page.locator('tr[data-proposal-id]').filter({ hasText: kind });

test('without ends a proposal is rejected; the page says why, and writes them', async ({ panel, page, home }) => {
  await panel.go('Proposals');
  await expect(page.getByText('The agent has proposed nothing yet')).toBeVisible();
  expect(await evaluateAsAgent(home, idea('water_plants'))).toMatchObject({
    final_decision: 'reject',
    reason: 'no telos',
  });
  await expect(row(page, 'water_plants')).toHaveAttribute('data-decision', 'reject');
  await row(page, 'water_plants').getByRole('button').click();
  await expect(page.getByRole('complementary')).toContainText('Without your ends nothing can be weighed.');

  await page.getByRole('radio', { name: 'Your ends' }).click();
  await page.getByRole('button', { name: 'Start with an example' }).click();
  const editor = page.getByRole('textbox', { name: /TELOS/ });
  await expect(page.getByTestId('telos-weights')).toContainText('50%');
  await editor.fill((await editor.inputValue()).replace('weight: 5', 'weight: many'));
  await expect(page.getByTestId('telos-problems')).toContainText('“many” is no number above 0');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await editor.fill((await editor.inputValue()).replace('weight: many', 'weight: 3'));
  await expect(page.getByTestId('telos-weights')).toContainText('37.5%');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved, in force')).toBeVisible();
  expect(readFileSync(telosFile(home), 'utf8')).toContain('weight: 3');

  // Another program's change shows at once.
  writeFileSync(telosFile(home), readFileSync(telosFile(home), 'utf8').replace('Stay healthy', 'Sleep well'));
  await expect(page.getByTestId('telos-weights')).toContainText('Sleep well');
});

test('without a judge a proposal waits in the digest; “don’t propose again” makes law 2 block it', async ({
  panel,
  page,
  home,
}) => {
  mkdirSync(dirname(telosFile(home)), { recursive: true });
  const section = (name: string) => `## t.${name} — ${name}\n- weight: 1\n- activation_threshold: 0.3\n`;
  writeFileSync(telosFile(home), ['a', 'b', 'c'].map(section).join('\n'));
  expect((await evaluateAsAgent(home, idea('nag'))).final_decision).toBe('defer');
  await panel.go('Proposals');
  await page.getByRole('radio', { name: 'Digest' }).click();
  await row(page, 'nag').getByRole('button').click();
  await page.getByRole('complementary').getByRole('button', { name: 'Don’t propose again' }).click();
  await expect(page.getByText('Nothing was put off today')).toBeVisible();
  const again = await evaluateAsAgent(home, { ...idea('nag'), rationale: 'much better argued' });
  expect(again).toMatchObject({ final_decision: 'block', guard: { contradicted_article: 'law.2.obbedienza' } });
  await page.getByRole('radio', { name: 'Journal' }).click();
  await expect(row(page, 'nag').first()).toHaveAttribute('data-decision', 'block');
  await page.getByRole('button', { name: '1 not again' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Allow again/ })
    .click();
  await expect(page.getByRole('dialog')).not.toContainText('nag');
  expect((await evaluateAsAgent(home, idea('nag'))).final_decision).toBe('defer');
});

test('what a law stops stands in the journal with its law, and nobody is asked about it', async ({
  panel,
  page,
  home,
}) => {
  const stopped = { ...idea('tidy_logs'), targets: ['~/.local/state/metnos/grants.db'] };
  expect((await evaluateAsAgent(home, stopped)).final_decision).toBe('block');
  await panel.go('Proposals');
  await row(page, 'tidy_logs').getByRole('button').click();
  const detail = page.getByRole('complementary');
  await expect(detail).toContainText('Law 3: what happens can be traced');
  await expect(detail.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
  // The user's own wishes are not in the list of proposals until they are asked for.
  expect((await evaluateAsAgent(home, { kind: 'read_notes' }, 'reactive')).final_decision).toBe('allow');
  await expect(row(page, 'read_notes')).toHaveCount(0);
  await page.getByRole('button', { name: 'Also what you asked for' }).click();
  await expect(row(page, 'read_notes')).toHaveAttribute('data-decision', 'allow');
});
