import { casesDir, metnosHome, sampleHome } from '../fixtures/homes.ts';
import { expect, test } from '../fixtures/test.ts';
import type { PageName } from '../pages/panel.ts';

const PAGES = [
  'Live',
  'Matrix',
  'Grants',
  'Approvals',
  'Proposals',
  'Turns',
  'Audit',
  'Statistics',
  'Try it',
  'Settings',
] as const satisfies readonly PageName[];

// The pictures are for people: they lie in test-results/pages after a run.
test.use({ from: { home: casesDir ? metnosHome : sampleHome } });

for (const theme of ['light', 'dark'] as const) {
  test(`every page in ${theme}, with nothing cut off sideways`, async ({ panel, page }) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const name of PAGES) {
      await panel.go(name);
      await expect(page.getByRole('main').getByRole('status', { name: /loading/i })).toHaveCount(0);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, `${name} fits the window`).toBeLessThanOrEqual(0);
      await page.screenshot({ path: `test-results/pages/${name.toLowerCase().replace(' ', '-')}-${theme}.png` });
    }
  });
}

test('both languages: every page has its Italian heading', async ({ panel, page }) => {
  await page.getByRole('button', { name: 'Look and language' }).click();
  await page.getByRole('menuitemradio', { name: 'Italiano' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('html')).toHaveAttribute('lang', 'it');
  for (const [path, heading] of [
    ['matrix', 'Matrice'],
    ['grants', 'Permessi'],
    ['statistics', 'Statistiche'],
  ] as const) {
    await page.goto(new URL(`/#/${path}`, panel.host.url).href);
    await expect(panel.heading(heading)).toBeVisible();
  }
});
