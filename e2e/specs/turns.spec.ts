import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { askAsAgent, reportAsAgent } from '../fixtures/agent.ts';
import {
  dayFileName,
  metnosHome,
  SSH_REASON,
  sampleHome,
  type TempHome,
  turnLine,
  turnStep,
  verdictLine,
} from '../fixtures/homes.ts';
import { expect, needsCases, test } from '../fixtures/test.ts';

const dayFile = (home: TempHome) => join(home.turnLog, dayFileName(new Date()));

/** The sample home with a turn of three steps, each of which has its line in the verdict log. */
function homeWithTurns(): TempHome {
  const home = sampleHome();
  const start = Date.now() / 1000 - 120;
  const intent = 'sort the <b>invoices</b>';
  const error = `vaglio rifiuta: ${SSH_REASON}`;
  const steps = [
    turnStep(1),
    turnStep(2, {
      chosen_tool: 'shell_exec',
      exec_ms: null,
      vaglio_approved: false,
      error,
      result: { ok: false, error },
    }),
    turnStep(3),
  ];
  mkdirSync(home.turnLog, { recursive: true, mode: 0o700 });
  writeFileSync(
    dayFile(home),
    turnLine({ ts_start: start, ts_end: start + 9, user_query: intent, steps, final_kind: 'error' }),
  );
  const judged = { intent, executor: 'read_files' };
  const refused = { approved: false, score: 0, blocked_by: 'guard', reason: SSH_REASON, executor: 'shell_exec' };
  appendFileSync(
    home.currentMonthFile,
    [
      verdictLine({ ...judged, ts: start + 1 }),
      verdictLine({ ...judged, ...refused, ts: start + 4 }),
      verdictLine({ ...judged, ts: start + 7 }),
    ].join(''),
  );
  return home;
}

test.describe('a turn log of our own', () => {
  test.use({ from: { home: homeWithTurns } });

  test('one turn: its steps with five stages each, values only when asked for', async ({ panel, page }) => {
    await panel.go('Turns');
    await expect(panel.turnRows()).toHaveCount(1);
    await expect(panel.turnRows()).toContainText('sort the <b>invoices</b>');
    await expect(panel.turnRows()).toContainText('1 refused');
    await panel.turnRows().click();
    await expect(panel.steps()).toHaveCount(3);
    const refused = panel.steps().nth(1);
    await expect(refused).toHaveAttribute('data-outcome', 'refused');
    const states = await refused.locator('[data-state]').evaluateAll((all) => all.map((each) => each.dataset.state));
    expect(states).toEqual(['passed', 'passed', 'unknown', 'ended', 'not-reached']);
    await expect(refused).toContainText('guard: forbidden path violato');
    await refused.getByRole('button').click();
    await expect(page.getByText('~/notes.md')).toHaveCount(0);
    await page.getByRole('button', { name: 'Show values' }).click();
    await expect(page.getByText('~/notes.md').first()).toBeVisible();
    await expect(page.getByRole('complementary')).toContainText('Done.');
  });

  test('a step leads to its verdict and back', async ({ panel, page }) => {
    await panel.go('Turns');
    await panel.turnRows().click();
    await panel.steps().nth(1).getByRole('button').click();
    await page.getByRole('link', { name: 'Its verdict' }).click();
    await expect(panel.heading('Audit')).toBeVisible();
    const details = page.getByRole('complementary');
    await expect(details).toContainText('The guard stopped it: an argument names a protected path.');
    await expect(details).toContainText('Likely: the same time, executor and order.');
    await details.getByRole('link', { name: 'Step 2 of its turn' }).click();
    await expect(panel.heading('Turns')).toBeVisible();
    await expect(panel.steps().nth(1).getByRole('button', { expanded: true })).toBeVisible();
  });

  test('a running turn grows as it runs, and the address finds it again', async ({ panel, page, home }) => {
    await panel.go('Turns');
    await expect(panel.turnRows()).toHaveCount(1);
    const running = { ts_start: Date.now() / 1000, user_query: 'water the plants', turn_id: 'run' };
    const open = { ...running, ts_end: undefined, final_kind: undefined, final_message: undefined };
    appendFileSync(dayFile(home), turnLine({ ...open, steps: [turnStep(1)] }));
    await expect(panel.turnRows().first()).toContainText('water the plants');
    await expect(panel.turnRows().first()).toContainText('Running');
    await panel.turnRows().first().click();
    await expect(panel.steps()).toHaveCount(1);
    appendFileSync(dayFile(home), turnLine({ ...open, steps: [turnStep(1), turnStep(2)] }));
    await expect(panel.steps()).toHaveCount(2);
    appendFileSync(
      dayFile(home),
      turnLine({ ...running, steps: [turnStep(1), turnStep(2)], final_message: 'Watered.' }),
    );
    await expect(page.getByRole('complementary')).toContainText('Watered.');
    await expect(panel.turnRows()).toHaveCount(2);
    await page.reload();
    await expect(page.getByRole('complementary')).toContainText('water the plants');
  });

  test('filters stand in the address', async ({ panel, page, home }) => {
    appendFileSync(dayFile(home), turnLine({ turn_id: 't2', channel: 'cli', user_query: 'perché no' }));
    await panel.go('Turns');
    await expect(panel.turnRows()).toHaveCount(2);
    await page.getByRole('searchbox').fill('PERCHE');
    await expect(panel.turnRows()).toHaveCount(1);
    await expect.poll(() => page.url()).toContain('text=PERCHE');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('button', { name: 'With a refused step' }).click();
    await expect(panel.turnRows()).toContainText('invoices');
  });
});

test.describe('our own line', () => {
  test.use({ from: { home: sampleHome } });

  test('a turn that an agent leads through the line is there from its first step', async ({ panel, page, home }) => {
    await panel.go('Turns');
    await expect(page.getByText('No turns yet')).toBeVisible();
    const turn_id = 'agent-turn';
    const asked = { turn_id, intent: 'tidy the desk', wait_s: 0 };
    const context = (step: number) => ({ mode: 'supervised', step });
    await askAsAgent(home, { ...asked, executor: 'read_files', args: { path: '~/desk.txt' }, context: context(1) })
      .answer;
    await expect(panel.turnRows()).toHaveCount(1);
    await expect(panel.turnRows()).toContainText('tidy the desk');
    await expect(panel.turnRows()).toContainText('Running');
    await panel.turnRows().click();
    await expect(panel.steps()).toHaveCount(1);
    await askAsAgent(home, { ...asked, executor: 'read_files', args: { path: '~/.ssh/id_rsa' }, context: context(2) })
      .answer;
    await expect(panel.steps()).toHaveCount(2);
    const refused = panel.steps().nth(1);
    await expect(refused.locator('[data-stage="policy"]')).toHaveAttribute('data-state', 'asked');
    await expect(refused.locator('[data-stage="vaglio"]')).toHaveAttribute('data-state', 'ended');
    await refused.getByRole('button').click();
    await expect(page.getByRole('complementary')).toContainText('The record names it.');
    await reportAsAgent(home, 'turn.step', {
      turn_id,
      step: 1,
      executor: 'read_files',
      ok: true,
      exec_ms: 5,
      intent: 'tidy the desk',
    });
    await reportAsAgent(home, 'turn.end', { turn_id, final_kind: 'answer', final_message: 'The desk is tidy.' });
    await expect(page.getByRole('complementary')).toContainText('The desk is tidy.');
    await expect(panel.turnRows()).toHaveCount(1);
    await expect(panel.turnRows()).toContainText('Answered');
  });
});

test.describe('a real home', () => {
  needsCases();
  test.use({ from: { home: metnosHome } });

  test('every turn of the log', async ({ panel, page, home }) => {
    const turns = readdirSync(home.turnLog).flatMap((name) =>
      readFileSync(join(home.turnLog, name), 'utf8').trimEnd().split('\n'),
    );
    await panel.go('Turns');
    await expect(page.getByText(`${turns.length} turns, from the turn log and from our own line`)).toBeVisible();
    await panel.turnRows().nth(3).click();
    await expect(panel.steps().first()).toBeVisible();
  });
});
