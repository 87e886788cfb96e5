import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bytesOfRows, columnsOfBytes } from '../../../web/features/selectors/work/rows/spool';
import type { RowColumn, TableValues } from '../../../web/features/selectors/work/rows/types';
import { programWith } from '../../cli/program';
import { type Run, run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { lacks } from '../../needs';
import { oraclePython } from '../../oracle';

const folder = mkdtempSync(join(tmpdir(), 'xylem-large-tables-'));
const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const at = (...names: string[]): string => join(folder, ...names);
const reader = withReader();
const xylem = (...args: string[]): Promise<Run> => run(reader, ...args);
const process_ = (...more: string[]): string[] => ['process', at('rows.mjs'), sample, 'Events', ...more];
const { built } = programWith(at('.caches'));

// Machines that are shared take their time.
vi.setConfig({ testTimeout: 120_000 });

beforeAll(() => {
  writeFileSync(
    at('rows.mjs'),
    `let n;
    export default {
      branches: { met: 'MET_pt' },
      begin: (job) => {
        n = Number(job.set.n ?? 50);
        return { t: job.table({ id: 'whole', i: 'number', met: 'number', text: 'text' }), c: job.counter() };
      },
      entry({ met }, out, { entry }) {
        out.c.add();
        for (let i = 0; i < n; i++) out.t.row({ id: entry, i, met: i % 7 ? met : NaN, text: i % 3 ? 'é' + entry : '' });
      },
    };`,
  );
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Names of temporary folders and files that are left. */
const left = (): string[] => readdirSync(folder).filter((name) => name.startsWith('.') && name !== '.caches');

test('rows as bytes are the rows again, and shorter bytes are refused', () => {
  const columns: RowColumn[] = [
    { name: 'a', type: 'text' },
    { name: 'b', type: 'number' },
    { name: 'c', type: 'unsigned' },
  ];
  const values: TableValues[] = [
    ['', 'é', 'abc'],
    Float64Array.of(1, Number.NaN, -0),
    BigUint64Array.of(1n, 2n ** 64n - 1n, 0n),
  ];
  const bytes = bytesOfRows(columns, values);
  const [a, b, c] = columnsOfBytes(columns, bytes.slice(), 3) ?? [];
  expect(a).toMatchObject({ kind: 'string', offsets: Int32Array.of(0, 0, 2, 5) });
  expect([b, c]).toMatchObject([{ data: values[1] }, { data: values[2] }]);
  expect(columnsOfBytes(columns, bytes.slice(0, -8), 3)).toBeUndefined();
  const odd = bytes.slice();
  new Int32Array(odd.buffer)[2] = 1_000_000;
  expect(columnsOfBytes(columns, odd, 3)).toBeUndefined();
});

test('partial results name files beside them; sums have the bytes of one run, in any order', async () => {
  const ranges = ['[0:1000]', '[1000:2400]'];
  mkdirSync(at('parts'));
  for (const [i, range] of ranges.entries())
    await xylem(
      'process',
      at('rows.mjs'),
      `${sample}?#Events${range}`,
      'Events',
      '--partial',
      at('parts', `${i}.json`),
    );
  const files = readdirSync(at('parts', 'tables'));
  expect(files).toEqual([expect.stringMatching(/^t-[0-9a-f]{16}\.root$/), expect.stringMatching(/^t-/)]);
  const { made } = JSON.parse(readFileSync(at('parts', '0.json'), 'utf8'));
  expect(made.state.t.parts[0].side).toMatchObject({
    name: expect.stringMatching(/^tables\/t-/),
    rows: 50_000,
  });
  for (const form of ['parquet', 'arrow'] as const) {
    await xylem(...process_('--result', 't', `--${form}`, at(`one.${form}`)));
    const sum = await xylem(
      'combine',
      at('parts', '1.json'),
      at('parts', '0.json'),
      `--${form}`,
      at(`sum.${form}`),
    );
    expect(sum.status).toBe(0);
    expect(readFileSync(at(`sum.${form}`)).equals(readFileSync(at(`one.${form}`)))).toBe(true);
  }
  await xylem(...process_('--result', 't', '--csv', at('one.csv')));
  await xylem(
    'combine',
    at('parts', '1.json'),
    at('parts', '0.json'),
    '--result',
    't',
    '--csv',
    at('sum.csv'),
  );
  const lines = readFileSync(at('one.csv'), 'utf8');
  expect(lines.split('\n')).toHaveLength(1 + 50 * 2400 + 1);
  expect(readFileSync(at('sum.csv'), 'utf8')).toBe(lines);
  // A sum elsewhere names the same files.
  mkdirSync(at('other'));
  await xylem('combine', at('parts', '0.json'), at('parts', '1.json'), '--partial', at('other', 'all.json'));
  const all = await xylem('combine', at('other', 'all.json'), '--parquet', at('all.parquet'));
  expect(all.status).toBe(0);
  expect(readFileSync(at('all.parquet')).equals(readFileSync(at('one.parquet')))).toBe(true);
  expect((await xylem('combine', at('other', 'all.json'))).out).toMatch(
    /^t +120,000 rows of id, i, met, text$/m,
  );
  const json = JSON.parse((await xylem('combine', at('other', 'all.json'), '--result', 't', '--json')).out);
  expect([json.id.length, json.text.slice(0, 3), json.met[7]]).toEqual([120_000, ['', 'é0', 'é0'], 'nan']);
  expect(left()).toEqual([]);
  // Twice the same input.
  expect((await xylem('combine', at('parts', '0.json'), at('other', 'all.json'))).err).toMatch(/occur twice/);
});

test('a file beside a partial result that is another one, or is missing, is refused by its name', async () => {
  mkdirSync(at('odd'));
  await xylem(...process_('--partial', at('odd', 'a.json')));
  const [name = ''] = readdirSync(at('odd', 'tables'));
  const path = at('odd', 'tables', name);
  const bytes = readFileSync(path);
  const other = Buffer.from(bytes);
  other[5000] = (other[5000] ?? 0) ^ 1;
  writeFileSync(path, other);
  const read = await xylem('combine', at('odd', 'a.json'), '--parquet', at('odd.parquet'));
  expect([read.status, read.err]).toEqual([
    1,
    expect.stringMatching(/t-[0-9a-f]{16}\.root.* is not the file that was written/),
  ]);
  expect(existsSync(at('odd.parquet'))).toBe(false);
  writeFileSync(path, bytes);
  appendFileSync(path, 'x');
  for (const how of [[], ['--partial', at('odd', 'sum.json')]])
    expect((await xylem('combine', at('odd', 'a.json'), ...how)).err).toMatch(
      /t-[0-9a-f]{16}\.root.* has [\d,]+ bytes, not .*FILE_CHANGED/s,
    );
  renameSync(path, at('away.root'));
  expect((await xylem('combine', at('odd', 'a.json'))).err).toMatch(
    /t-[0-9a-f]{16}\.root.* is missing.*NOT_FOUND/s,
  );
  expect((await xylem(...process_('--resume', at('odd', 'a.json')))).err).toMatch(/is missing/);
  renameSync(at('away.root'), path);
  writeFileSync(path, bytes);
  const text = readFileSync(at('odd', 'a.json'), 'utf8');
  for (const [from, to] of [
    [/"hash":"[0-9a-f]{64}","rows"/, '"hash":"abc","rows"'],
    [/"rows":120000/, '"rows":-1'],
    [/"name":"tables[^"]*"/, '"name":""'],
  ] as const) {
    writeFileSync(at('odd', 'b.json'), text.replace(from, to));
    expect((await xylem('combine', at('odd', 'b.json'))).err).toMatch(/not a partial result/);
  }
  writeFileSync(at('odd', 'b.json'), text.replace(/"rows":120000/, '"rows":119999'));
  expect((await xylem('combine', at('odd', 'b.json'), '--parquet', at('x.parquet'))).err).toMatch(
    /has 120,000 rows, not 119,999/,
  );
});

test('a data set is written as a whole, kept without --force, and takes files of several tasks', async () => {
  const write = (...more: string[]) => xylem(...process_('--parquet', `${at('set')}/`, ...more));
  expect((await write('--rows', '50000')).status).toBe(0);
  expect(readdirSync(at('set'))).toEqual(['part-0001.parquet', 'part-0002.parquet', 'part-0003.parquet']);
  expect((await write()).err).toMatch(/has 3 files of a data set already.*--force/s);
  expect((await write('--force')).status).toBe(0);
  expect(readdirSync(at('set'))).toEqual(['part-0001.parquet']);
  for (const task of ['one', 'two'])
    expect(
      (await xylem(...process_('--partial', at(`${task}.json`), '--parquet', `${at('tasks')}/`))).status,
    ).toBe(0);
  expect(readdirSync(at('tasks'))).toEqual(['one-0001.parquet', 'two-0001.parquet']);
  expect((await xylem(...process_('--parquet', '-', '--rows', '5'))).err).toMatch(/go to a folder/);
  expect((await xylem(...process_('--rows', '5'))).err).toMatch(/--rows goes with/);
  // After an error nothing is left.
  const failing = at('failing.mjs');
  writeFileSync(
    failing,
    readFileSync(at('rows.mjs'), 'utf8').replace(
      'out.c.add();',
      'out.c.add(); if (entry === 2000) throw new Error("no");',
    ),
  );
  const failed = await xylem('process', failing, sample, 'Events', '--parquet', `${at('none')}/`);
  expect([failed.status, existsSync(at('none')), left()]).toEqual([1, false, []]);
});

test.skipIf(lacks('ORACLE_PYTHON', oraclePython !== undefined))(
  'pyarrow, uproot, TChain and RDataFrame read data sets with the same rows',
  async () => {
    for (const more of [
      ['--parquet', `${at('p')}/`],
      ['--arrow', `${at('a')}/`],
      ['--root', `${at('r')}/`],
      ['--root', `${at('n')}/`, '--table-format', 'rntuple'],
    ])
      expect((await xylem(...process_(...more, '--rows', '50000'))).status).toBe(0);
    expect(readdirSync(at('r'))).toEqual(['results.root', 't-0001.root', 't-0002.root', 't-0003.root']);
    const script = `
import glob, json, numpy as np, pyarrow.dataset as dataset, uproot, ROOT
truth = dataset.dataset("${at('p')}", format="parquet").to_table()
columns = {name: truth[name].to_numpy() for name in truth.column_names}
def same(other):
    return all(len(other[k]) == len(v) and (np.array_equal(other[k], v, equal_nan=True) if v.dtype != object else [str(one) for one in other[k]] == list(v)) for k, v in columns.items())
chain = ROOT.TChain("t"); chain.Add("${at('r')}/t-*.root")
ntuples = sorted(glob.glob("${at('n')}/t-*.root"))
print(json.dumps({"rows": truth.num_rows, "ids": bool((columns["id"] == np.repeat(np.arange(2400), 50)).all()),
  "arrow": dataset.dataset("${at('a')}", format="arrow").to_table().equals(truth) or same({k: dataset.dataset("${at('a')}", format="arrow").to_table()[k].to_numpy() for k in columns}),
  "chain": same(ROOT.RDataFrame(chain).AsNumpy()), "entries": chain.GetEntries(),
  "rntuple": same(ROOT.RDataFrame("t", ntuples).AsNumpy()),
  "uproot": same(uproot.concatenate([one + ":t" for one in sorted(glob.glob("${at('r')}/t-*.root"))], library="np"))}))`;
    const found = execFileSync(oraclePython ?? '', ['-W', 'ignore', '-c', script], { encoding: 'utf8' });
    expect(JSON.parse(found)).toEqual({
      ...{
        rows: 120_000,
        ids: true,
        arrow: true,
        chain: true,
        entries: 120_000,
        rntuple: true,
        uproot: true,
      },
    });
  },
  120_000,
);

built(
  'memory does not grow with rows, and a full disk is told, with nothing left',
  () => {
    const peak = (n: number): number => {
      const script = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)`;
      const words = [
        process.execPath,
        resolve('dist/cli/xylem.js'),
        ...process_('--set', `n=${n}`, '--parquet', at(`m${n}.parquet`)),
      ];
      const { stdout, stderr } = spawnSync('python3', ['-c', script, ...words], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return Number(stdout) / 1024;
    };
    const [some, many] = [peak(100), peak(1500)];
    expect(many, `${some} MB of 240,000 rows, ${many} MB of 3.6 million`).toBeLessThan(some + 150);
    // The limit is that of each file, in units of 1024 bytes.
    const full = spawnSync(
      'bash',
      [
        '-c',
        `trap '' XFSZ; ulimit -f 1000; exec "$@"`,
        'bash',
        process.execPath,
        resolve('dist/cli/xylem.js'),
        ...process_('--parquet', at('full.parquet')),
      ],
      {
        encoding: 'utf8',
      },
    );
    expect([full.status, existsSync(at('full.parquet')), left()]).toEqual([1, false, []]);
    expect(full.stderr).toMatch(/it would be larger than is allowed \(EFBIG\).*\[IO\]/s);
  },
  300_000,
);
