import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run as runOn } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader();
const folder = mkdtempSync(join(tmpdir(), 'layout-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runOn(reader, 'layout', ...args);
const file = (name: string) => join(fixtureFolder, name);

test('several files are one table, trees and RNTuples', async () => {
  const list = [file('merged.root'), file('rntuple.root'), file('embedded.root')].join(',');
  const { status, out } = await run(list, '--json');
  expect(status).toBe(0);
  const { files, failed } = JSON.parse(out);
  expect(failed).toEqual([]);
  expect(files.map(({ tree, kind }: { tree: string; kind: string }) => [tree, kind])).toEqual([
    ['t', 'TTree'],
    [expect.any(String), 'RNTuple'],
    ['small', 'TTree'],
    ['large', 'TTree'],
  ]);
  const [merged] = files;
  const alone = JSON.parse((await run(file('merged.root'), '--json')).out);
  expect(merged).toMatchObject({
    ...{ entries: alone.entries, storedBytes: alone.storedBytes, branches: alone.branches.length },
    ...{ factor: alone.factor, bufferBytes: alone.bufferBytes, clusterBytes: alone.clusterBytes.max },
    bytesPerEntry: alone.storedBytes / alone.entries,
  });
  expect(files[1]).not.toHaveProperty('bufferBytes');
  const text = await run(list);
  expect(text.out).toMatch(/File +Tree +Format +Branches/);
});

test('a tree that is named is taken of each file, and a file without it is left out', async () => {
  const broken = join(folder, 'broken.root');
  writeFileSync(broken, 'no ROOT file');
  const { status, out, err } = await run(
    `${file('merged.root')},${broken},${file('embedded.root')}`,
    't',
    '--json',
  );
  expect(status).toBe(1);
  expect(JSON.parse(out).files).toHaveLength(1);
  expect(JSON.parse(out).failed).toHaveLength(2);
  expect(err).toContain('broken.root is left out: ');
});

test('buffers are shown when they are asked for', async () => {
  const plain = await run(file('merged.root'));
  expect(plain.out).toMatch(
    /Buffers +2\.05 kB\n +Buffers, recommended +250 kB\n +Baskets by buffers +18\n +Baskets, recommended +4/,
  );
  expect(plain.out).not.toContain('Recommended');
  const { out } = await run(file('merged.root'), '--buffers', '--memory', '1', '--min-compression', '3');
  expect(out).toMatch(/Branch +Basket size +Recommended +Baskets +Baskets then +Split +Collections +Codec/);
  expect(out).toContain(' → none');
  const read = await run(file('collections_split0.root'), '--streaming');
  expect(read.out).toMatch(/hits .*member-wise/);
});

test('the distributions are written as SVG', async () => {
  const { status, out } = await run(file('merged.root'), '--svg', '-');
  expect(status).toBe(0);
  expect(out.match(/<svg /g)).toHaveLength(3);
  expect(out).toContain('Stored bytes of a basket');
  expect(out).toContain('Baskets of a branch');
  const pages = await run(file('rntuple.root'), '--svg', '-');
  expect(pages.out).toContain('Pages of a column');
  const several = await run(`${file('merged.root')},${file('embedded.root')}`, '--svg', '-');
  expect(several).toMatchObject({ status: 1, err: expect.stringContaining('The plots are of one file.') });
  const none = await run(file('empty.root'), 't', '--svg', '-');
  expect(none).toMatchObject({ status: 1, err: expect.stringContaining('There is nothing to plot.') });
});
