import { defineConfig } from '@playwright/test';
import common from '../../../playwright.config';

/** A real portal: run by npm run test:hosts. */
export default defineConfig({
  ...common,
  testDir: '.',
  outputDir: '../../../test-results/invenio',
  workers: 1,
  retries: 0,
  timeout: 240_000,
  expect: { timeout: 60_000 },
});
