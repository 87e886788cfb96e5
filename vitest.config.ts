import { configDefaults, defineConfig } from 'vitest/config';

// These are about named pipes, devices, modes of files and signals, which Windows does not have.
const POSIX = ['tests/features/writer/cli-save.test.ts', 'tests/cli/signals.test.ts'];

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['tests/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...(process.platform === 'win32' ? POSIX : [])],
    environment: 'node',
    // A thread starts with a tenth less of the processors' time than a process.
    pool: 'threads',
    // Room for a machine that is slow, or busy with other things.
    testTimeout: 60_000,
    // Many tests wait for servers and processes: four keep two cores busy.
    maxWorkers: 4,
    // Tests start servers, processes and workers, which a busy machine can fail by chance.
    retry: 2,
  },
});
