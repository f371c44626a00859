import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Page } from '@playwright/test';
import { askAsAgent } from '../fixtures/agent.ts';
import { sampleHome, type TempHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

const card = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

/** Presses a button of a card once it can be pressed. */
async function decide(page: Page, text: string, name: string): Promise<void> {
  const button = card(page, text).getByRole('button', { name, exact: true });
  await expect(button).toHaveAttribute('data-open', 'true');
  await button.click();
}

function rows(home: TempHome): { status: string; decision_by_channel: string | null; target_summary: string }[] {
  const db = new DatabaseSync(home.approvalsDb, { readOnly: true, timeout: 5000 });
  const found = db.prepare('SELECT status, decision_by_channel, target_summary FROM pending ORDER BY created_at').all();
  db.close();
  return found as never;
}

function activeGrants(home: TempHome): { capability: string; target: string; expires_at: string | null }[] {
  const db = new DatabaseSync(home.grantsDb, { readOnly: true, timeout: 5000 });
  const found = db.prepare('SELECT capability, target, expires_at FROM grants WHERE revoked_at IS NULL').all();
  db.close();
  return found as never;
}

const write = (path: string) => ({ executor: 'write_files', args: { path, content: 'x' } });

test('a call that asks stands on Live and on its page, and one yes lets it pass once', async ({
  panel,
  page,
  home,
}) => {
  const asked = askAsAgent(home, { executor: 'shell_exec', args: { command: 'df -h' }, intent: 'show the disk' });
  const strip = page.getByTestId('pending');
  await expect(strip).toContainText('df -h');
  await expect(page.getByTestId('waiting-count')).toHaveText('1');
  await strip.getByRole('link', { name: /^Decide/ }).click();
  await expect(panel.heading('Approvals')).toBeVisible();
  await expect(card(page, 'df -h')).toContainText('Let it run this command?');
  await expect(card(page, 'df -h')).toContainText('Cannot be undone');
  // Never offered where every call asks.
  await expect(card(page, 'df -h').getByRole('button', { name: /similar/ })).toHaveCount(0);
  await decide(page, 'df -h', 'This time');
  expect((await asked.answer).decision).toBe('approved');
  await expect(card(page, 'df -h')).toHaveCount(0);
  expect(rows(home)).toMatchObject([{ status: 'approved', decision_by_channel: 'panel' }]);
  const again = askAsAgent(home, { executor: 'shell_exec', args: { command: 'df -h' } });
  await expect(card(page, 'df -h')).toBeVisible();
  await decide(page, 'df -h', 'No');
  expect((await again.answer).decision).toBe('rejected');
});

/** From now on, whenever a card comes or goes, presses everything that decides for 50 ms, from inside the page. */
async function mashOnEveryChange(page: Page): Promise<void> {
  await page.evaluate(() => {
    const pressed = { count: 0 };
    Object.assign(window, { pressed });
    new MutationObserver(() => {
      const until = performance.now() + 50;
      while (performance.now() < until) {
        for (const button of document.querySelectorAll<HTMLElement>('article [data-open]')) {
          button.focus();
          button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
          button.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
          button.click();
          pressed.count += 1;
        }
      }
    }).observe(document.querySelector('[data-testid="cards"] ul') as Element, { childList: true });
  });
}

test('50 ms of mashing whenever a card comes or goes decides nothing', async ({ panel, page, home }) => {
  await panel.go('Approvals');
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
  await mashOnEveryChange(page);
  const first = askAsAgent(home, write('~/Documents/first.txt'));
  await expect(card(page, 'first.txt')).toBeVisible();
  const second = askAsAgent(home, write('~/Documents/second.txt'));
  await expect(card(page, 'second.txt')).toBeVisible();
  expect(
    await page.evaluate(() => (window as unknown as { pressed: { count: number } }).pressed.count),
  ).toBeGreaterThan(20);
  // What stands above goes, and what moves up lies under the same presses.
  first.leave();
  await expect(card(page, 'first.txt')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(card(page, 'second.txt')).toBeVisible();
  expect(rows(home).map(({ status }) => status)).toEqual(['rejected', 'pending']);
  await decide(page, 'second.txt', 'No');
  expect((await second.answer).decision).toBe('rejected');
});

test('this and similar: the pattern is proposed, bound to two months, and the next file passes without a card', async ({
  panel,
  page,
  home,
}) => {
  await panel.go('Approvals');
  const asked = askAsAgent(home, write('~/Documents/fatture-2027/04-Acme.pdf'));
  await decide(page, '04-Acme.pdf', 'This and similar…');
  const field = card(page, '04-Acme.pdf').getByRole('textbox', { name: 'Pattern' });
  await expect(field).toHaveValue('~/Documents/fatture-2027/*');
  await field.fill('~/Music/*');
  await expect(card(page, '04-Acme.pdf').getByRole('alert')).toBeVisible();
  await expect(card(page, '04-Acme.pdf').getByRole('button', { name: 'Approve and grant' })).toBeDisabled();
  await field.fill('~/Documents/fatture-2027/*.pdf');
  await page.getByRole('radio', { name: '2 months' }).click();
  await expect(card(page, '04-Acme.pdf')).toContainText('Covers this call.');
  await decide(page, '04-Acme.pdf', 'Approve and grant');
  expect((await asked.answer).decision).toBe('approved');
  const grant = activeGrants(home).find((each) => each.target === '~/Documents/fatture-2027/*.pdf');
  expect(grant?.capability).toBe('fs:write');
  const days = (Date.parse(grant?.expires_at ?? '') - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(58);
  expect(days).toBeLessThan(63);

  const next = await askAsAgent(home, write('~/Documents/fatture-2027/05-Beta.pdf')).answer;
  expect(next).toMatchObject({ decision: 'allowed' });
  await expect(page.getByRole('article')).toHaveCount(0);
});

test('no, and not again: the like is refused without a card until it is lifted', async ({ panel, page, home }) => {
  await panel.go('Approvals');
  const first = askAsAgent(home, write('~/Documents/a.txt'));
  await decide(page, 'a.txt', 'No, and don’t ask again');
  expect((await first.answer).decision).toBe('rejected');
  const second = await askAsAgent(home, write('~/Documents/a.txt')).answer;
  expect(second).toMatchObject({ decision: 'rejected', rule: 'approval:session' });
  await page.getByRole('button', { name: /^Not asked again/ }).click();
  await page.getByRole('button', { name: /^Ask again/ }).click();
  await page.keyboard.press('Escape');
  const third = askAsAgent(home, write('~/Documents/a.txt'));
  await expect(card(page, 'a.txt')).toBeVisible();
  third.leave();
});

test('a caller who leaves takes the card along, and the list says so', async ({ panel, page, home }) => {
  await panel.go('Approvals');
  const asked = askAsAgent(home, write('~/Documents/gone.txt'));
  await expect(card(page, 'gone.txt')).toBeVisible();
  asked.leave();
  await expect(card(page, 'gone.txt')).toHaveCount(0);
  await page.getByRole('radio', { name: 'Decided' }).click();
  await expect(page.locator('[data-status="withdrawn"]')).toContainText('the caller, who left');
});

test('20,000 characters are shown whole and have to be read to the end; hidden ones are marks', async ({
  panel,
  page,
  home,
}) => {
  await panel.go('Approvals');
  const command = `echo begin\u202e\u200b ${'x'.repeat(20_000)} END-OF-COMMAND`;
  askAsAgent(home, { executor: 'shell_exec', args: { command } });
  const one = card(page, 'END-OF-COMMAND');
  const box = one.getByTestId('card-object');
  await expect(box).toContainText(`${'x'.repeat(200)} END-OF-COMMAND`);
  await expect(box.getByRole('img', { name: /RIGHT-TO-LEFT OVERRIDE/ })).toBeVisible();
  await expect(box.getByRole('img', { name: /ZERO WIDTH SPACE/ })).toBeVisible();
  await expect(one.getByRole('button', { name: 'This time' })).toBeDisabled();
  await box.focus();
  await page.keyboard.press('End');
  await expect(one.getByRole('button', { name: 'This time' })).toBeEnabled();
});

test('Freeze is one click: what waits is denied, and unfreezing shows what comes back', async ({
  panel,
  page,
  home,
}) => {
  await panel.go('Approvals');
  const asked = askAsAgent(home, write('~/Documents/frozen.txt'));
  await expect(card(page, 'frozen.txt')).toBeVisible();
  await page.getByRole('button', { name: 'Freeze', exact: true }).click();
  expect((await asked.answer).decision).toBe('denied');
  await expect(page.getByTestId('frozen')).toBeVisible();
  expect(await askAsAgent(home, write('~/Documents/frozen.txt')).answer).toMatchObject({ rule: 'policy:frozen' });
  await page.getByRole('button', { name: 'Frozen' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unfreeze?' });
  await expect(dialog).toContainText('telegram / Roberto');
  await expect(dialog).toContainText('write_files');
  await dialog.getByRole('checkbox').click();
  await dialog.getByRole('button', { name: 'Unfreeze' }).click();
  await expect(page.getByTestId('frozen')).toHaveCount(0);
  const again = askAsAgent(home, write('~/Documents/frozen.txt'));
  await expect(card(page, 'frozen.txt')).toBeVisible();
  again.leave();
});

test('a request of a running Metnos is decided here, and a rule’s refusal says why', async ({ panel, page, home }) => {
  mkdirSync(join(home.path, '.local/state/metnos'), { recursive: true });
  const db = new DatabaseSync(home.approvalsDb);
  db.exec(`CREATE TABLE IF NOT EXISTS pending (
    token TEXT PRIMARY KEY, channel TEXT NOT NULL, sender_id TEXT NOT NULL, capability_class TEXT NOT NULL,
    action_verb TEXT NOT NULL, target_summary TEXT NOT NULL, created_at TEXT NOT NULL, expires_at TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'pending',
    decision_at TEXT, decision_by_channel TEXT, decision_by_sender TEXT, request_extra TEXT )`);
  db.prepare(
    'INSERT INTO pending (token, channel, sender_id, capability_class, action_verb, target_summary, created_at, expires_at) VALUES (?,?,?,?,?,?,?,?)',
  ).run(
    '1234567890123456',
    'telegram',
    'roberto',
    'fs:write:~/Archivio/**',
    'sposti',
    '12 file da ~/Downloads -> ~/Archivio/',
    new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    '2099-01-01T00:00:00Z',
  );
  db.close();
  await panel.go('Approvals');
  await expect(card(page, '12 file da')).toContainText('From a running Metnos');
  await decide(page, '12 file da', 'This time');
  await expect.poll(() => rows(home)[0]?.status).toBe('approved');

  await askAsAgent(home, { executor: 'read_files', args: { path: '~/.ssh/id_ed25519' } }).answer;
  await page.getByRole('radio', { name: 'Refused by rule' }).click();
  await page.locator('[data-decision]').first().click();
  await expect(page.getByTestId('refusal')).toContainText('Your SSH keys');
  await expect(page.getByTestId('refusal')).toContainText('What to do instead');
});
