// npm run bench chain -- [--file FILE --tree TREE --count N] COMMAND…
// Runs "xylem COMMAND URLS TREE …" on one FILE that a server on this machine gives as N files with UUIDs of their own, and says
// what that took: seconds, MB, requests for each file, and those of them that read metadata.
// Example: npm run bench chain -- --count 2000 -- plan --tasks 100
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, runMain, StepError } from '../scripts/run.mjs';
import { runWhole } from './program.mjs';
import { serveMany } from './serve-many.mjs';

await runMain(async () => {
  const { values: given, positionals } = parseArgs({
    options: {
      file: { type: 'string', default: 'public/sample.root' },
      tree: { type: 'string', default: 'Events' },
      count: { type: 'string', default: '300' },
    },
    allowPositionals: true,
  });
  const [command, ...rest] = positionals;
  if (command === undefined) throw new StepError('Give a command of xylem, such as "plan".');
  const count = Number(given.count);
  const files = await serveMany(given.file, given.tree, count);
  const folder = mkdtempSync(join(tmpdir(), 'xylem-chain-'));
  try {
    const list = join(folder, 'files.txt');
    writeFileSync(
      list,
      Array.from({ length: count }, (_, i) => files.url.replace('files.txt', `${i}.root`)).join('\n'),
    );
    const program = join(root, 'dist/cli/xylem.js');
    const { wall_s, cpu_s, rss_mb } = await runWhole([
      program,
      command,
      `@${list}`,
      given.tree,
      ...rest,
      '--no-cache',
    ]);
    process.stdout.write(
      `${JSON.stringify({ wall_s, cpu_s, rss_mb, requestsOfFile: files.figures() }, null, 2)}\n`,
    );
  } finally {
    files.close();
    rmSync(folder, { recursive: true });
  }
});
