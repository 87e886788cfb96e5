// Needs features: all.
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../../../web/cli/context';
import { Call } from '../../../web/features/mcp/cli/tool';
import { program, programWith } from '../../cli/program';
import { lacks } from '../../needs';
import { isHere, nameOf, openPairs, recordedPairs, sourceOf, unpack } from '../../query/recorded-pairs';
import { startRangeServer } from '../../servers/range-server';

const root = resolve(import.meta.dirname, '../../..');
const sample = join(root, 'public/sample.root');

let folder = '';
let client: Client;
const others: Client[] = [];
const { run, built } = programWith(tmpdir());

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'xylem-mcp-')));
  client = await connect([]);
});

afterAll(async () => {
  await Promise.all([client, ...others].map((one) => one?.close()));
  await rm(folder, { recursive: true, force: true });
});

/** The protocol's own client, with the built program as a process of its own. */
async function connect(options: string[], modern = false): Promise<Client> {
  const about = { name: 'test', version: '1' };
  const made = new Client(about, modern ? { versionNegotiation: { mode: 'auto' } } : {});
  const env = { PATH: process.env.PATH ?? '', XDG_CACHE_HOME: join(folder, 'caches') };
  const args = [program, 'mcp', ...options];
  await made.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return made;
}

interface Answered {
  failed: boolean;
  text: string;
  content: {
    type: string;
    mimeType?: string;
    data?: string;
    resource?: { text?: string; mimeType?: string };
  }[];
}

async function call(name: string, given: object, by = client): Promise<Answered> {
  const { content, isError } = await by.callTool({ name, arguments: given as Record<string, unknown> });
  const [first, ...more] = content;
  return {
    failed: isError === true,
    text: first?.type === 'text' ? first.text : '',
    content: more as Answered['content'],
  };
}

async function json(name: string, given: object, by = client) {
  const { failed, text } = await call(name, given, by);
  expect(failed, text).toBe(false);
  return JSON.parse(text);
}

built.each(['summary', 'what_if', 'values'])(
  'an empty list is refused by %s: it would be all',
  async (name) => {
    const list = name === 'values' ? { columns: [] } : { branches: [] };
    expect(await call(name, { file: sample, ...list })).toMatchObject({ failed: true });
  },
);

built('offers tools that only read, to clients of both revisions of the protocol', async () => {
  const modern = await connect([], true);
  others.push(modern);
  for (const one of [client, modern]) {
    const { tools } = await one.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['contents', 'types', 'values', 'draw', 'summary', 'doctor', 'what_if']),
    );
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    expect(await json('contents', { file: sample, path: 'plots' }, one)).toMatchObject({
      keys: { total: 4 },
    });
  }
  expect(client.getInstructions()).toContain('at most 200 MB');
});

/** Every tenth histogram of ROOT's own TTree::Draw in real files: one axis, no options. */
const open = openPairs();
const pairs = recordedPairs()
  .filter(
    ({ set, axes, cells, scan, option, entries, deviation, error }) =>
      set === 'real' && axes?.length === 1 && cells && !(scan ?? option ?? entries ?? deviation ?? error),
  )
  .filter((pair) => !open.has(nameOf(pair)) && !pair.labels && !pair.texts)
  .filter((_, i) => i % 10 === 0);
const noCorpus = lacks(
  'the files of XYLEM_CORPUS',
  pairs.every(({ file }) => isHere(file)),
);

test.skipIf(noCorpus)('draws what ROOT draws of real files', async () => {
  expect(pairs.length).toBeGreaterThan(10);
  for (const pair of pairs) {
    const { file, tree, expr, cut, axes: [[bins, low, high] = [0, 0, 0]] = [], cells = [] } = pair;
    const { path } = sourceOf(file) as { path: string };
    const asked = { file: path, tree, expression: expr, bins, range: [low, high], ...(cut && { cut }) };
    const drawn = await json('draw', asked);
    const roots = [...unpack(cells, bins + 2)];
    expect([drawn.underflow, ...drawn.counts, drawn.overflow], nameOf(pair)).toEqual(roots);
    expect(drawn.fills).toBe(pair.fills);
    expect(drawn.edges).toHaveLength(bins + 1);
  }
});

built('reads values with 64 bits, lists, texts and expressions, and those that pass a cut', async () => {
  const asked = { file: sample, columns: ['event', 'Muon_pt', 'trigger', '2*nMuon'], limit: 2 };
  expect(await json('values', asked)).toMatchObject({
    columns: ['entry', 'event', 'Muon_pt', 'trigger', '2*nMuon'],
    rows: [
      [0, expect.any(Number), [67.5625, 29.3125], 'HLT_Mu17_Mu8_DZ', 4],
      [1, expect.any(Number), [58.46875, 34.40625], 'HLT_Mu17_Mu8_DZ', 4],
    ],
    next: { entries: '2:2400' },
  });
  // The rows of "xylem scan" in docs/cli.md.
  const passing = await json('values', { file: sample, columns: ['nMuon'], cut: 'Muon_pt[0]>60', limit: 4 });
  expect(passing.rows).toEqual([
    [0, 2],
    [48, 3],
    [89, 2],
    [103, 2],
  ]);
  const rest = { file: sample, columns: ['nMuon'], cut: 'Muon_pt[0]>60', entries: passing.next.entries };
  expect((await json('values', rest)).rows[0][0]).toBeGreaterThan(103);
});

built('draws stored objects, several axes and pictures', async () => {
  const stored = await json('draw', { file: sample, object: 'plots/upsilon' });
  expect(stored).toMatchObject({ kind: 'histogram', fills: 2400, underflow: 957 });
  const map = await json('draw', { file: sample, expression: 'Muon_eta:Muon_pt', bins: [3, 2] });
  expect(map.counts).toHaveLength(6);
  expect(map.edgesY).toEqual([-10, 10, 30]);
  const { content } = await call('draw', { file: sample, expression: 'MET_pt', picture: 'svg' });
  expect(content).toMatchObject([{ type: 'resource', resource: { mimeType: 'image/svg+xml' } }]);
  expect(content[0]?.resource?.text).toMatch(/^<svg/);
  const png = await call('draw', { file: sample, object: 'plots/muonEtaPhi', picture: 'png' });
  expect(
    Buffer.from(png.content[0]?.data ?? '', 'base64')
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
});

built('gives the reports of the commands, of files read as one, too', async () => {
  const both = { file: [sample, sample], branches: ['nMuon'] };
  expect(await json('summary', both)).toMatchObject({ branches: [{ path: 'nMuon', entries: 4800 }] });
  const cost = await json('what_if', { file: sample, expression: 'MET_pt', cut: 'nMuon>2', latencyMs: 5 });
  expect(cost).toMatchObject({ branches: 2, link: { latencyMs: 5 } });
  expect((await call('doctor', { file: sample })).text).toContain(
    'Laid out well for reading: 0 findings in Events.',
  );
  expect(await json('check', { file: sample })).toMatchObject({ summary: { failed: 0 } });
  expect((await call('types', { file: sample, class: 'TH1F' })).text).toContain('TArrayF');
  expect(await json('object', { file: sample, path: 'about' })).toMatchObject({ fName: 'about' });
});

built('says what is wrong, and does not read lists in text files', async () => {
  const failures: [string, object, RegExp][] = [
    ['draw', { file: sample, expression: 'MET_p' }, /"MET_p".*MET_pt.*\[NOT_FOUND\]/s],
    ['draw', { file: sample }, /either expression or object/],
    ['contents', { file: 'nowhere.root' }, /no such file/],
    ['contents', { file: 'a\0.root' }, /null byte/],
    ['contents', { path: 'x' }, /file/],
    ['contents', { file: `${sample},@/etc/hosts` }, /list in a text file/],
    ['contents', { file: '/etc/hosts' }, /\[NOT_ROOT\]/],
    ['values', { file: sample, columns: ['nMuon'], limit: 1001 }, /1000/],
    ['summary', { file: sample, branches: ['--help'] }, /"--help"/],
  ];
  for (const [name, given, says] of failures) {
    const { failed, text } = await call(name, given);
    expect(failed, text).toBe(true);
    expect(text).toMatch(says);
    expect(text).not.toContain('localhost');
  }
});

built('no tool reads a list in a text file, whatever argument names it', async () => {
  const { tools } = await client.listTools();
  const asked = tools.flatMap(({ name, inputSchema: { properties = {}, required = [] } }) => {
    const others = Object.fromEntries(
      required.map((one) => [
        one,
        ['columns', 'cuts'].includes(one)
          ? ['nMuon']
          : one === 'entry'
            ? 0
            : one === 'path'
              ? 'about'
              : sample,
      ]),
    );
    const files = ['file', 'a', 'b'].filter((one) => one in properties);
    return files.map(
      (one) => [name, { ...others, expression: 'nMuon', [one]: '@/etc/hosts' }, properties] as const,
    );
  });
  expect(asked.length).toBeGreaterThan(10);
  for (const [name, given, properties] of asked) {
    const own = Object.fromEntries(Object.entries(given).filter(([one]) => one in properties));
    const { failed, text } = await call(name, own);
    expect([name, failed, text]).toEqual([name, true, expect.stringContaining('list in a text file')]);
    expect(text).not.toContain('localhost');
  }
});

built('names an argument that a tool has not', async () => {
  const { failed, text } = await call('draw', { file: sample, expr: 'nMuon' });
  expect([failed, text]).toEqual([
    true,
    expect.stringContaining('draw has no expr; it has file, tree, expression,'),
  ]);
});

built('refuses what is above its limits, before it is read', async () => {
  const server = await startRangeServer(await readFile(sample));
  const limited = await connect(['--max-read', '10kB', '--max-answer', '800B']);
  others.push(limited);
  try {
    const file = server.url;
    await json('contents', { file, path: 'Events', limit: 3 }, limited);
    const before = server.requests.length;
    for (const [name, given] of [
      ['draw', { expression: 'Muon_pt' }],
      ['summary', {}],
      ['check', {}],
      ['values', { columns: ['*'], limit: 1000 }],
    ] as const) {
      const { failed, text } = await call(name, { file, ...given }, limited);
      expect(failed, text).toBe(true);
      expect(text).toMatch(/would take [\d.]+ kB in \d+ requests?.*limit of 10.0 kB.*\[BUDGET\]/s);
    }
    // Only the head of the file, which each opening asks for.
    const read = server.requests.slice(before).filter(({ range }) => !/^bytes=0-/.test(range ?? ''));
    expect(read).toEqual([]);
    const drawn = await json('draw', { file, expression: 'nMuon', bins: 5 }, limited);
    expect(drawn.read.bytes).toBeLessThan(1000);
    const long = await call('contents', { file, path: 'Events' }, limited);
    expect(long.text).toMatch(/answer would have 9\d\d bytes, more than the limit of 800 B/);
  } finally {
    await server.close();
  }
});

built('refuses millions of bins at once, of expressions and of stored objects', async () => {
  const large = join(folder, 'large.root');
  const { fileSink, writeRoot } = await import('../../../web/node');
  const bins = 500;
  const edges = Float64Array.from({ length: bins + 1 }, (_, i) => i);
  await writeRoot(fileSink(large, { replace: true }), (file) =>
    file.histogram('map', { counts: new Float64Array(bins * bins), edges: [edges, edges] }),
  );
  const began = performance.now();
  for (const given of [
    { file: sample, expression: 'Muon_pt:Muon_eta', bins: [3000, 3000], picture: 'svg' },
    { file: large, object: 'map', picture: 'png' },
  ]) {
    const { failed, text } = await call('draw', given);
    expect(failed).toBe(true);
    expect(text).toMatch(/answer would have [\d,]+ bytes.*\[BUDGET\]/s);
  }
  expect(performance.now() - began).toBeLessThan(8000);
});

built('writes only where it may, and replaces nothing', async () => {
  const allowed = await mkdtemp(join(folder, 'out-'));
  await symlink(folder, join(allowed, 'up'));
  await symlink(join(folder, 'nothing.root'), join(allowed, 'link.root'));
  const writer = await connect(['--allow-write', allowed]);
  others.push(writer);
  const { tools } = await writer.listTools();
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint === false)).toHaveLength(4);

  const chosen = { file: sample, trees: ['Events'], branches: ['nMuon'], cut: 'nMuon>2' };
  const plan = await json('skim', { ...chosen, output: 'a.root', dryRun: true }, writer);
  expect(plan).toMatchObject({ write: { estimated: true } });
  expect((await readdir(allowed)).sort()).toEqual(['link.root', 'up']);
  await json('skim', { ...chosen, output: 'a.root' }, writer);
  const { fills } = await json('draw', { file: join(allowed, 'a.root'), expression: 'nMuon' }, writer);
  expect(fills).toBe((await json('draw', { file: sample, expression: 'nMuon', cut: 'nMuon>2' })).fills);
  await json('heal', { file: sample, output: 'b.root' }, writer);
  await json('merge', { file: [sample, join(allowed, 'b.root')], output: 'c.root' }, writer);
  const exported = { file: sample, columns: ['nMuon', 'MET_pt'], entries: '0:2', output: 'd.csv' };
  await json('export', exported, writer);
  expect((await readFile(join(allowed, 'd.csv'), 'utf8')).split('\n')[0]).toBe('nMuon,MET_pt');

  for (const output of ['d.csv', '../x.csv', join(folder, 'x.csv'), 'up/x.csv', 'link.root', 'no/x.csv', ''])
    expect((await call('export', { ...exported, output }, writer)).failed, output).toBe(true);
  expect((await readdir(folder)).filter((name) => /x\.csv|nothing/.test(name))).toEqual([]);
  await expect(call('heal', { file: sample, output: 'e.root' })).rejects.toThrow(/heal not found/);
});

built('counts each of several files that are compared or checked', async () => {
  const { size } = await stat(sample);
  const limited = await connect(['--max-read', `${3 * size}B`]);
  others.push(limited);
  const twice = `${sample},${sample}`;
  for (const [name, given] of [
    ['diff', { a: twice, b: twice }],
    ['check', { file: [sample, sample, sample, sample] }],
  ] as const) {
    const { failed, text } = await call(name, given, limited);
    expect([name, failed, text]).toEqual([name, true, expect.stringContaining('[BUDGET]')]);
  }
  expect(await json('diff', { a: sample, b: sample }, limited)).toMatchObject({ same: true });
});

built('refuses arguments that do not make sense, and names them as the tool does', async () => {
  for (const [name, given, words] of [
    ['what_if', { cut: 'nMuon>2' }, 'cut needs expression. [ARGUMENT]'],
    ['wall', { sameArea: true }, 'sameArea goes with reference. [ARGUMENT]'],
    ['wall', { reference: sample, failOn: ['chi2<x'] }, '"chi2<x" is not a condition.'],
    ['what_if', { entries: '9:2' }, '"9:2" is not a range of entries'],
    ['what_if', { entries: `${'9'.repeat(20)}:` }, 'is not a range of entries'],
    ['summary', { entries: '9:2' }, '"9:2" is not a range of entries'],
    ['summary', { branches: [' ,'] }, '" ," names no branch.'],
    ['perf', { branches: [''] }, '"" names no branch.'],
    ['object', { path: '\u001b[31m' }, 'There is no "·[31m"'],
  ] as const) {
    const { failed, text } = await call(name, { file: sample, ...given });
    expect([name, failed, text]).toEqual([name, true, expect.stringContaining(words)]);
  }
  const { failed, text } = await call('object', { file: sample, path: 'x'.repeat(100_000) });
  expect([failed, text.length < 2000]).toEqual([true, true]);
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools.map(({ inputSchema }) => inputSchema))).not.toMatch(/--[a-z]/);
});

built('takes several ranges of entries where it says so', async () => {
  const branches = ['nMuon'];
  const [both] = (await json('summary', { file: sample, branches, entries: '0:10,50:60' })).branches;
  expect(both.values).toBe(20);
});

built('stays when a message is too long for it', async () => {
  await expect(call('contents', { file: 'x'.repeat(11 * 2 ** 20) })).rejects.toThrow('8.39 MB');
  expect((await call('contents', { file: sample })).failed).toBe(false);
});

built('compares no files without a part to compare', async () => {
  const { failed, text } = await call('diff', { a: sample, b: sample, parts: [] });
  expect([failed, text]).toEqual([true, expect.stringContaining('parts')]);
});

built('refuses to copy more than it may read, of one file and of several', async () => {
  const allowed = await mkdtemp(join(folder, 'out-'));
  const writer = await connect(['--allow-write', allowed, '--max-read', '50kB']);
  others.push(writer);
  for (const [name, file] of [
    ['heal', sample],
    ['merge', [sample, sample]],
    ['skim', [sample, sample]],
  ] as const) {
    const { failed, text } = await call(name, { file, output: 'a.root' }, writer);
    expect(failed, name).toBe(true);
    expect(text).toMatch(/would take \d+ kB.*limit of 50.0 kB.*\[BUDGET\]/s);
  }
  expect(await readdir(allowed)).toEqual([]);
  await json('skim', { file: [sample, sample], branches: ['nMuon'], output: 'a.root' }, writer);
});

built('says which package it needs', async () => {
  const alone = await mkdtemp(join(folder, 'alone-'));
  await symlink(join(root, 'dist'), join(alone, 'dist'));
  const flags = ['--preserve-symlinks', '--preserve-symlinks-main'];
  const ended = spawnSync(process.execPath, [...flags, join(alone, 'dist/cli/xylem.js'), 'mcp']);
  expect(ended.status).toBe(1);
  expect(String(ended.stderr)).toContain('npm install @modelcontextprotocol/server');
  expect((await run(['mcp', '--allow-write', join(folder, 'none')])).err).toContain('is not a folder');
});

test('addresses that an assistant names get no token of the user', async () => {
  const seen: unknown[] = [];
  const outer = {
    open: async (source: unknown) => {
      seen.push(source);
      throw new Error('seen');
    },
  } as unknown as Context;
  const asked = new Call(outer, { read: 0, answer: 0, writeTo: undefined }, undefined);
  const names = ['root://evil.example//a.root', 'https://evil.example/outer.bin#@4096'];
  for (const name of [...names, names.join(',')])
    await expect(asked.withFile(name, async () => {})).rejects.toThrow('seen');
  const urls = JSON.stringify(seen).match(/"kind":"url"[^}]*/g) ?? [];
  expect(urls).toHaveLength(4);
  expect(urls.filter((url) => !url.includes('"token":"none"'))).toEqual([]);
});

built('an answer has no secret of an address, also of one that it cannot read', async () => {
  const query = '?X-Amz-Signature=CANARY7531&authz=CANARY7531';
  for (const place of [
    's3://me:CANARY7531@h/a.root',
    '127.0.0.1:9/a.root',
    'http:me:CANARY7531@h/a.root',
    'http://me:CANARY7531@[h/a.root',
  ])
    for (const tool of ['contents', 'summary', 'check']) {
      const { failed, text, content } = await call(tool, { file: `${place}${query}` });
      expect(failed || text !== '').toBe(true);
      expect(JSON.stringify([text, content])).not.toContain('CANARY7531');
      expect(text).not.toContain('INTERNAL');
    }
});
