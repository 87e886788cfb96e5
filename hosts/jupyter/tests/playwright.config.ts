import { defineConfig } from '@playwright/test';
import common from '../../../playwright.config';

/** Real notebooks: run by npm run test:hosts. */
export default defineConfig({
  ...common,
  testDir: '.',
  outputDir: '../../../test-results/jupyter',
  workers: 1,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 60_000 },
});
