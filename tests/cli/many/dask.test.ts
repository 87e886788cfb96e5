import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { lacks } from '../../needs';
import { program, programWith } from '../program';

/** A Python with distributed, boost-histogram, uproot and ROOT. */
const python = process.env.DASK_PYTHON;

test.skipIf(lacks('DASK_PYTHON', python !== undefined))(
  'a Dask cluster that loses a worker has the bits of one process',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xylem-dask-'));
    try {
      const at = (name: string): string => join(folder, name);
      const run = (...args: string[]): string =>
        execFileSync(python ?? '', ['-W', 'ignore', ...args], { encoding: 'utf8' });
      const fixtures = resolve(import.meta.dirname, '../../fixtures/files');
      run(resolve(import.meta.dirname, 'many_files.py'), folder, '40', fixtures);
      const cluster = resolve(import.meta.dirname, 'dask_cluster.py');
      const said = JSON.parse(
        run(cluster, at('files.txt'), program, at('dask.json')).trim().split('\n').pop() ?? '',
      );
      const { run: xylem } = programWith(folder);
      const query = ['manysmall', 'x', 'w', '--hist', '40,-10,15'];
      await xylem(['draw', `@${at('files.txt')}`, ...query, '--partial', at('one.json')]);
      const [dask, one] = ['dask.json', 'one.json'].map((name) => JSON.parse(readFileSync(at(name), 'utf8')));
      expect(said).toMatchObject({ inputs: 34, failed: 6, killed: true });
      expect(said.calls.at(-1)[0]).toBe(said.calls.at(-1)[1]);
      expect(dask.histogram).toEqual(one.histogram);
      expect(dask.inputs).toEqual(one.inputs);
      const drawn = JSON.parse((await xylem(['combine', at('one.json'), '--json'])).out);
      expect(said.values).toEqual(drawn.sums.slice(1, -1));
      expect(said.edges).toHaveLength(41);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
