import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FileInfo, TreeLayout } from '../../../web/api/api';
import type { Reading } from '../../../web/api/reading';
import { readTrace } from '../../../web/features/traces/work/formats/formats';
import { betterWays, linkOf, useOf } from '../../../web/features/traces/work/use';
import { fileSink, writeRoot } from '../../../web/node';
import { placed } from '../../../web/reads/place';
import { xylemCost } from '../../../web/reads/planned';
import { readingsOf } from '../../../web/reads/readings-of';
import { run as runOn } from '../../cli/support';
import { withReader } from '../../engine-reader';

// Traces of real programs that read nMuon, Muon_pt and MET_pt of the sample: tests/fixtures/reads/README.md says how each
// was recorded.
const fixtures = join(import.meta.dirname, '../../fixtures/reads');
const sample = join(import.meta.dirname, '../../../public/sample.root');
const folder = mkdtempSync(join(tmpdir(), 'xylem-traces-'));

const reader = withReader();
let layout: TreeLayout;
let info: FileInfo;
beforeAll(async () => {
  info = await reader.open({ kind: 'path', path: sample });
  layout = await reader.layout(info.id, 'Events');
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]) => runOn(reader, ...args);
const read = (name: string): Reading[] => readTrace(name, readFileSync(join(fixtures, name)));
const textOf = (text: string): Reading[] => readTrace('trace', new TextEncoder().encode(text));

/** Each read as "offset+length". */
const places = ({ reads }: Reading): string[] => reads.map(({ offset, length }) => `${offset}+${length}`);

describe('each program that reads leaves the same places', () => {
  const UPROOTS = ['0+403', '148841+304', '136489+1565', '142779+34', '142843+5998', '15666+114830'];

  test('the time of the disk is the time in which reads are under way, each moment once', () => {
    const [reading] = textOf(
      [
        '1 1.000000 openat(AT_FDCWD, "a.root", O_RDONLY) = 5 <0.000010>',
        '1 1.000000 pread64(5, "root\\0\\0", 300, 0) = 300 <0.500000>',
        '2 1.250000 pread64(5, "..", 100, 7000) = 100 <0.500000>',
        '1 3.000000 pread64(5, "..", 100, 9000) = 100 <0.250000>',
      ].join('\n'),
    );
    const { numbers } = placed(reading ?? { by: '', file: '', reads: [] }, layout);
    expect(numbers.diskTime).toBeCloseTo(0.75 + 0.25, 6);
    expect(numbers.realTime).toBeCloseTo(2.25, 6);
    expect(numbers).toMatchObject({ readCalls: 3, readTotal: 500 });
  });

  test('nginx and Apache: uproot by HTTP, each client by itself', () => {
    const [apache, ...others] = read('apache.log');
    expect(others).toEqual([]);
    expect(apache && places(apache)).toEqual(UPROOTS);
    expect(apache?.by).toBe('127.0.0.1');
    expect((apache?.reads[5]?.done ?? 0) - (apache?.reads[5]?.started ?? 0)).toBeCloseTo(126e-6, 6);
    const [nginx] = read('nginx.log');
    expect(nginx && places(nginx).slice(0, 6)).toEqual(UPROOTS);
    expect(() => read('nginx-combined.log')).toThrow(
      expect.objectContaining({ code: 'ARGUMENT', fix: expect.stringContaining('$http_range') }),
    );
  });

  test("XrdCl's recorder: uproot by root://, with a vector read", () => {
    const [reading, ...others] = read('recorder.csv');
    expect(others).toEqual([]);
    expect(reading?.file).toMatch(/^root:\/\/.*sample\.root$/);
    expect(reading && places(reading)).toEqual(UPROOTS);
    const [two] = textOf(
      '"1","Open","1.000000001","root://h//f;16;0;0","1.1","[SUCCESS]",""\n' +
        '"1","VectorRead","2.5","10;20;100;50;0","2.75","[SUCCESS]","70;10;20;100;50"\n',
    );
    expect(two?.reads).toMatchObject([
      {
        offset: 10,
        length: 70,
        started: 0,
        done: 0.25,
        ranges: [
          { offset: 10, length: 20 },
          { offset: 100, length: 50 },
        ],
      },
    ]);
  });

  test('HAR: JSROOT in Chromium, with waiting and receiving', () => {
    const [reading, ...others] = read('jsroot.har');
    expect(others).toEqual([]);
    expect(reading?.by).toBe('chromium');
    expect(reading?.size).toBe(info.size);
    expect(reading && places(reading).slice(0, 4)).toEqual([
      '0+400',
      '142779+6358',
      '142843+5998',
      '136489+1565',
    ]);
    expect(reading?.reads).toHaveLength(14);
    const [first] = reading?.reads ?? [];
    expect(first?.answered).toBeGreaterThan(first?.started ?? 0);
    expect(first?.done).toBeGreaterThan(first?.answered ?? 0);
  });

  test('addresses have no tokens, signatures and passwords', () => {
    const address = 'https://me:secret1@host.example/run.root?X-Amz-Signature=secret2&authz=secret3&part=7';
    const headers = (name: string, value: string) => [{ name, value }];
    const entry = {
      ...{ startedDateTime: '2026-01-01T00:00:00Z', time: 10 },
      request: { url: address, headers: headers('range', 'bytes=0-9') },
      response: { status: 206, headers: headers('content-range', 'bytes 0-9/100') },
    };
    const har = JSON.stringify({ log: { entries: [entry] } });
    const log = `2026-01-01 00:00:00,000 fsspec.http DEBUG ${address} : bytes=0-9`;
    for (const text of [har, log]) {
      const [reading] = textOf(text);
      expect(reading?.file).toMatch(/^https:\/\/host\.example\/run\.root\?[\da-f]{1,8}$/);
      expect(JSON.stringify(reading)).not.toContain('secret');
    }
  });

  test.each([
    ['s3+https://me:secret1@host.example/run.root?authz=secret2', 's3+https://host.example/run.root?'],
    ['simplecache::https://me:secret1@host.example/run.root', 'simplecache::https://host.example/run.root'],
    ['//me:secret1@host.example/run.root?authz=secret2', '//host.example/run.root?'],
    ['/store/run@2.root?authz=secret2', '/store/run@2.root?'],
    ['/store/#1/run.root', '/store/#1/run.root'],
    ['root://me@host.example//store/run@2.root#secret1', 'root://host.example//store/run@2.root'],
  ])('%s has no secrets when it is named', (address, begin) => {
    const [reading] = textOf(`2026-01-01 00:00:00,000 fsspec.http DEBUG ${address} : bytes=0-9`);
    expect(reading?.file.replace(/\?[\da-f]{1,8}$/, '?')).toBe(begin);
  });

  test('HAR: what the cache of the browser answered is no request', () => {
    // Chromium had the streamer infos from the request before.
    const [reading] = read('jsroot.har');
    const stored = reading?.reads.filter(({ origin }) => origin === 'store');
    expect(stored?.map(({ offset, length }) => [offset, length])).toEqual([[142_843, 5998]]);
    if (reading === undefined) throw new Error('no reading');
    const { calls, againBytes } = useOf(placed(reading, layout), layout);
    expect([calls, againBytes]).toEqual([13, 0]);
  });

  test('fsspec: an open file that uproot reads', () => {
    const [reading] = read('fsspec.log');
    expect(reading && places(reading)).toContain('113630+19615');
  });

  test('fsspec reads ahead: the branches are those that the program wanted, all others were read without need', () => {
    const [reading] = read('fsspec.log');
    if (reading === undefined) throw new Error('no reading');
    const use = useOf(placed(reading, layout), layout);
    const wanted = use.branches.filter(({ wanted }) => wanted);
    expect(wanted.map(({ branch }) => layout.tree.branches[branch]?.path)).toEqual([
      'nMuon',
      'Muon_pt',
      'MET_pt',
    ]);
    expect(use.vainBytes).toBeGreaterThan(2 * use.wantedBytes);
  });

  test('fsspec: lines that name no range of their file are left out', () => {
    const url = 'http://h/f.root';
    const line = (text: string) => `t fsspec DEBUG <File-like object HTTPFileSystem, ${url}> ${text}`;
    const text = [
      `t fsspec.http DEBUG ${url} : bytes=0-99`,
      line('read: 0 - 9 '),
      line('read: 9 - 1 '),
      line('read: x'),
    ];
    const [reading] = textOf(text.join('\n'));
    expect(reading?.asked).toEqual([{ offset: 0, length: 9 }]);
  });

  test('XCache: the blocks that it has, and what its monitoring says', () => {
    const [blocks] = read('sample.root.cinfo');
    expect(blocks && places(blocks)).toEqual(['0+4096', '12288+118784', '135168+14333']);
    expect(blocks?.facts).toContainEqual(['Blocks in the cache', '34 of 37']);
    const [monitored] = read('xcache-gstream.txt');
    expect(monitored?.facts).toContainEqual(['Read from the origin', '121 kB']);
    expect(monitored?.size).toBe(info.size);
  });
});

test("XRootD's monitoring of files: sums of three readings, as ROOT itself counts one of them", async () => {
  const readings = read('fstream.jsonl');
  expect(readings.map(({ file }) => file)).toEqual(['/sample.root', '/columns.root', '/columns.root']);
  // TFile::GetReadCalls and GetBytesRead of that job: 6 and 33,913.
  expect(readings[0]?.facts).toEqual(
    expect.arrayContaining([
      ['ReadCalls', '6'],
      ['ReadTotal', '33.9 kB'],
      ['Vector reads', '2'],
    ]),
  );
  expect(readings[0]?.size).toBe(info.size);
  const one = await run('perf', join(fixtures, 'fstream.jsonl'), '--file', sample);
  expect(one.out).toMatch(/\n +ReadCalls +6\n/);
  const text = readFileSync(join(fixtures, 'fstream.jsonl'), 'utf8').trim();
  const [line = ''] = text.split('\n');
  // A list, a line that breaks off, and names of WLCG are taken, too.
  expect(textOf(`[${text.split('\n').join(',')}]`)).toEqual(readings);
  expect(textOf(`${line}\n${line.slice(0, 300)}`)).toEqual(readings.slice(0, 1));
  const wlcg = line.replace('"filename"', '"file_lfn"').replace('"filesize"', '"file_size"');
  expect(textOf(wlcg)).toEqual(readings.slice(0, 1));
  writeFileSync(join(folder, 'two.jsonl'), `${line}\n${line}`);
  const two = await run('perf', join(folder, 'two.jsonl'), '--file', sample);
  expect(two.out.match(/\/sample\.root: ReadCalls 6, ReadTotal 33\.9 kB/g)).toHaveLength(2);
  expect(() => textOf('{"filename": "/a", "read_operations": -1}')).toThrow('no file in it was read');
});

test('each read is matched to its baskets, and the branches that a job wanted are found', () => {
  for (const name of ['jsroot.har', 'root.strace', 'apache.log']) {
    const [reading] = read(name);
    const report = placed(reading as Reading, layout);
    const use = useOf(report, layout);
    const wanted = use.branches.filter((each) => each.wanted);
    const names = wanted.map(({ branch }) => layout.tree.branches[branch]?.name);
    expect(names).toEqual(expect.arrayContaining(['nMuon', 'Muon_pt', 'MET_pt']));
    expect(use.wantedBytes + use.vainBytes + use.otherBytes + use.againBytes).toBe(use.bytes);
    expect(report.reads.filter(({ entry }) => entry >= 0).length).toBeGreaterThan(0);
    if (name === 'jsroot.har') expect(names).toHaveLength(3);
  }
  // uproot reads the baskets of all three with one request of 114,830 bytes.
  const one = useOf(placed(read('apache.log')[0] as Reading, layout), layout);
  expect(one.entries).toEqual([0, 2400]);
});

test('better ways of the same use cost less on a link that waits', async () => {
  const [reading] = read('jsroot.har');
  const use = useOf(placed(reading as Reading, layout), layout);
  const link = { latencyMs: 100, bytesPerMs: 1000 };
  const ways = await betterWays(use, layout, link, 'sample.root', async (branches, entries) =>
    xylemCost({ reader, info, request: { summarize: { tree: 'Events', branches, entries } } }, link),
  );
  const [recorded, ...better] = ways;
  expect(recorded).toMatchObject({ calls: 13 });
  for (const { ms } of better) expect(ms).toBeLessThan(recorded?.ms ?? 0);
  const skim = better.at(-1);
  expect(skim?.command).toContain('xylem skim sample.root --tree Events --branches');
  expect(skim?.bytes).toBe(use.wantedBytes);
  expect(linkOf(reading as Reading)?.latencyMs).toBeLessThan(10);
});

test('reads are written as Perfetto opens them: those that overlap in rows of their own', async () => {
  const out = join(folder, 'events.json');
  const asked = ['perf', sample, 'Events', '--branches', 'Muon_pt,MET_pt', '--trace-events', out];
  expect(await run(...asked)).toMatchObject({ status: 0 });
  const { traceEvents } = JSON.parse(readFileSync(out, 'utf8'));
  const spans = traceEvents.filter(({ ph }: { ph: string }) => ph === 'X');
  expect(spans.some(({ name }: { name: string }) => name.includes('Muon_pt'))).toBe(true);
  const rows = new Map<string, number>();
  for (const { pid, tid, ts, dur, args } of spans) {
    expect(dur).toBeGreaterThanOrEqual(0);
    // Waiting and phases of decoding lie within those.
    if (args.offset === undefined) continue;
    const row = `${pid} ${tid}`;
    // Rounded to microseconds.
    expect(ts).toBeGreaterThanOrEqual((rows.get(row) ?? 0) - 1);
    rows.set(row, ts + dur);
  }
  const har = await run('perf', join(fixtures, 'jsroot.har'), '--file', sample, '--trace-events', '-');
  expect(JSON.parse(har.out).traceEvents.length).toBeGreaterThan(14);
});

test.each([
  ['--save', /^\{\n "format": "xylem perf 1",/],
  ['--svg', /^<svg /],
  ['--waterfall', /^<svg /],
  ['--trace-events', /^\{"traceEvents":\[/],
])(
  'perf %s OUT: of own reads, of a saved reading, of a trace, and to stdout only once',
  async (option, begin) => {
    const out = join(folder, 'output');
    const targets = {
      own: [sample, 'Events', '--branches', 'Muon_pt'],
      saved: [join(fixtures, 'perfstat.root')],
      trace: [join(fixtures, 'jsroot.har'), '--file', sample],
    };
    for (const [name, words] of Object.entries(targets)) {
      rmSync(out, { force: true });
      const { status, err } = await run('perf', ...words, option, out);
      expect({ status, err }, name).toMatchObject({
        status: 0,
        err: expect.stringContaining(`written: ${out}`),
      });
      expect(readFileSync(out, 'utf8'), name).toMatch(begin);
      const { out: told } = await run('perf', ...words, option, '-');
      expect(told, name).toMatch(begin);
      const twice = await run('perf', ...words, '--json', option, '-');
      expect(twice, name).toMatchObject({ status: 2, out: '' });
      expect(twice.err, name).toContain(`Take ${option} - or --json, not both.`);
    }
  },
);

describe('the commands', () => {
  test('map lays a trace over the file', async () => {
    const { out, status } = await run('map', sample, '--reads', join(fixtures, 'apache.log'), '--json');
    expect(status).toBe(0);
    const [laid] = JSON.parse(out).reads;
    expect(laid).toMatchObject({ by: '127.0.0.1', reads: 6, beyond: 0 });
  });

  test('perf --file says what a trace used, and what would be better', async () => {
    const { out } = await run('perf', join(fixtures, 'jsroot.har'), '--file', sample);
    expect(out).toMatch(/ReadCalls +13\n/);
    expect(out).toContain('of branches that were used');
    expect(out).toMatch(/Muon_pt +4 of 4 /);
    expect(out).toContain('xylem skim');
  });

  test('the command that it suggests makes a file with these branches', async () => {
    const { out } = await run('perf', join(fixtures, 'jsroot.har'), '--file', sample);
    const line = /xylem skim .*/.exec(out)?.[0] ?? '';
    const words = line
      .replace(/ OUT$/, ` ${join(folder, 'skimmed.root')}`)
      .split(' ')
      .slice(1);
    expect(await run(...words.map((word) => word.replaceAll("'", '')))).toMatchObject({ status: 0 });
    const { out: tree } = await run('tree', join(folder, 'skimmed.root'), 'Events', '--json');
    const names = JSON.parse(tree).tree.branches.map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['MET_pt', 'Muon_pt', 'nMuon']);
  });

  test('a cache that counts no reads gets no numbers of reads', async () => {
    const { out } = await run('perf', join(fixtures, 'sample.root.cinfo'), '--file', sample);
    expect(out).toContain('Blocks in the cache');
    expect(out).not.toContain('ReadTotal');
  });

  test('the file that it suggests to write anew is written, too', async () => {
    const { out } = await run('perf', join(fixtures, 'jsroot.har'), '--file', sample);
    const line = /xylem heal .*/.exec(out)?.[0] ?? '';
    const words = line
      .replace(' OUT ', ` ${join(folder, 'anew.root')} `)
      .split(' ')
      .slice(1);
    expect(await run(...words.map((word) => word.replaceAll("'", '')))).toMatchObject({ status: 0 });
    expect((await run('diff', sample, join(folder, 'anew.root'))).status).toBe(0);
  });

  test('of several trees the one that was read most is taken', async () => {
    const path = join(folder, 'two.root');
    await writeRoot(fileSink(path), async (file) => {
      for (const name of ['one', 'two']) {
        const tree = await file.tree(name);
        await tree.append({ [`x_${name}`]: Float64Array.from({ length: 5000 }, (_, i) => i * Math.E) });
      }
    });
    const { id } = await reader.open({ kind: 'path', path });
    const { offset, storedBytes } = await reader.layout(id, 'two');
    const lines = [
      `1 1.0 openat(AT_FDCWD, "two.root", O_RDONLY) = 5`,
      `1 1.0 pread64(5, "root\\0\\0", 300, 0) = 300`,
      ...[...offset].map((at, i) => `1 2.0 pread64(5, "..", 9, ${at}) = ${storedBytes[i]}`),
    ];
    const trace = join(folder, 'two.strace');
    writeFileSync(trace, lines.join('\n'));
    const { out, err } = await run('perf', trace, '--file', path);
    expect(err).toBe('');
    expect(out).toMatch(/read two in/);
    expect(out).toContain('x_two');
    writeFileSync(trace, lines.slice(0, 2).join('\n'));
    const none = await run('perf', trace, '--file', path);
    expect(none).toMatchObject({ status: 2, err: expect.stringContaining('--tree') });
  });

  test('many readings of one file are one picture', async () => {
    const lines = readFileSync(join(fixtures, 'apache.log'), 'utf8').trim().split('\n');
    const clients = Array.from({ length: 50 }, (_, i) =>
      lines.map((line) => line.replace('127.0.0.1', `10.0.0.${i}`)),
    ).flat();
    writeFileSync(join(folder, 'many.log'), clients.join('\n'));
    const svg = join(folder, 'many.svg');
    const { out } = await run('perf', join(folder, 'many.log'), '--file', sample, '--svg', svg);
    expect(out).toContain('50 readings of Events\n  300 reads of');
    expect(out).toMatch(/MET_pt +50 /);
    expect(readFileSync(svg, 'utf8')).toContain('50 of 50');
  });

  test('heal puts the branches of a trace first', async () => {
    const out = join(folder, 'healed.root');
    expect(await run('heal', sample, out, '--by', join(fixtures, 'recorder.csv'))).toMatchObject({
      status: 0,
    });
    expect(await run('diff', sample, out)).toMatchObject({ status: 0 });
  });
});

test('a trace of several files is of the one with its name or size', () => {
  const one: Reading = { by: 'x', file: '/a/one.root', size: 5, reads: [] };
  const two: Reading = { by: 'x', file: 'http://h/two.root?x=1', size: 6, reads: [] };
  expect(readingsOf([one, two], { name: 'file:///b/two.root', size: 1 })).toEqual([two]);
  expect(readingsOf([one, two], { name: 'other.root', size: 5 })).toEqual([one]);
  expect(() => readingsOf([one, two], { name: 'other.root', size: 9 })).toThrow('no reads of "other.root"');
  expect(readingsOf([one, one], { name: 'other.root', size: 9 })).toEqual([one, one]);
});

test('a basket that comes in several reads, as those of a buffer do, was read', () => {
  const at = layout.tree.branches.find(({ path }) => path === 'MET_pt')?.index ?? 0;
  const baskets = Array.from(layout.offset.keys()).slice(layout.basketStart[at], layout.basketStart[at + 1]);
  const calls = baskets.flatMap((basket) => {
    const [offset, length] = [layout.offset[basket] ?? 0, layout.storedBytes[basket] ?? 0];
    const first = Math.floor((length * 3) / 4);
    return [
      `7 pread64(3, "..", ${first}, ${offset}) = ${first}`,
      // Another thread reads elsewhere meanwhile.
      '8 pread64(3, "..", 1, 200) = 1',
      `7 pread64(3, "..", ${length - first}, ${offset + first}) = ${length - first}`,
    ];
  });
  const lines = [
    '7 openat(AT_FDCWD, "a.root", O_RDONLY) = 3',
    '7 pread64(3, "root\\0\\0", 90, 0) = 90',
    ...calls,
  ];
  const [reading] = textOf(lines.join('\n'));
  const report = placed(reading ?? { by: '', file: '', reads: [] }, layout);
  const { branches } = useOf(report, layout);
  expect(branches.filter(({ wanted }) => wanted).map(({ branch }) => branch)).toEqual([at]);
});

test('of two files of one name, the one in the same folder', () => {
  const of = (file: string): Reading => ({ by: 'x', file, size: 5, reads: [] });
  const files = ['one.root', '../one.root', '/a/one.root', 'b/one.root', '/a/b/one.root', 'two.root'].map(of);
  const found = (name: string) => readingsOf(files, { name, size: 5 }).map(({ file }) => file);
  expect(found('/a/one.root')).toEqual(['one.root', '../one.root', '/a/one.root']);
  expect(found('/a/b/one.root')).toEqual(['one.root', '../one.root', 'b/one.root', '/a/b/one.root']);
  expect(found('one.root')).toEqual(files.slice(0, 5).map(({ file }) => file));
  // The trace is of another machine.
  expect(readingsOf(files.slice(2), { name: '/c/one.root', size: 5 })).toHaveLength(3);
});

test('the command line tells two files of one name apart by their folders', async () => {
  const here = join(folder, 'here');
  mkdirSync(join(here, 'other'), { recursive: true });
  copyFileSync(sample, join(here, 'one.root'));
  const trace = join(here, 'one.strace');
  const call = (path: string) => [
    `7 openat(AT_FDCWD, "${path}", O_RDONLY) = 3<${path}>`,
    `7 pread64(3<${path}>, "root\\0\\0", 300, 0) = 300`,
    `7 close(3<${path}>) = 0`,
  ];
  const paths = [join(here, 'one.root'), join(here, 'other/one.root')];
  writeFileSync(trace, paths.flatMap(call).join('\n'));
  const { out } = await run('map', relative('.', join(here, 'one.root')), '--reads', trace, '--json');
  expect(JSON.parse(out)).toMatchObject({ reads: [{ file: paths[0], reads: 1, total: 300 }] });
});

describe('traces that nobody wrote are refused, whatever they claim', () => {
  test.each([
    ['text', 'hello'],
    ['JSON of another kind', '{"log": 3}'],
    ['a HAR file without requests', '{"log": {"entries": [null, 3, {"request": {"headers": 4}}]}}'],
    ['a log without GET', 'x "POST / HTTP/1.1" 200 3 '],
  ])('%s', (_, text) => {
    const found = (() => {
      try {
        return textOf(text);
      } catch (thrown) {
        return thrown;
      }
    })();
    if (Array.isArray(found)) expect(found).toEqual([]);
    else expect(found).toMatchObject({ code: 'ARGUMENT' });
  });

  test('a .cinfo file whose sizes do not fit', () => {
    const bytes = new Uint8Array(readFileSync(join(fixtures, 'sample.root.cinfo')));
    bytes[18] = 0x7f; // A file of 35 PB, whose blocks are not in it.
    expect(() => readTrace('a.cinfo', bytes)).toThrow('its sizes do not fit together');
    expect(() => readTrace('a.cinfo', bytes.subarray(0, 20))).toThrow('no .cinfo file of version 4');
  });

  test('ranges that cannot be placed are left out', () => {
    const line = (range: string) =>
      `h - - [25/Nov/2026:07:55:27 +0000] "GET /f.root HTTP/1.1" 206 3 "bytes=${range}" 5`;
    const [reading] = textOf(
      ['-300', '5-2', '9007199254740993-9007199254740999', '7-9,-5,20-29'].map(line).join('\n'),
    );
    expect(reading?.reads).toMatchObject([{ offset: 7, length: 13 }]);
  });
});
