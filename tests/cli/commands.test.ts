// Needs features: diff, mcp, snippets.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { BranchInfo, SourceSpec } from '../../web/api/api';
import type { EngineApi } from '../../web/api/engine-api';
import { commandNames } from '../../web/cli/commands/list';
import { BrokenPipe, TextOutput } from '../../web/cli/terminal/output';
import { planSteps } from '../../web/model/read-steps';
import { createMockReader } from '../mock-reader';
import { run } from './support';

const reader = createMockReader({ branches: 40 });

test('without a command: the help on stderr, status 2', async () => {
  const { status, out, err } = await run(reader);
  expect(status).toBe(2);
  expect(out).toBe('');
  expect(err).toContain('Usage: xylem COMMAND FILE');
});

test.each(commandNames)('%s --help says how it is used', async (name) => {
  const { status, out } = await run(reader, name, '--help');
  expect(status).toBe(0);
  expect(out).toContain(`Usage: xylem ${name} `);
  if (!['mcp', 'completion', 'worker'].includes(name)) expect(out).toContain('JSON');
});

test.each(commandNames)('%s --help has options and statuses in whole lines', async (name) => {
  const { out } = await run(reader, name, '--help');
  expect(out).not.toMatch(/Exit status: Exit/i);
  // The description of an option goes on at its column.
  const [, options = ''] = /\n\n((?: {2}-.*\n| {4}.*\n)[\s\S]*?)(?:\n\n|$)/.exec(out) ?? [];
  for (const line of options.split('\n')) expect(line).toMatch(/^( {2}-| {21}|$)/);
});

test('a tree may have the name of an option', async () => {
  const { status, out } = await run(reader, 'tree', '--json', '--', 'f', '--help');
  expect(out).not.toContain('Usage');
  expect([status, JSON.parse(out).code]).toEqual([1, 'NOT_FOUND']);
});

test.each([
  [['frob'], 'no command "frob"'],
  [['constructor'], 'no command "constructor"'],
  [['keys'], 'FILE is missing'],
  [['keys', 'a', 'b'], 'too many'],
  [['draw', 'f'], 'EXPR or PATH is missing'],
  [['draw', 'f', 'Events'], 'EXPR is missing'],
  [['hist', 'f'], 'EXPR or PATH is missing'],
  [['object', 'f'], 'PATH is missing'],
  [['laout', 'f'], 'Did you mean layout?'],
  [['ls', 'f', '--jsn'], 'Did you mean --json?'],
  [['values', 'f', 'Events', '--entries', 'x'], 'not a range of entries'],
  [['values', 'f', 'Events', '--digest', '--entries', '0:1'], 'over all entries'],
  [['values', 'f', 'Events', '--digest', '--raw'], 'not both'],
  [['types', 'f', 'Track', '--ts', '--cpp', 'folder'], 'Choose one'],
  [['hist', 'f', 'Events', 'run', '--bins', '0'], '--bins takes'],
  [['hist', 'f', 'Events', 'run', '--json', '--svg', 'x'], 'not both'],
  [['ls', 'f', '--header', 'nonsense'], 'is not a header'],
])('%j is status 2', async (args, message) => {
  const { status, out, err } = await run(reader, ...args);
  expect(status).toBe(2);
  expect(out).toBe('');
  expect(err).toContain(message);
  expect(err).toContain('--help');
});

test('a failure is status 1, one line on stderr with what to do, and JSON where it was asked for', async () => {
  const plain = await run(reader, 'keys', 'https://example.org/missing.root');
  expect(plain).toMatchObject({ status: 1, out: '' });
  expect(plain.err).toMatch(/^xylem: The server answered 404 .* Check the address.* \[HTTP_STATUS\]\n$/);
  const json = await run(reader, 'keys', 'https://example.org/missing.root', '--json');
  expect(json.status).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({
    error: expect.any(String),
    code: expect.any(String),
    fix: expect.any(String),
  });
});

test('keys as JSON: all cycles', async () => {
  const { status, out, err } = await run(reader, 'keys', 'f.root', '--json');
  expect(status).toBe(0);
  const { keys } = JSON.parse(out);
  expect(keys[0]).toEqual({
    path: 'Events',
    cycle: 2,
    className: 'TTree',
    title: 'Collision events',
    class: 'TTree',
  });
  expect(keys.filter((k: { path: string }) => k.path === 'Events')).toHaveLength(2);
  expect(err).toContain('note: Never closed properly');
});

test('tree is ls of the tree; of the only one where none is named', async () => {
  const named = await run(reader, 'tree', 'f.root', 'Events');
  expect(named).toMatchObject({ status: 0, out: (await run(reader, 'ls', 'f.root', 'Events')).out });
  const { status, err } = await run(reader, 'tree', 'f.root');
  expect(status).toBe(1);
  expect(err).toMatch(/There are \d trees.*Name one of them: Events, /);
});

test('ls shows a file, a directory, a tree, and suggests names', async () => {
  const file = await run(reader, 'ls', 'f.root');
  expect(file.out).toMatch(/mock\.root {2}2\.41 GB, ROOT 6\.32\/04, zstd 5/);
  expect(file.out).toMatch(/Events;2 +TTree/);
  const directory = await run(reader, 'ls', 'f.root', 'histograms/');
  expect(directory.out).toContain('histograms/muons/pt;1');
  expect(directory.out).not.toContain('decays');
  const tree = await run(reader, 'ls', 'f.root', 'Events');
  expect(tree.out).toMatch(/^Events {2}TTree, 250,000 entries/);
  expect(tree.out).toMatch(/^run +unsigned int +250,000 +1\.00 MB +60\.0 kB +16\.72 +42$/m);
  const wrong = await run(reader, 'ls', 'f.root', 'event');
  expect(wrong.status).toBe(1);
  expect(wrong.err).toContain('Did you mean "Events"?');
});

test('values as JSON: the range asked for, and an error for the branch that fails alone', async () => {
  const { status, out } = await run(reader, 'values', 'f', 'Events', '--entries', '3:6', '--json');
  expect(status).toBe(0);
  const { entries, branches } = JSON.parse(out);
  expect(entries).toBe(250_000);
  expect(branches.run.values).toHaveLength(3);
  expect(branches.trigger.values).toEqual(['HLT_IsoMu24', 'HLT_Ele32', '<b>x</b>']);
  expect(branches.vertex.values[0]).toHaveProperty('fE');
  expect(branches.broken).toEqual({ error: expect.stringContaining('checksum') });
  expect(branches).not.toHaveProperty('Muon');
  expect(branches['Muon/Muon_pt'].values).toHaveLength(3);
});

test.each(['', ' ', '@'])('a file of the name "%s" is refused', async (name) => {
  for (const command of ['ls', 'check', 'draw'])
    expect(await run(reader, command, name, 'Events')).toMatchObject({
      status: 1,
      err: expect.stringContaining('The name of a file is empty.'),
    });
});

test.each(['', ' ', ',,'])('branches "%s" are refused: they would be none', async (list) => {
  for (const command of ['values', 'summary'])
    expect(await run(reader, command, 'f', 'Events', '--branches', list)).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('names no branch.'),
    });
});

test('values of chosen branches: by path, by last part, through their group', async () => {
  const names = async (list: string) =>
    Object.keys(
      JSON.parse(
        (await run(reader, 'values', 'f', 'Events', '--entries', '0:1', '--branches', list, '--json')).out,
      ).branches,
    );
  expect(await names('run,Muon/Muon_pt')).toEqual(['run', 'Muon/Muon_pt']);
  expect(await names('Muon_pt')).toEqual(['Muon/Muon_pt']);
  expect((await names('Muon')).length).toBe(9);
  const wrong = await run(reader, 'values', 'f', 'Events', '--branches', 'muon_p', '--json');
  expect(wrong.status).toBe(1);
  expect(wrong.err).toContain('Did you mean "Muon/Muon_pt" or "Muon/Muon_phi"?');
});

test('values as text: 20 entries in lines of tabs, which stderr tells', async () => {
  const { out, err } = await run(reader, 'values', 'f', 'Events', '--branches', 'run,trigger');
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toBe('entry\trun\ttrigger');
  expect(lines).toHaveLength(21);
  expect(lines[2]).toMatch(/^1\t37\.3\d+\t"HLT_Ele32"$/);
  expect(err).toContain('20 of 250000 entries');
});

test('values --raw: bytes in hexadecimal, also of a branch that cannot be decoded', async () => {
  const args = ['values', 'f', 'Events', '--branches', 'run,broken', '--entries', '0:5', '--raw'];
  const { branches } = JSON.parse((await run(reader, ...args, '--json')).out);
  expect(branches).toEqual({
    run: { values: ['', '0a', '1a2a', '', '3a'] },
    broken: { values: ['', '0a', '1a2a', '', '3a'] },
  });
  expect((await run(reader, ...args)).out.split('\n')[3]).toBe('2\t"1a2a"\t"1a2a"');
});

test('digests of numbers, errors for the rest', async () => {
  const { status, out } = await run(reader, 'values', 'f', 'Events', '--digest', '--json');
  expect(status).toBe(0);
  const { branches } = JSON.parse(out);
  expect(branches.run.flat).toMatchObject({ dtype: '<f4', count: 250_000, offsets_crc32: null });
  expect(branches['Muon/Muon_pt'].flat.offsets_crc32).toMatch(/^[0-9a-f]{8}$/);
  expect(branches.trigger.error).toContain('numbers only');
  expect(branches.broken.error).toContain('checksum');
  expect(await run(reader, 'values', 'f', 'Events', '--digest')).toMatchObject({ status: 1 });
});

test('an object as JSON and as an outline', async () => {
  const json = await run(reader, 'object', 'f', 'histograms/muons/mass', '--json');
  expect(JSON.parse(json.out)).toMatchObject({ _typename: 'TH1D', fXaxis: { fNbins: 60 } });
  expect(JSON.parse(json.out).fArray).toHaveLength(62);
  const text = await run(reader, 'object', 'f', 'histograms/muons/mass');
  expect(text.out).toMatch(/^ {2}fNbins: 60$/m);
  expect(text.out).toMatch(/^fArray: \[.*… 50 more\]$/m);
});

test('hist: terminal, JSON and SVG of a branch; a stored histogram; strings', async () => {
  const plot = await run(reader, 'hist', 'f', 'Events', 'run', '--range', '-5:100');
  expect(plot.status).toBe(0);
  expect(plot.out).toContain('█');
  expect(plot.out).toContain('Mean 48.2');
  const json = await run(reader, 'hist', 'f', 'Events', 'run', '--bins', '7', '--json');
  expect(JSON.parse(json.out)).toMatchObject({
    kind: 'histogram',
    axes: [{ bins: 7, low: 0, high: 200 }],
  });
  const { sums } = JSON.parse(json.out);
  expect(sums).toHaveLength(9);
  expect(sums.at(-1)).toBe(314);
  const svg = await run(reader, 'hist', 'f', 'Events', 'run', '--svg', '-');
  expect(svg.out).toMatch(/^<svg /);
  const stored = await run(reader, 'hist', 'f', 'histograms/muons/mass');
  expect(stored.out).toContain('Di-muon mass');
  const strings = await run(reader, 'hist', 'f', 'Events', 'trigger');
  expect(strings.out).toMatch(/HLT_IsoMu24 +125000 {2}█/);
});

test('a histogram that lacks baskets says so and is status 1', async () => {
  const { status, out, err } = await run(reader, 'hist', 'f', 'decays', 'lifetime', '--json');
  expect(status).toBe(1);
  expect(JSON.parse(out).partial).toMatchObject({ failed: 1, total: 42 });
  expect(err).toContain('partial: 1 of 42 baskets unreadable');
});

test('files are closed, also after a failure', async () => {
  const closed: number[] = [];
  const counting: EngineApi = { ...reader, close: async (id) => void closed.push(id) };
  await run(counting, 'keys', 'f');
  await run(counting, 'object', 'f', 'nowhere');
  await run(counting, 'values', 'f', 'nowhere');
  expect(closed).toHaveLength(3);
});

test('a URL and its headers, and a path, reach the reader', async () => {
  const sources: unknown[] = [];
  const watching: EngineApi = {
    ...reader,
    open: (source) => {
      sources.push(source);
      return reader.open(source);
    },
  };
  await run(watching, 'keys', 'https://example.org/a.root?x=1', '--header', 'Authorization: Bearer t');
  await run(watching, 'keys', 'dir/a.root');
  expect(sources).toEqual([
    { kind: 'url', url: 'https://example.org/a.root?x=1', headers: { Authorization: 'Bearer t' } },
    { kind: 'path', path: 'dir/a.root' },
  ]);
});

describe('--header goes to the origin of the first URL of the command line, and to no other', () => {
  /** The sources that are opened, by their URL: whether they got the header. */
  async function given(...args: string[]): Promise<Record<string, boolean>> {
    const seen: Record<string, boolean> = {};
    const note = (source: SourceSpec): void => {
      if (source.kind === 'chain') for (const part of source.files) note(part.source);
      else if (source.kind === 'within') note(source.outer);
      else if (source.kind === 'url') seen[source.url] = source.headers?.['X-Token'] === 't';
    };
    const watching: EngineApi = {
      ...reader,
      open: (source) => {
        note(source);
        return reader.open(source);
      },
      // The rest of the command is not needed.
      draw: () => Promise.reject(new Error('enough')),
    };
    await run(watching, ...args, '--header', 'X-Token: t');
    return seen;
  }
  // Nothing listens there, which is known at once: names of hosts would be looked up.
  const [a, a2, b] = ['http://127.0.0.1:1/1.root', 'http://127.0.0.1:1/2.root', 'http://127.0.0.1:2/3.root'];

  test('dav:// is the same origin as http://', async () => {
    const other = 'dav://127.0.0.1:2/3.root';
    expect(await given('ls', [a.replace('http', 'dav'), other, a2].join(','))).toEqual({
      ...{ [a]: true, [a2]: true, [b]: false },
    });
  });

  test('in a list, in a file of names, and in what lies within a file', async () => {
    expect(await given('ls', `${a}#@100`)).toEqual({ [a]: true });
    const folder = mkdtempSync(join(tmpdir(), 'xylem-list-'));
    const list = join(folder, 'list.txt');
    writeFileSync(list, ['local.root', a, b, a2, 'https://127.0.0.1:1/4.root'].join('\n'));
    expect(await given('ls', `@${list}`)).toEqual({
      [a]: true,
      [b]: false,
      [a2]: true,
      'https://127.0.0.1:1/4.root': false,
    });
    rmSync(folder, { recursive: true });
  });

  test('of two files and of a friend', async () => {
    expect(await given('diff', a, b)).toEqual({ [a]: true, [b]: false });
    expect(await given('diff', 'local.root', b)).toEqual({ [b]: true });
    expect(await given('draw', a, 'Events', 'nMuon', '--friend', b)).toEqual({ [a]: true, [b]: false });
    expect(await given('draw', a, 'Events', 'nMuon', '--friend', a2)).toEqual({ [a]: true, [a2]: true });
  }, 60_000);
});

test('--no-cache is said of files on disk too, whose friends may lie on a server', async () => {
  const sources: unknown[] = [];
  const watching: EngineApi = {
    ...reader,
    open: (source) => {
      sources.push(source);
      return reader.open(source);
    },
  };
  await run(watching, 'keys', 'a.root', '--no-cache');
  expect(sources).toEqual([{ kind: 'path', path: 'a.root', cache: 'none' }]);
});

const sized = (index: number, totalBytes: number): BranchInfo => ({
  index,
  parent: -1,
  depth: 0,
  path: `b${index}`,
  name: `b${index}`,
  title: '',
  typeName: 'int',
  kind: 'number',
  entries: 1000,
  baskets: 1,
  totalBytes,
  storedBytes: totalBytes,
});

test('reads are divided within their budget: small branches together, large ones by entries', () => {
  const branches = [sized(0, 30), sized(1, 60), sized(2, 50), sized(3, 950), sized(4, 10)];
  const steps = planSteps(branches, [0, 1000], 1, 100);
  expect(steps.map((s) => s.branches.map((b) => b.index))).toEqual([
    [0, 1],
    [2],
    ...new Array(10).fill([3]),
    [4],
  ]);
  const large = steps.filter((s) => s.branches[0]?.index === 3).map((s) => s.entries);
  expect(large[0]?.[0]).toBe(0);
  expect(large.at(-1)?.[1]).toBe(1000);
  for (const [i, range] of large.entries()) if (i > 0) expect(range[0]).toBe(large[i - 1]?.[1]);
  expect(planSteps(branches, [0, 0], 1, 100)).toHaveLength(1);
});

test('a branch that is read in several ranges is printed as one', async () => {
  const huge: EngineApi = {
    ...reader,
    tree: async (file, path) => {
      const tree = await reader.tree(file, path);
      const branches = tree.branches.map((b) => ({
        ...b,
        totalBytes: b.name === 'run' ? 1e9 : b.totalBytes,
      }));
      return { ...tree, branches };
    },
  };
  const whole = await run(reader, 'values', 'f', 'Events', '--branches', 'run', '--json');
  const parts = await run(huge, 'values', 'f', 'Events', '--branches', 'run', '--json');
  expect(parts.out === whole.out).toBe(true);
  const digest = async (r: EngineApi) =>
    (await run(r, 'values', 'f', 'Events', '--branches', 'run', '--digest')).out;
  expect(await digest(huge)).toBe(await digest(reader));
});

test('output waits for a slow reader and ends quietly when the reader goes', async () => {
  const slow = new Writable({ highWaterMark: 10, write: (_chunk, _encoding, done) => setImmediate(done) });
  const out = new TextOutput(slow);
  out.put('x'.repeat(100_000));
  await out.drain();
  expect(slow.writableLength).toBe(0);
  const gone = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
  });
  const broken = new TextOutput(gone);
  broken.put('text');
  await expect(broken.end()).rejects.toBeInstanceOf(BrokenPipe);
});
