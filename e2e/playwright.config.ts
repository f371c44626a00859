import { defineConfig } from '@playwright/test';

const executablePath = process.env.VAGLIO_CHROMIUM;
const jsonFile = process.env.VAGLIO_E2E_JSON;

export default defineConfig({
  testDir: './specs',
  outputDir: '../test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: jsonFile ? [['list'], ['json', { outputFile: jsonFile }]] : [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    // The time zone stays the machine's own: the engine counts days by it too.
    locale: 'en-GB',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
