// Several addresses of one file in lists and on command lines, over real servers.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/support';
import { withReader } from '../../engine-reader';
import { type RangeServer, startRangeServer } from '../../servers/range-server';

const sample = resolve(import.meta.dirname, '../../../public/sample.root');
const bytes = withUuid(readFileSync(sample), 0x11);
const other = readFileSync(resolve(import.meta.dirname, '../../fixtures/files/codec_zlib.root'));

/** The file with a UUID: files that are made again with the same bytes have none. */
function withUuid(bytes: Buffer, digit: number): Buffer {
  const own = Buffer.from(bytes);
  // It is in the record of the directory, which follows the name and the title.
  const at = own.readInt32BE(8) + own.readInt32BE(28) + 32;
  own.fill(digit, at, at + 16);
  return own;
}
const reader = withReader();
let folder: string;
let well: RangeServer;
let busy: RangeServer;
let wrong: RangeServer;
const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');
const partial = (name: string) => JSON.parse(text(name));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-replicas-'));
  well = await startRangeServer(bytes);
  busy = await startRangeServer(bytes, { status: 503 });
  wrong = await startRangeServer(other);
  writeFileSync(
    at('pt.mjs'),
    `export default {
  branches: { pt: 'Muon_pt' }, begin: (job) => ({ h: job.hist([50, 0, 100]) }), process: ({ pt }, { h }) => h.fill(pt.values),
};`,
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([well, busy, wrong].map((server) => server.close()));
});

const DRAW = ['Events', 'Muon_pt', '--hist', '50,0,100'];

test('draw, process, summary and plan read a file by one of its addresses', async () => {
  const plain = await run(reader, 'draw', sample, ...DRAW, '--csv', '-');
  const files = `${busy.url}|${well.url}`;
  expect(await run(reader, 'draw', files, ...DRAW, '--csv', '-')).toEqual(plain);
  // A file of this machine may be one of them, in whatever order.
  expect(await run(reader, 'draw', `${busy.url}|${sample}`, ...DRAW, '--csv', '-')).toEqual(plain);
  expect((await run(reader, 'draw', `/none/f.root|${well.url}`, ...DRAW, '--csv', '-')).out).toBe(plain.out);
  expect((await run(reader, 'process', at('pt.mjs'), files, 'Events')).status).toBe(0);
  expect((await run(reader, 'summary', files, 'Events', '--branches', 'Muon_pt')).status).toBe(0);
  const planned = await run(reader, 'plan', files, 'Events', '--tasks', '2', '--out', at('tasks'));
  expect(planned.status).toBe(0);
  const task = text('tasks/task-0001.txt');
  expect(task).toMatch(/^http.*\|http.*#Events\[0:\d+\]\n$/);
  for (const n of [1, 2]) {
    const words = [
      'draw',
      `@${at(`tasks/task-000${n}.txt`)}`,
      ...DRAW,
      '--partial',
      at(`tasks/task-000${n}.json`),
    ];
    expect((await run(reader, ...words)).status).toBe(0);
  }
  const all = await run(reader, 'combine', at('tasks/*.json'), '--csv', '-');
  expect(all.out).toBe(plain.out);
});

test('results have the logical name, and the same file by another replica does not count twice', async () => {
  const lists: [name: string, line: string][] = [
    ['a', `lfn:/store/f.root|${busy.url}|${well.url}`],
    ['b', `lfn:/store/f.root|${well.url}`],
    ['c', `lfn:/store/f.root|${busy.url}`],
    ['d', well.url],
  ];
  for (const [name, line] of lists) {
    writeFileSync(at(`${name}.txt`), `${line}\n`);
    await run(
      reader,
      ...['draw', `@${at(`${name}.txt`)}`, ...DRAW, '--partial', at(`${name}.json`)],
      ...['--failed', at(`${name}.failed`)],
    );
  }
  expect(partial('a.json').inputs).toMatchObject([{ file: 'lfn:/store/f.root', size: bytes.length }]);
  // The same bytes by either replica.
  expect(text('a.json')).toBe(text('b.json'));
  const twice = await run(reader, 'combine', at('a.json'), at('b.json'));
  expect(twice).toMatchObject({ status: 1, err: expect.stringContaining('occur twice') });
  const known = await run(reader, 'combine', at('a.json'), at('d.json'));
  expect(known.err).toContain('which is the same file as');
  // The line of the failed file can be read again, and a file that was read by another replica is not a failed one.
  expect(partial('c.json').failed).toMatchObject([{ file: 'lfn:/store/f.root' }]);
  expect(text('c.failed')).toBe(`lfn:/store/f.root|${busy.url}#Events\n`);
  const both = await run(reader, 'combine', at('b.json'), at('c.json'), '--partial', at('both.json'));
  expect(both.status).toBe(0);
  expect(text('both.json')).toBe(text('b.json'));
  const again = await run(
    reader,
    ...['draw', `@${at('a.txt')}`, ...DRAW, '--resume', at('c.json'), '--partial', at('again.json')],
  );
  expect(again.status).toBe(0);
  expect(text('again.json')).toBe(text('b.json'));
});

test('another file in place of a replica is refused by its name', async () => {
  writeFileSync(
    at('wrong.json'),
    JSON.stringify([{ scope: 'mc', name: 'f.root', bytes: bytes.length, pfns: [wrong.url, well.url] }]),
  );
  const drawn = await run(
    reader,
    ...['draw', `@${at('wrong.json')}`, ...DRAW, '--partial', at('w.json'), '--failed', at('w.txt')],
  );
  expect(drawn.status).toBe(1);
  expect(partial('w.json').failed).toMatchObject([
    {
      file: 'lfn:mc:f.root',
      error: {
        code: 'NOT_REPLICA',
        message: `${wrong.url} has ${other.length} bytes, but the list says that lfn:mc:f.root has ${bytes.length}.`,
      },
    },
  ]);
  expect(text('w.txt')).toBe(`lfn:mc:f.root|${wrong.url}|${well.url}#Events\n`);
});

test('names of DAS are read by a redirector, or by the next one', async () => {
  const name = '/store/mc/Summer11/ZMM/GEN-SIM/0003/02ACAA1A.root';
  well.files.set(name, bytes);
  writeFileSync(at('das.txt'), `${name}\n`);
  writeFileSync(at('das.json'), `[\n${JSON.stringify({ file: [{ name, size: bytes.length }] })}\n]\n`);
  const origin = (server: RangeServer): string => new URL(server.url).origin;
  const where = `${origin(busy)},${origin(well)}`;
  for (const list of ['das.txt', 'das.json']) {
    const words = ['draw', `@${at(list)}`, ...DRAW, '--redirector', where, '--partial', at('das.out.json')];
    expect((await run(reader, ...words)).err).not.toContain('xylem:');
    expect(partial('das.out.json').inputs).toMatchObject([{ file: `lfn:${name}` }]);
  }
  const lacking = await run(reader, 'draw', `@${at('das.json')}`, ...DRAW);
  expect(lacking).toMatchObject({ status: 1, err: expect.stringContaining('--redirector root://') });
});

test('a replica whose end is lost gives way to the next one', async () => {
  const lost = Buffer.from(bytes);
  const end = lost.readInt32BE(12);
  lost.fill(0, end - 4096);
  writeFileSync(at('lost.root'), lost);
  const listed = await run(reader, 'ls', at('lost.root'));
  expect(listed).toMatchObject({
    status: 1,
    err: expect.stringContaining('The list of keys of the file is lost'),
  });
  const plain = await run(reader, 'draw', sample, ...DRAW, '--csv', '-');
  // More than one part of its end is kept and wrong, and the replica that is read then is not blamed for that.
  const drawn = await run(reader, 'draw', `${at('lost.root')}|${well.url}`, ...DRAW, '--csv', '-');
  expect(drawn).toEqual(plain);
});

test('samples and their lists take replicas', async () => {
  writeFileSync(at('list.txt'), `${busy.url}|${well.url}\n`);
  const samples = [{ name: 'data', files: ['@list.txt'] }];
  writeFileSync(at('samples.json'), JSON.stringify({ samples }));
  const made = await run(
    reader,
    ...['process', at('pt.mjs'), '--samples', at('samples.json'), 'Events', '--json'],
  );
  expect(made.status).toBe(0);
  expect(made.err).toBe('');
});

test('a path that has a "|" is itself', async () => {
  const odd = at('a|.root');
  writeFileSync(odd, bytes);
  expect((await run(reader, 'draw', odd, ...DRAW, '--csv', '-')).status).toBe(0);
  await run(reader, 'plan', odd, 'Events', '--out', at('odd'));
  expect(text('odd/task-0001.txt')).toMatch(/^file:.*\/a%7C\.root#Events\[0:\d+\]\n$/);
  const task = await run(reader, 'draw', `@${at('odd/task-0001.txt')}`, ...DRAW, '--partial', at('odd.json'));
  expect(task.status).toBe(0);
  // Also before a "/", and with its tree.
  mkdirSync(at('b|'));
  writeFileSync(at('b|/f.root'), bytes);
  writeFileSync(at('odd.txt'), 'b|/f.root?#Events\n');
  for (const name of [`${at('b|/f.root')}?#Events`, `@${at('odd.txt')}`])
    expect((await run(reader, 'draw', name, ...DRAW, '--csv', '-')).status).toBe(0);
  const trees = await run(reader, 'draw', `${busy.url}#a|${well.url}#b`, ...DRAW);
  expect(trees.err).toContain('name different trees');
});
