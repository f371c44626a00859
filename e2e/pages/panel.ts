import { expect, type Locator, type Page } from '@playwright/test';
import type { Host } from '../fixtures/browser-host.ts';

export type PageName =
  | 'Live'
  | 'Matrix'
  | 'Grants'
  | 'Approvals'
  | 'Proposals'
  | 'Turns'
  | 'Audit'
  | 'Statistics'
  | 'Try it'
  | 'Settings';

/** The panel as a person handles it: by names and roles, not by its code. */
export class Panel {
  readonly page: Page;
  readonly host: Host;
  /** What the page's own console complained about; a spec can ask that it is empty. */
  readonly complaints: string[] = [];

  constructor(page: Page, host: Host) {
    this.page = page;
    this.host = host;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
  }

  async open(): Promise<void> {
    await this.page.goto(this.host.url);
    await expect(this.heading('Live')).toBeVisible();
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  async go(name: PageName): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click();
    await expect(this.heading(name)).toBeVisible();
  }

  /** Chooses whose level the switch at the top shows, e.g. `telegram / Roberto`. */
  async chooseScope(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Whose level/ }).click();
    await this.page.getByRole('menuitemradio', { name }).click();
  }

  level(name: 'Read-only' | 'Supervised' | 'Full'): Locator {
    return this.page.getByRole('radiogroup', { name: /^Autonomy level/ }).getByRole('radio', { name });
  }

  cell(level: string, capability: string): Locator {
    return this.page.locator(`[role=gridcell][data-level="${level}"][data-capability="${capability}"]`);
  }

  grantRow(id: number): Locator {
    return this.page.locator(`[data-grant-id="${id}"]`);
  }

  async grantIds(): Promise<number[]> {
    const ids = await this.page
      .locator('[data-grant-id]')
      .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-grant-id'))));
    return ids.sort((left, right) => left - right);
  }

  verdictRows(): Locator {
    return this.page.getByRole('grid', { name: 'Verdicts, newest first' }).locator('[role=row][data-seq]');
  }

  auditRows(): Locator {
    return this.page
      .getByRole('grid', { name: 'Verdicts and operator acts, newest first' })
      .locator('[role=row][data-seq], [role=row][data-act]');
  }

  turnRows(): Locator {
    return this.page.getByRole('grid', { name: 'Turns, newest first' }).locator('[role=row][data-turn]');
  }

  /** Steps of the turn that is open. */
  steps(): Locator {
    return this.page.getByRole('complementary').locator('li[data-step]');
  }

  async tile(key: string): Promise<number> {
    return Number(await this.page.locator(`[data-tile="${key}"]`).getAttribute('data-value'));
  }
}
