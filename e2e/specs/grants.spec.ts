import { DatabaseSync } from 'node:sqlite';
import { askAsAgent } from '../fixtures/agent.ts';
import { isoDays, sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';

test.use({ from: { home: sampleHome } });

test('shows what is active, marks what has no effect, and the rest on demand', async ({ panel, page }) => {
  await panel.go('Grants');
  await expect(panel.grantRow(1)).toBeVisible();
  expect(await panel.grantIds()).toEqual([1, 2, 5]);
  await expect(panel.grantRow(5)).toContainText('No effect');
  await page.getByRole('switch', { name: 'Show ended' }).click();
  await expect(panel.grantRow(3)).toContainText('Expired');
  await expect(panel.grantRow(4)).toContainText('Revoked');
});

test('revoking is immediate and seen by another program; undo grants the same terms again', async ({
  panel,
  page,
  home,
}) => {
  await panel.go('Grants');
  await panel
    .grantRow(1)
    .getByRole('button', { name: /Revoke/ })
    .click();
  await expect(panel.grantRow(1)).toHaveCount(0);
  const db = new DatabaseSync(home.grantsDb);
  const first = db.prepare('SELECT revoked_at FROM grants WHERE id = 1').get();
  expect(String(first?.revoked_at)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(panel.grantRow(6)).toBeVisible();
  const again = db.prepare('SELECT * FROM grants WHERE id = 6').get();
  expect(again).toMatchObject({ target: '~/Documents/fatture-2026/*', capability: 'fs:write', revoked_at: null });
  expect(db.prepare('SELECT revoked_at FROM grants WHERE id = 1').get()?.revoked_at).not.toBeNull();
  db.close();
});

test('a grant that another program makes appears by itself, and leaves when it is revoked', async ({ panel, home }) => {
  await panel.go('Grants');
  await expect(panel.grantRow(1)).toBeVisible();
  const db = new DatabaseSync(home.grantsDb);
  db.prepare(
    "INSERT INTO grants (channel, sender_id, capability, target, granted_at) VALUES ('web', 'roberto', 'fs:read', '~/Musica/*', ?)",
  ).run(isoDays(0));
  await expect(panel.grantRow(6)).toContainText('~/Musica/*');
  db.prepare('UPDATE grants SET revoked_at = ? WHERE id = 6').run(isoDays(0));
  await expect(panel.grantRow(6)).toHaveCount(0);
  db.close();
});

test('a new grant: a forbidden target is refused at its field with nothing lost, a good one is stored', async ({
  panel,
  page,
  home,
}) => {
  await panel.go('Grants');
  await page.getByRole('button', { name: 'New grant' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Channel').fill('telegram');
  await form.getByLabel('Sender').fill('roberto');
  await form.getByRole('combobox', { name: 'Capability' }).click();
  await page.getByRole('option', { name: /fs:read/ }).click();
  const target = form.locator('input[name=target]');
  await target.fill('~/.ssh/*');
  await form.getByRole('button', { name: /^Grant/ }).click();
  await expect(form.getByRole('alert')).toBeVisible();
  await expect(target).toHaveValue('~/.ssh/*');
  await target.fill('~/Documents/note/*');
  await form.getByRole('button', { name: /^Grant/ }).click();
  await expect(panel.grantRow(6)).toContainText('~/Documents/note/*');
  const db = new DatabaseSync(home.grantsDb);
  expect(db.prepare('SELECT channel, sender_id, capability, target FROM grants WHERE id = 6').get()).toEqual({
    channel: 'telegram',
    sender_id: 'roberto',
    capability: 'fs:read',
    target: '~/Documents/note/*',
  });
  db.close();
});

for (const theme of ['light', 'dark'] as const) {
  test(`before it is signed it shows which past calls it would have let through, in ${theme}`, async ({
    panel,
    page,
    home,
  }) => {
    // Nobody waits for a person here.
    const ask = (path: string) => askAsAgent(home, { executor: 'read_files', args: { path }, wait_s: 0 }).answer;
    for (const name of ['a', 'b', 'c']) {
      expect(await ask(`~/Documents/note/${name}.txt`)).toMatchObject({ decision: 'approval_required' });
    }
    expect(await ask('~/Documents/altro/d.txt')).toMatchObject({ decision: 'approval_required' });
    expect(await ask('~/.ssh/id_rsa')).toMatchObject({ decision: 'denied' });

    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await panel.go('Grants');
    await page.getByRole('button', { name: 'New grant' }).click();
    const form = page.getByRole('dialog');
    const past = form.getByRole('region', { name: 'Past calls it would have let through' });
    await expect(past).toContainText('Counted once');
    await form.getByLabel('Channel').fill('telegram');
    await form.getByLabel('Sender').fill('roberto');
    await form.getByRole('combobox', { name: 'Capability' }).click();
    await page.getByRole('option', { name: /fs:read/ }).click();
    const target = form.locator('input[name=target]');
    await target.fill('~/Documents/note/*');
    await expect(past).toContainText('3 of 4 calls that asked');
    await expect(past.getByRole('listitem')).toHaveCount(3);
    await expect(past.getByRole('listitem').first()).toContainText('~/Documents/note/c.txt');
    await past.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `test-results/pages/new-grant-${theme}.png` });
    await target.fill('~/Documents/**');
    await expect(past).toContainText('4 of 4 calls that asked');
    await target.fill('~/Musica/*');
    await expect(past).toContainText('0 of 4 calls that asked');
  });
}
