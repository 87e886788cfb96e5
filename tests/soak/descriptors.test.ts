// Needs features: exports, writer.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lacks } from '../needs';

const root = resolve(import.meta.dirname, '../..');
const program = resolve(root, 'dist/node.js');

// In a process of its own, because the threads of a test run share their descriptors.
test.skipIf(lacks('/proc', existsSync('/proc/self/fd')) || lacks('the built library', existsSync(program)))(
  'what a reader opened is closed with it: files of all ways to read, by path and by address',
  {
    timeout: 60_000,
  },
  async () => {
    const script = resolve(import.meta.dirname, 'descriptors.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [
      script,
      program,
      resolve(root, 'public/sample.root'),
    ]);
    const found = JSON.parse(stdout) as Record<string, { before: number; after: number; started?: number }>;
    expect(Object.keys(found).length).toBeGreaterThan(17);
    expect(found.workers?.started).toBeGreaterThan(0);
    for (const [way, { before, after }] of Object.entries(found))
      expect(`${way}: ${after}`).toBe(`${way}: ${before}`);
  },
);
