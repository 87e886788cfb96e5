import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    environment: 'node',
    // A thread starts with a tenth less of the processors' time than a process.
    pool: 'threads',
    testTimeout: 20_000,
    // Many tests wait for servers and processes: four keep two cores busy.
    maxWorkers: 4,
    // Tests start servers, processes and workers, which a busy machine can fail by chance.
    retry: 1,
  },
});
