// Many small files, of which a tenth is bad, by one process and by Dask with workers that are killed.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root, StepError } from '../scripts/run.mjs';

const help = `npm run bench farm -- --files 10000 --seconds 60 --tasks 200

  --files N     links to 500 files, 10000
  --seconds S   how often a worker of Dask or a living process of xylem is killed, 60; 0: never
  --tasks N     tasks of Dask, 200; 0: as many as the adapter makes
  --python P    a Python with uproot, distributed and psutil; by default ORACLE_PYTHON, or python3`;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '60' },
    tasks: { type: 'string', default: '200' },
    python: { type: 'string', default: process.env.ORACLE_PYTHON ?? 'python3' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) process.stdout.write(`${help}\n`);
else {
  const folder = join(root, 'build/bench/farm');
  mkdirSync(folder, { recursive: true });
  const words = [values.files, values.seconds, values.tasks];
  const script = join(root, 'bench/data/farm.py');
  const { status } = spawnSync(
    values.python,
    ['-W', 'ignore', script, folder, join(root, 'dist/cli/xylem.js'), ...words],
    { stdio: 'inherit' },
  );
  if (status !== 0) throw new StepError('The results differ, or the list of failed files does.');
}
