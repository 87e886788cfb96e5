import { defineConfig } from '@playwright/test';
import { findChromium, findChromiumShell } from './scripts/browsers.mjs';

const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
const launchBy = (executablePath: string | undefined) => ({
  launchOptions: { args, ...(executablePath === undefined ? {} : { executablePath }) },
});

// Stories of what the browser without windows has not, and of JSROOT's frame, of which it complains.
const WITH_WINDOWS = /(installed|jsroot|hostile|plots)\.spec\.ts/;

// Each worker serves the built page for its stories itself (e2e/story.ts), on a port that is free.
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  // Stories wait for the page at times: three keep two cores busy.
  workers: 3,
  // Room for a machine that is slow, or busy with other things; a story takes a few seconds.
  timeout: 120_000,
  // A busy machine can fail a story by chance: it runs again, and npm test says that it did.
  retries: 2,
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    // Stories that need it allow it; for the others the viewer would be fetched twice.
    serviceWorkers: 'block',
    // A trace of each story would take a third of the time.
    trace: 'on-first-retry',
  },
  projects: [
    { name: 'Chromium', testMatch: WITH_WINDOWS, use: launchBy(findChromium()) },
    {
      name: 'Chromium without windows',
      testMatch: '*.spec.ts',
      testIgnore: WITH_WINDOWS,
      use: launchBy(findChromiumShell() ?? findChromium()),
    },
  ],
});
