import { defineConfig } from 'vitest/config';

/** The stories of a user's day in one browser, one after another: see docs/browsers.md. */
export default defineConfig({
  test: {
    include: ['e2e/browsers/*.test.ts'],
    environment: 'node',
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
