import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listLine } from '../../../web/cli/list-line';
import { run } from '../../cli/support';
import { makeEngine } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader(makeEngine);
let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'xylem-plan-'));
  const sample = resolve(import.meta.dirname, '../../../public/sample.root');
  // The second name would be a list and a pattern if it were not that of a file.
  for (const name of ['a.root', 'b,[c] d.root']) copyFileSync(sample, at(name));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const histogramIn = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')).histogram;

test('the tasks of a plan, drawn and combined, are the whole', async () => {
  writeFileSync(at('files.txt'), 'a.root\nb,[c] d.root\n');
  const files = `@${at('files.txt')}`;
  const query = ['Muon_pt', 'MET_pt', '--hist', '30,0,90'];
  const out = at('out');
  const made = await run(
    reader,
    'plan',
    files,
    'Events',
    '--tasks',
    '4',
    '--out',
    out,
    '--draw',
    query.join(' '),
  );
  expect(made.status).toBe(0);
  const commands = made.out.trim().split('\n');
  expect(commands).toHaveLength(4);
  for (const line of commands) {
    expect(line).toMatch(/^xylem draw @\S+ Events Muon_pt MET_pt --hist 30,0,90 --partial \S+\.json$/);
    expect((await run(reader, ...line.split(' ').slice(1))).status).toBe(0);
  }
  const lists = readdirSync(out).filter((name) => name.endsWith('.txt'));
  // Ranges of entries, because a file has more than one cluster.
  expect(lists.map((name) => readFileSync(join(out, name), 'utf8')).join('')).toMatch(/\?#Events\[0:\d+\]/);
  const combined = await run(
    reader,
    'combine',
    join(out, '*.json'),
    '--partial',
    at('sum.json'),
    '--expect',
    files,
  );
  expect(combined.err).not.toContain('missing');
  expect(combined.status).toBe(0);
  await run(reader, 'draw', files, 'Events', ...query, '--partial', at('whole.json'));
  expect(histogramIn('sum.json')).toEqual(histogramIn('whole.json'));
  // Without one of the tasks the files are still there in part; without all of a file it is missing.
  const first = await run(reader, 'combine', join(out, 'task-0001.json'), '--expect', files);
  expect(first.status).toBe(1);
  expect(first.err).toContain(`missing: ${at('b,[c] d.root')}`);
});

test.each(['--draw', '--process'])(
  '%s without --out is refused: no command line would have it',
  async (option) => {
    const { status, err } = await run(reader, 'plan', 'a.root', 'Events', option, 'x');
    expect([status, err]).toEqual([2, expect.stringContaining(`${option} goes with --out.`)]);
  },
);

test('a plan by branches, as JSON; files that cannot be read are named', async () => {
  writeFileSync(at('files.txt'), 'a.root\nnone.root\n');
  const files = `@${at('files.txt')}`;
  const all = JSON.parse((await run(reader, 'plan', files, 'Events', '--json')).out);
  const { status, out, err } = await run(reader, 'plan', files, 'Events', '--branches', 'nMuon', '--json');
  expect(status).toBe(1);
  expect(err).toContain('none.root');
  const some = JSON.parse(out);
  expect(some).toMatchObject({ files: 1, entries: 2400, failed: [{ file: at('none.root') }] });
  expect(some.bytes).toBeGreaterThan(0);
  expect(some.bytes).toBeLessThan(all.bytes / 20);
});

test('a plan by size opens files until one has the tree, and those that are larger than half a task', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `small-${i}.root`);
  for (const name of names) copyFileSync(at('a.root'), at(name));
  writeFileSync(at('small-0.root'), '');
  writeFileSync(at('small-7.root'), 'no ROOT file');
  writeFileSync(at('files.txt'), [...names, 'none.root'].join('\n'));
  const files = `@${at('files.txt')}`;
  const planOf = async (tree: string, ...more: string[]) => {
    const { status, out } = await run(
      reader,
      'plan',
      files,
      tree,
      '--by-size',
      '--json',
      '--jobs',
      '1',
      ...more,
    );
    return { status, ...JSON.parse(out) };
  };
  const some = await planOf('Events', '--tasks', '3');
  // The first file is opened because none had the tree before, and the last because it has no size.
  expect(some).toMatchObject({
    status: 1,
    files: 19,
    failed: [{ file: at('small-0.root') }, { file: at('none.root') }],
  });
  expect('entries' in some).toBe(false);
  const inputs = some.tasks.flatMap((task: { inputs: object[] }) => task.inputs);
  expect(inputs).toEqual(names.slice(1).map((name) => ({ file: at(name), tree: 'Events' })));
  for (const { inputs, bytes } of some.tasks) {
    expect(inputs.length).toBeGreaterThan(4);
    expect(bytes).toBeGreaterThan(some.bytes / 4);
  }
  // Files that are as large as a task are opened and cut.
  const all = await planOf('Events', '--tasks', '40');
  expect(all).toMatchObject({ status: 1, files: 19 });
  const cut = all.tasks.flatMap(({ inputs }: { inputs: { entries?: number[] }[] }) => inputs);
  expect(cut.filter(({ entries }: { entries?: number[] }) => !entries)).toEqual([
    { file: at('small-7.root'), tree: 'Events' },
  ]);
  const total = all.tasks.reduce((sum: number, { bytes }: { bytes: number }) => sum + bytes, 0);
  expect(total).toBe(all.bytes);
  const none = await planOf('Evnts', '--tasks', '3');
  expect(none).toMatchObject({ status: 1, files: 0, tasks: [] });
  expect(none.failed).toHaveLength(21);
});

test('a line break in the name of a folder does not put another file into a list', async () => {
  const secret = at('secret.root');
  copyFileSync(resolve(import.meta.dirname, '../../../public/sample.root'), secret);
  // The lines of a list would be "…/nl", the other file, and "rest/a.root".
  const lure = join(folder, `nl\n${secret}?#Events\nrest`);
  mkdirSync(lure, { recursive: true });
  copyFileSync(secret, join(lure, 'a.root'));
  const out = at('broken');
  const made = await run(reader, 'plan', join(lure, 'a.root'), 'Events', '--tasks', '1', '--out', out);
  expect(made.status).toBe(0);
  const list = join(out, 'task-0001.txt');
  expect(readFileSync(list, 'utf8').split('\n')).toHaveLength(2);
  const drawn = await run(reader, 'draw', `@${list}`, 'Events', 'nMuon', '--hist', '5,0,5', '--partial', '-');
  expect(JSON.parse(drawn.out).inputs.map(({ file }: { file: string }) => file)).toEqual([
    join(lure, 'a.root'),
  ]);
  // The tree of a list cannot be written in another way.
  const tree = 'Events\nx';
  expect(() => listLine({ file: '/a.root', tree })).toThrow(expect.objectContaining({ code: 'ARGUMENT' }));
  expect(() => listLine({ file: 'https://h/a\n.root', tree: 't' })).toThrow();
  expect(listLine({ file: '/a.root', tree: 't', entries: [0, 5] })).toBe('/a.root?#t[0:5]\n');
  expect(listLine({ file: 'https://h/a,b.root', tree: 't' })).toBe('https://h/a,b.root#t\n');
  // Where the file is gone, its name is still one name.
  expect(listLine({ file: '/a,/etc/b*.root', tree: 't' })).toBe('file:///a,/etc/b*.root#t\n');
});
