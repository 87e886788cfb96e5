// npm run test:mutants -- [FILE[:FROM-TO] ...]: puts faults into the code, one at a time, and tells which ones no
// test notices (Stryker). Not part of the gate. Without files: all of the table below. With line numbers: only
// that range. See docs/testing.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capture, root, runMain, StepError } from './run.mjs';

/**
 * The tests that are to notice faults in a file.
 * @type {[files: string[], tests: string[]][]}
 */
const AREAS = [
  [['web/io/planner.ts'], ['tests/io/planner-shares.test.ts']],
  [['web/io/gap.ts'], ['tests/io/planner.test.ts']],
  [['web/io/fetch/reader.ts'], ['tests/io/reader-memory.test.ts', 'tests/io/reader.test.ts']],
  [['web/io/extents.ts'], ['tests/io/extents.test.ts']],
  [['web/engine/identity.ts'], ['tests/engine/identity.test.ts']],
  [['web/cache/checksum.ts'], ['tests/cache/checksum.test.ts']],
  [['web/cache/pack-file.ts'], ['tests/cache/pack-file.test.ts']],
  [['web/cache/extent-store.ts'], ['tests/cache/stored-extents.test.ts']],
  [['web/cache/node-packs.ts'], ['tests/cache/direct-packs.test.ts']],
  [
    ['web/bins/auto-axis.ts', 'web/bins/tight-axis.ts'],
    ['tests/query/auto-axis.test.ts', 'tests/query/tight-axis.test.ts'],
  ],
  [
    ['web/query/compile/compiler.ts'],
    ['tests/query/conformance.test.ts', 'tests/query/errors.test.ts', 'tests/query/objects.test.ts'],
  ],
  [
    ['web/features/whatif/work/simulate-cache.ts', 'web/features/whatif/work/simulate-blocks.ts'],
    [
      'tests/features/whatif/simulate-cache.test.ts',
      'tests/features/whatif/simulate-parts.test.ts',
      'tests/features/whatif/simulate.test.ts',
    ],
  ],
  [
    ['web/reads/basket-layout.ts', 'web/features/whatif/work/simulate-ranges.ts'],
    ['tests/features/whatif/simulate-parts.test.ts'],
  ],
  [
    ['web/features/doctor/work/doctor-layout.ts'],
    ['tests/features/doctor/doctor-rules.test.ts', 'tests/features/doctor/doctor.test.ts'],
  ],
  [
    [
      'web/features/doctor/work/doctor-branches.ts',
      'web/features/doctor/work/doctor-codecs.ts',
      'web/features/doctor/work/doctor-types.ts',
    ],
    ['tests/features/doctor/doctor-rules.test.ts'],
  ],
  [
    ['web/features/exports/work/text-tables.ts', 'web/export/table.ts'],
    ['tests/features/exports/separated-values.test.ts'],
  ],
  [
    ['web/features/exports/work/npy.ts', 'web/features/exports/work/zip.ts'],
    ['tests/features/exports/export-tree.test.ts'],
  ],
  [['web/export/canonical.ts'], ['tests/export/canonical.test.ts']],
];

/** Vitest as Stryker runs it: only these tests, and none of them a second time. @param {string[]} tests */
const configOf = (tests) => `import { defineConfig } from 'vitest/config';
export default defineConfig({ test: { include: ${JSON.stringify(tests)}, testTimeout: 60_000, retry: 0 } });
`;

/** The mutants that were killed and all that count, and the survivors as text. */
async function scoreOf() {
  const report = JSON.parse(await readFile(join(root, 'build', 'mutants.json'), 'utf8'));
  let killed = 0;
  let all = 0;
  const survivors = [];
  for (const [file, { mutants }] of Object.entries(report.files)) {
    for (const { status, location, mutatorName, replacement = '' } of mutants) {
      if (status === 'Killed' || status === 'Timeout') killed++;
      if (['Killed', 'Timeout', 'Survived', 'NoCoverage'].includes(status)) all++;
      if (status !== 'Survived' && status !== 'NoCoverage') continue;
      const { line, column } = location.start;
      const text = replacement.replace(/\s+/g, ' ').slice(0, 70);
      survivors.push(`${file}:${line}:${column} ${mutatorName} -> ${text}`);
    }
  }
  return { killed, all, survivors };
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const wanted = process.argv.slice(2);
    const known = AREAS.flatMap(([files, tests]) => files.map((file) => ({ file, tests })));
    const chosen = (wanted.length > 0 ? wanted : known.map(({ file }) => file)).map((range) => {
      const area = known.find(({ file }) => file === range.replace(/:\d+-\d+$/, ''));
      if (area) return { range, tests: area.tests };
      throw new StepError(`${range} is not in the table of scripts/mutants.mjs, which says what tests it\n`);
    });
    for (const { range, tests } of chosen) {
      const started = performance.now();
      await writeFile(join(root, 'build', 'vitest.mutants.config.ts'), configOf(tests));
      const { status, output } = await capture('stryker', ['run', '--mutate', range]);
      if (status !== 0) throw new StepError(output);
      const { killed, all, survivors } = await scoreOf();
      const seconds = Math.round((performance.now() - started) / 1000);
      const score = all === 0 ? 100 : (100 * killed) / all;
      process.stdout.write(`${range}: ${killed} of ${all} killed, ${score.toFixed(1)} % (${seconds} s)\n`);
      for (const survivor of survivors) process.stdout.write(`  ${survivor}\n`);
    }
  });
}
