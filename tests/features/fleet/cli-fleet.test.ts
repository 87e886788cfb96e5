import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run as runOn } from '../../cli/support';
import { withReader } from '../../engine-reader';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');

const model = {
  seed: 1,
  origin: { mbitPerS: 1000, disk: { seekMs: 5, mbPerS: 150 } },
  sites: [
    { name: 'near', slots: 4, link: { latencyMs: 1, mbitPerS: 1000 } },
    {
      name: 'far',
      slots: 4,
      link: { latencyMs: 100, mbitPerS: 100 },
      cache: { kind: 'blocks', bytes: 1e9, blockBytes: 65536 },
    },
  ],
  datasets: [{ name: 'sample', file: sample, files: 20 }],
  uses: [
    { name: 'muons', dataset: 'sample', branches: ['Muon_*'], read: 'cache:30', cpuMsPerEntry: 0.2 },
    { name: 'all', dataset: 'sample', read: 'xylem', cpuMsPerEntry: 1, share: 0.5 },
  ],
  jobs: { count: 300, zipf: 1 },
};

const reader = withReader();
let folder = '';
let path = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-fleet-'));
  path = join(folder, 'model.json');
  writeFileSync(path, JSON.stringify(model));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runOn(reader, ...args);

test('the uses of a model are read from the metadata of a real file', async () => {
  const { out } = await run('fleet', path, '--json');
  const [push, pull] = JSON.parse(out);
  expect([push.access, pull.access, push.jobs, pull.jobs]).toEqual(['push', 'pull', 300, 300]);
  const size = readFileSync(sample).length;
  // Each site gets each file that its jobs read once, and as a whole.
  expect(push.origin.bytes % size).toBe(0);
  expect(push.origin.bytes).toBeLessThanOrEqual(2 * 20 * size);
  expect(pull.sites[1].hitRate).toBeGreaterThan(0.5);
  expect((await run('fleet', path, '--json')).out).toBe(out);
  expect((await run('fleet', path, '--json', '--seed', '9')).out).not.toBe(out);
});

test('programs need as many round trips as real ones', async () => {
  const link = (latencyMs: number) => ({ latencyMs, mbitPerS: 1e6 });
  const secondsOf = async (read: string, latencyMs: number, process = 'kept'): Promise<number> => {
    const one = {
      origin: { mbitPerS: 1e6, disk: { mbPerS: 1e6 } },
      sites: [{ name: 'a', slots: 1, link: link(latencyMs) }],
      datasets: model.datasets,
      uses: [{ name: 'u', dataset: 'sample', branches: ['Muon_pt'], read }],
      jobs: { count: 1, process },
    };
    writeFileSync(join(folder, 'one.json'), JSON.stringify(one));
    const { out } = await run('fleet', join(folder, 'one.json'), '--json', '--access', 'pull');
    return JSON.parse(out)[0].seconds;
  };
  // ROOT by root://: open, head, keys, streamer infos, a query of limits, the tree's record; two fills of the cache; close.
  expect(await secondsOf('cache:30', 1000)).toBeCloseTo(9, 1);
  // uproot: head, keys, record, and all baskets at once.
  expect(await secondsOf('uproot', 1000)).toBeCloseTo(4, 1);
  // xylem far away: head and tail, and all baskets; nearer it asks for the tail after the head.
  expect(await secondsOf('xylem', 1000)).toBeCloseTo(2, 1);
  expect(await secondsOf('xylem', 40)).toBeCloseTo(0.12, 2);
  // A new process connects; root:// has a login of two round trips, and uproot reads the key of the streamer infos, these, and
  // connects again for the baskets: 8 round trips as a range server counts them of uproot 5.7.7 with aiohttp.
  expect(await secondsOf('cache:30', 1000, 'new')).toBeCloseTo(12, 1);
  expect(await secondsOf('uproot', 1000, 'new')).toBeCloseTo(8, 1);
  expect(await secondsOf('xylem', 1000, 'new')).toBeCloseTo(3, 1);
});

test('a number of the model is swept, as a table and as a plot', async () => {
  const svg = join(folder, 'sweep.svg');
  const { out } = await run('fleet', path, '--sweep', 'sites[1].link.latencyMs=1,200', '--svg', svg);
  expect(out.split('\n').filter((line) => /^\s+(1|200) /.test(line))).toHaveLength(4);
  expect(readFileSync(svg, 'utf8')).toContain('sites[1].link.latencyMs');
});

test('the program of a use reads trees of the kind that its data set has', async () => {
  const columns = resolve(import.meta.dirname, '../../fixtures/reads/columns.root');
  const simulated = async (file: string, read: string | undefined) => {
    const one = {
      sites: [{ name: 'a', slots: 1, link: { latencyMs: 50, mbitPerS: 100 } }],
      datasets: [{ name: 'd', file, files: 1 }],
      uses: [{ name: 'u', dataset: 'd', read }],
      jobs: { count: 1 },
    };
    writeFileSync(join(folder, 'kind.json'), JSON.stringify(one));
    const { out, err } = await run('fleet', join(folder, 'kind.json'), '--access', 'pull', '--json');
    return err || JSON.parse(out)[0];
  };
  expect(await simulated(columns, undefined)).toEqual(await simulated(columns, 'pool'));
  expect(await simulated(sample, undefined)).toEqual(await simulated(sample, 'cache:30'));
  expect(await simulated(columns, 'cache:30')).toMatch(
    /read "cache:30", which does not read RNTuples: take pool/,
  );
  expect(await simulated(sample, 'pool')).toMatch(/read "pool", which does not read TTrees: take cache:30/);
});

test('mistakes are told with their place', async () => {
  writeFileSync(join(folder, 'bad.json'), '{"origin": ');
  expect((await run('fleet', join(folder, 'bad.json'))).err).toContain('is not JSON');
  expect((await run('fleet', join(folder, 'none.json'))).err).toContain('there is no such file');
  const branch = { ...model, uses: [{ name: 'u', dataset: 'sample', branches: ['Muon_pz'] }] };
  writeFileSync(join(folder, 'branch.json'), JSON.stringify(branch));
  expect((await run('fleet', join(folder, 'branch.json'))).err).toContain('Muon_pz');
});

test('a trace, a drawing and a selector are uses; a recorded job reads what its trace has', async () => {
  const har = resolve(import.meta.dirname, '../../fixtures/reads/jsroot.har');
  const selector = "export default { branches: { pt: 'Muon_pt', met: 'MET_pt' }, where: 'nMuon > 1' };";
  writeFileSync(join(folder, 'q.mjs'), selector);
  const simulated = async (use: object, ...options: string[]) => {
    const one = {
      sites: [{ name: 'one', slots: 1, link: { latencyMs: 50, mbitPerS: 100 } }],
      datasets: model.datasets,
      uses: [{ name: 'u', dataset: 'sample', ...use }],
      jobs: { count: 1 },
    };
    const at = join(folder, 'one.json');
    writeFileSync(at, JSON.stringify(one));
    const { out, err, status } = await run('fleet', at, '--access', 'pull', '--json', ...options);
    return status === 0 ? JSON.parse(out)[0] : err;
  };
  const recorded = await simulated({ trace: har });
  const { out } = await run('perf', har, '--file', sample, '--json');
  const [{ numbers }] = JSON.parse(out);
  expect(recorded.origin.bytes).toBe(numbers.readTotal);
  // 13 requests one after another, and the opening, on a link of 50 ms; one more was answered by the cache of the browser.
  expect(recorded.seconds).toBeGreaterThan(13 * 0.05);
  expect(recorded.seconds).toBeLessThan(15 * 0.05);
  const named = await simulated({ branches: ['nMuon', 'Muon_pt', 'MET_pt'] });
  expect(await simulated({ draw: 'Muon_pt:MET_pt', cut: 'nMuon > 1' })).toEqual(named);
  expect(await simulated({ selector: 'q.mjs' }, '--load-selectors')).toEqual(named);
  // A model alone runs no code.
  writeFileSync(join(folder, 'q.mjs'), `process.stderr.write('code ran'); ${selector}`);
  const refused = await simulated({ selector: 'q.mjs' });
  expect(refused).toContain('Add --load-selectors');
  expect(refused).not.toContain('code ran');
  // JSROOT with one range in a request reads as the trace of JSROOT, but that its browser had the last two in one, and
  // the streamer infos in its cache: 5,998 B and a round trip of 50 ms.
  const jsroot = await simulated({ read: 'jsroot:1', branches: ['nMuon', 'Muon_pt', 'MET_pt'] });
  expect((jsroot.origin.bytes - 5998) / recorded.origin.bytes).toBeCloseTo(1, 2);
  expect((jsroot.seconds - 0.05) / recorded.seconds).toBeCloseTo(1, 1);
  expect(await simulated({ draw: 'nosuch' })).toContain('The use "u" reads no branch of Events');
  expect(await simulated({ trace: 'missing.har' })).toContain('missing.har');
  if (process.platform === 'win32') return;
  // Nobody writes to this pipe.
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  for (const trace of ['pipe', '/dev/zero'])
    expect(await simulated({ trace })).toContain('is not a regular file');
});
