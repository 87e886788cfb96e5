import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program, programWith } from '../../cli/program';
import { lacks } from '../../needs';

/** A Python with distributed, boost-histogram, uproot and ROOT. */
const python = process.env.DASK_PYTHON;
const there = python !== undefined;
/** Number of files, of which three in twenty are bad. The docs have the figures of 2,000. */
const total = Number(process.env.XYLEM_MANY ?? 60);
const bad = (3 * total) / 20;
const tasks = String(Math.max(12, total / 20));
/** All that adds up. */
const SELECTOR = `export default {
  branches: { x: 'x', w: 'w', n: 'n' },
  where: 'n != 3',
  begin: (job) => ({
    h: job.hist([40, -10, 15], { title: 'x', axes: ['x'] }),
    plane: job.hist([5, -10, 15], [9, 0, 9]),
    mean: job.profile([10, -10, 15]),
    sum: job.counter(),
    kinds: job.labels(),
    rows: job.table({ x: 'number', n: 'whole', file: 'text' }),
  }),
  entry({ x, w, n }, out, { file }) {
    out.h.fill(x, w);
    out.plane.fill(x, n, w);
    out.mean.fill(x, n, w);
    out.sum.add(w / 3);
    out.kinds.add('n=' + n, w);
    if (x > 9) out.rows.row({ x, n, file: file.slice(file.lastIndexOf('/') + 1) });
  },
};
`;
let folder: string;
const at = (name: string): string => join(folder, name);
let selector: string;
const run = (script: string, ...args: string[]): string =>
  execFileSync(python ?? '', ['-W', 'ignore', resolve(import.meta.dirname, script), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
const jsonOf = (name: string) => JSON.parse(readFileSync(at(name), 'utf8'));

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-dask-'));
  selector = at('farm.mjs');
  writeFileSync(selector, SELECTOR);
  if (there)
    run('many_files.py', folder, String(total), resolve(import.meta.dirname, '../../fixtures/files'));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a cluster that loses a worker over all files, and returns what it said. */
function cluster(out: string, ...more: string[]) {
  const said = run('dask_cluster.py', at('files.txt'), program, at(out), tasks, ...more);
  const found = JSON.parse(said.trim().split('\n').pop() ?? '');
  expect(found).toMatchObject({ inputs: total - bad, failed: bad, killed: true });
  expect(found.calls.at(-1)[0]).toBe(found.calls.at(-1)[1]);
  return found;
}

test.skipIf(lacks('DASK_PYTHON', there))(
  'a Dask cluster that loses a worker has the bits of one process',
  async () => {
    const said = cluster('dask.json');
    const { run: xylem } = programWith(folder);
    const query = ['manysmall', 'x', 'w', '--hist', '40,-10,15'];
    await xylem(['draw', `@${at('files.txt')}`, ...query, '--partial', at('one.json')]);
    const [dask, one] = [jsonOf('dask.json'), jsonOf('one.json')];
    expect(dask.histogram).toEqual(one.histogram);
    expect(dask.inputs).toEqual(one.inputs);
    const drawn = JSON.parse((await xylem(['combine', at('one.json'), '--json'])).out);
    expect(said.values).toEqual(drawn.sums.slice(1, -1));
    expect(said.edges).toHaveLength(41);
  },
  600_000,
);

test.skipIf(lacks('DASK_PYTHON', there))(
  'a farm that loses a worker every few seconds has the bytes of one process, and the exact list of failed files',
  () => {
    const said = run('../../../bench/data/farm.py', at('farm'), program, '500', '4', '20');
    const found = JSON.parse(said.trim().split('\n').pop() ?? '');
    expect(found).toMatchObject({ files: 500, 'same bytes': true, failed: [50, 50], 'failed exact': true });
    expect(found.Dask.killed).toBeGreaterThan(0);
    expect(found.Dask['memory MB']).toBeLessThan(1000);
  },
  600_000,
);

test.skipIf(lacks('DASK_PYTHON', there))(
  'a selector on a Dask cluster that loses a worker, and in two shells, has the bits of one process',
  async () => {
    const { run: xylem } = programWith(folder);
    const times: Record<string, number> = {};
    const timed = async <T>(name: string, work: () => T | Promise<T>): Promise<T> => {
      const began = performance.now();
      const result = await work();
      times[name] = Math.round(performance.now() - began) / 1000;
      return result;
    };
    const process = (files: string, ...more: string[]) =>
      xylem(['process', selector, files, 'manysmall', '--set', 'a=1', ...more]);
    const one = await timed('one process', () =>
      process(`@${at('files.txt')}`, '--jobs', '1', '--partial', at('one.json')),
    );
    expect(one.status).toBe(1);
    const said = await timed('Dask', () => cluster('dask.json', selector));

    // Two shells, each with half of the files.
    const names = readFileSync(at('files.txt'), 'utf8').split('\n');
    await timed('two shells', async () => {
      const halves = ['odd.json', 'even.json'].map(async (part, i) => {
        const list = at(`${part}.txt`);
        writeFileSync(list, names.filter((_, k) => k % 2 === i).join('\n'));
        return await process(`@${list}`, '--resume', at(part));
      });
      await Promise.all(halves);
      const added = await xylem([
        ...['combine', at('even.json'), at('odd.json'), '--partial', at('two.json')],
        ...['--expect', `@${at('files.txt')}`],
      ]);
      expect(added.err).not.toContain('missing');
    });
    if (globalThis.process.env.XYLEM_MANY) globalThis.process.stderr.write(`${JSON.stringify(times)}\n`);

    const first = jsonOf('one.json');
    for (const other of ['dask.json', 'two.json'].map(jsonOf)) {
      expect(other.made).toEqual(first.made);
      expect(other.inputs).toEqual(first.inputs);
    }
    // The plan has named files that cannot be opened, and so no task of Dask has them.
    expect(jsonOf('two.json').failed).toEqual(first.failed);
    const shown = JSON.parse((await xylem(['combine', at('one.json'), '--json'])).out);
    expect(said.results).toEqual(shown.results);
    expect(said.values).toEqual(shown.results.h.sums.slice(1, -1));

    // RDataFrame, of the files that are sound.
    const truth = jsonOf('truth.json');
    expect(shown).toMatchObject({ entries: truth.entries, passed: truth.passed });
    for (const [i, sum] of shown.results.h.sums.entries())
      expect(Math.abs(sum - truth.passing[i])).toBeLessThanOrEqual(1e-12 * truth.sizes[i]);
    expect(shown.results.rows.x).toHaveLength(truth.rows);
  },
  1_200_000,
);
