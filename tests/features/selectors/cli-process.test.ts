import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect } from 'vitest';
import { program, programWith } from '../../cli/program';
import { startRangeServer } from '../../servers/range-server';

const root = resolve(import.meta.dirname, '../../..');
const sample = resolve(root, 'public/sample.root');

const caches = mkdtempSync(join(tmpdir(), 'xylem-caches-'));
afterAll(() => rmSync(caches, { recursive: true, force: true }));

const { run, built } = programWith(caches);

built('the exit status is 0, 1 or 2; talk goes to stderr', async () => {
  const [good, bad, usage] = await Promise.all([
    run(['keys', sample]),
    run(['keys', resolve(root, 'package.json')]),
    run(['draw', sample]),
  ]);
  expect(good).toMatchObject({ status: 0, err: '' });
  expect(good.out).toContain('plots/upsilon;1\tTH1D\tUpsilon region\n');
  expect(bad).toMatchObject({ status: 1, out: '' });
  expect(bad.err).toContain('[NOT_ROOT]');
  expect(usage).toMatchObject({ status: 2, out: '' });
});

built('XYLEM_WORKERS is a number of workers', async () => {
  const summary = (workers: string) => {
    const env = { ...process.env, XDG_CACHE_HOME: caches, XYLEM_WORKERS: workers };
    const args = [program, 'summary', sample, 'Events', '--branches', 'nMuon'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    return { status, out: stdout, err: stderr };
  };
  const one = summary('1');
  expect(one).toMatchObject({ status: 0, err: '' });
  expect(summary('0')).toEqual(one);
  expect(summary('two')).toMatchObject({ status: 2, err: expect.stringContaining('XYLEM_WORKERS') });
});

built('a reader that goes early ends it quietly', async () => {
  const text = await run(['values', sample, 'Events', '--entries', ':'], 10);
  expect(text).toMatchObject({ status: 0, err: '' });
  const json = await run(['values', sample, 'Events', '--json'], 10);
  expect(json).toMatchObject({ status: 0, err: '' });
});

built('a file behind a URL, with a header that its server wants', async () => {
  const server = await startRangeServer(new Uint8Array(readFileSync(sample)));
  try {
    const there = await run(['hist', server.url, 'Events', 'nMuon', '--json', '--header', 'X-Token: 1']);
    expect(there).toMatchObject({ status: 0, err: '' });
    expect(JSON.parse(there.out)).toMatchObject({ fills: 2400, integer: [true] });
    expect(server.requests.every((request) => request.headers['x-token'] === '1')).toBe(true);
    server.faults = { status: 404 };
    const missing = await run(['keys', server.url]);
    expect(missing.status).toBe(1);
    expect(missing.err).toContain('[HTTP_STATUS]');
  } finally {
    await server.close();
  }
});

built('an SVG is written to the file named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-'));
  try {
    const target = join(folder, 'mass.svg');
    const { status, err } = await run(['hist', sample, 'Events', 'Dimuon_mass', '--svg', target]);
    expect(status).toBe(0);
    expect(err).toContain(target);
    expect(readFileSync(target, 'utf8')).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
    const nowhere = await run(['hist', sample, 'Events', 'run', '--svg', join(folder, 'no', 'x.svg')]);
    expect(nowhere).toMatchObject({ status: 1, out: '' });
    expect(nowhere.err).toContain('cannot be written');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

built('a PNG is drawn by the optional package, which says how to get it where it is not there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-'));
  try {
    const target = join(folder, 'mass.png');
    const drawn = [
      ['hist', sample, 'Events', 'Dimuon_mass', '--png', target],
      ['draw', sample, 'Events', 'Muon_phi:Muon_eta', '--png', target],
      ['map', sample, '--png', target],
    ];
    for (const args of drawn) {
      expect(await run(args)).toMatchObject({ status: 0, out: '' });
      const png = readFileSync(target);
      expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
      // Twice the pixels of the SVG, and not one colour all over.
      expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(1400);
      expect(png.length).toBeGreaterThan(5000);
    }
    cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const alone = spawnSync(
      process.execPath,
      [join(folder, 'dist/cli/xylem.js'), 'hist', sample, 'Events', 'run', '--png', target],
      { encoding: 'utf8' },
    );
    expect(alone.status).toBe(1);
    expect(alone.stderr).toContain('npm install @resvg/resvg-js');
    expect(alone.stderr).toContain('[UNSUPPORTED]');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

built('a second reading of a URL asks for the head only; the trace has every read', async () => {
  const server = await startRangeServer(new Uint8Array(readFileSync(sample)), { etag: '"one"' });
  const out = join(caches, 'trace.json');
  const read = ['values', server.url, 'Events', '--branches', 'Muon_pt', '--digest', '--trace', out];
  try {
    const first = await run(read);
    expect(first).toMatchObject({ status: 0, err: '' });
    const { file, perfStats, reads } = JSON.parse(readFileSync(out, 'utf8'));
    expect(file).toBe(server.url);
    expect(perfStats).toMatchObject({ ReadCalls: server.requests.length });
    expect(reads[0]).toMatchObject({
      purpose: 'head',
      origin: 'network',
      offset: 0,
      asked: 65_536,
      queued: 0,
    });
    expect(perfStats.BytesRead).toBeGreaterThan(65_536);

    server.requests.length = 0;
    expect(await run(read)).toEqual(first);
    expect(server.requests.map(({ range }) => range)).toEqual(['bytes=0-65535']);
    const again = JSON.parse(readFileSync(out, 'utf8'));
    // Gaps that were read over are not read again.
    expect(again.summary.storedBytes).toBeGreaterThan(0.7 * (perfStats.BytesRead - 65_536));
    expect(again.summary.storedBytes).toBeLessThanOrEqual(perfStats.BytesRead - 65_536);

    expect(await run([...read, '--no-cache'])).toEqual(first);
    expect(server.requests.length).toBeGreaterThan(2);
  } finally {
    await server.close();
  }
});

built('several files are read as one: a pattern, a list, a text file; what is missing is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xylem-'));
  try {
    for (const name of ['a1.root', 'a2.root']) copyFileSync(sample, join(folder, name));
    writeFileSync(join(folder, 'list.txt'), '# runs\na1.root\n\na2.root?#Events\n');
    const lines = async (target: string): Promise<string[]> => {
      const csv = await run(['export', target, 'Events', '--branches', 'event', '--entries', '2399:2401']);
      expect(csv).toMatchObject({ status: 0, err: '' });
      return csv.out.split('\n');
    };
    const whole = ['event', '1000088763', '1000000000', ''];
    expect(await lines(join(folder, 'a?.root'))).toEqual(whole);
    expect(await lines(`${join(folder, 'a1.root')},${join(folder, 'a2.root')}`)).toEqual(whole);
    expect(await lines(`@${join(folder, 'list.txt')}`)).toEqual(whole);
    writeFileSync(join(folder, 'a3.root'), 'no ROOT file');
    const hist = await run(['hist', join(folder, 'a*.root'), 'Events', 'nMuon', '--json']);
    expect(hist.status).toBe(1);
    expect(hist.err).toMatch(/partial: 1 of \d+ baskets unreadable\n.*a3\.root/);
    expect(JSON.parse(hist.out)).toMatchObject({ entries: 4800 });
    expect(await run(['keys', join(folder, 'b*.root')])).toMatchObject({ status: 1 });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

built("branches of friends are exported among the tree's own", async () => {
  const file = (name: string): string => resolve(root, 'tests/query/files', name);
  const own = ['export', file('friends.root'), 't', '--entries', '0:2', '--branches'];
  const named = await run([...own, 'x, f.z,vec']);
  expect(named).toMatchObject({ status: 0, err: '' });
  expect(named.out).toBe('x,f.z,vec\n-100.5,-11,[]\n-99.5,-10.75,[1]\n');
  const given = await run([...own, 'x,e.z', '--friend', `e=${file('friends_number.root')}#extra`]);
  expect(given).toMatchObject({ status: 0, out: 'x,e.z\n-100.5,-11\n-99.5,-10.75\n' });
  const neither = await run([...own, 'x,zzz']);
  expect(neither).toMatchObject({ status: 1, out: '' });
  expect(neither.err).toContain('There is no branch "zzz"');
});
