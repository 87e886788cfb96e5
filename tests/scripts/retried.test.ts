import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findings, retriedStories } from '../../scripts/retried.mjs';
import { root } from '../../scripts/run.mjs';

const SUITE = `import { expect, test } from 'vitest';
let tries = 0;
test('is late at first', () => { tries++; expect(tries).toBe(2); });
test('is right', () => expect(1).toBe(1));
`;

test('a test of Vitest that fails once is a finding, with its first error', () => {
  // Within the checkout, so that its packages are found.
  mkdirSync(join(root, 'build'), { recursive: true });
  const folder = mkdtempSync(join(root, 'build/retried-'));
  try {
    writeFileSync(join(folder, 'late.test.js'), SUITE);
    writeFileSync(join(folder, 'vitest.config.js'), 'export default {};');
    const path = join(folder, 'retried.json');
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        ...['run', '--root', folder, '--retry=1'],
        `--reporter=${join(root, 'scripts/retried.mjs')}`,
      ],
      { cwd: folder, env: { ...process.env, XYLEM_RETRIED: path }, stdio: 'ignore' },
    );
    const retried = JSON.parse(readFileSync(path, 'utf8'));
    expect(retried).toEqual([
      {
        name: 'is late at first',
        file: 'late.test.js',
        error: expect.stringContaining('expected 1 to be 2'),
      },
    ]);
    expect(findings([{ stage: 'vitest', ...retried[0] }])).toMatch(
      /^finding: vitest: "is late at first" \(late\.test\.js\) passed only when it was run again\n {4}expected 1 to be 2/,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a story that fails once is a finding, in any depth of suites', () => {
  const results = [{ errors: [{ message: '\x1b[31mError: not there' }] }, { errors: [] }];
  const specs = [
    { title: 'late', file: 'a.spec.ts', tests: [{ status: 'flaky', results }] },
    { title: 'right', file: 'a.spec.ts', tests: [{ status: 'expected', results: [] }] },
  ];
  expect(retriedStories({ specs: [], suites: [{ specs: [], suites: [{ specs }] }] })).toEqual([
    { name: 'late', file: 'a.spec.ts', error: 'Error: not there' },
  ]);
  expect(findings([])).toBe('');
});
