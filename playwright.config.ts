import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.mjs';

const port = 8799;
const executablePath = findChromium();
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 30_000,
  forbidOnly: Boolean(process.env.CI),
  use: {
    baseURL: `http://localhost:${port}/`,
    trace: 'retain-on-failure',
    launchOptions: { args, ...(executablePath === undefined ? {} : { executablePath }) },
  },
  webServer: {
    command: `node scripts/serve.mjs ${port}`,
    url: `http://localhost:${port}/`,
    reuseExistingServer: false,
  },
});
