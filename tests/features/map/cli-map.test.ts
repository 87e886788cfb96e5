import { expect, test } from 'vitest';
import { letterMap } from '../../../web/features/map/cli/terminal-map';
import { chooseOnMap } from '../../../web/features/map/work/map-branches';
import { readMap } from '../../../web/features/map/work/read-map';
import type { BranchStats } from '../../../web/reads/layout-stats';
import { run } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const scattered = `${fixtureFolder}/page/scattered.root`;
const clustered = `${fixtureFolder}/page/clustered.root`;
const reader = withReader();

test('map: rows of letters, branches as digits, and a table of kinds that adds up', async () => {
  const { status, out, err } = await run(reader, 'map', clustered, '--branches', 'track_pt,jet_*');
  expect(err).toBe('');
  expect(status).toBe(0);
  const lines = out.split('\n');
  const rows = lines.slice(0, 24);
  expect(rows.every((row) => row.length <= 80)).toBe(true);
  expect(rows[0]).toMatch(/^ {8}0 D[2=]+$/);
  expect(rows[23]).toMatch(/=T+S+K$/);
  // Every cluster has the baskets of a branch in one piece.
  const cells = rows.map((row) => row.slice(10)).join('');
  expect(cells.match(/1+/g)?.length).toBeLessThan(9);
  const counts = lines.filter((line) => /^\S +[\d,]+ +[\d.]+ %/.test(line) && !/^[12] /.test(line));
  const sum = counts.reduce((all, line) => all + Number(line.split(/\s+/)[1]?.replaceAll(',', '')), 0);
  const { size } = JSON.parse((await run(reader, 'map', clustered, '--json')).out) as { size: number };
  expect(sum).toBe(size);
  expect(out).toMatch(/^1 .* track_pt$/m);
});

test('map --json: every byte once, baskets with their branch and entries, clusters', async () => {
  const { status, out } = await run(reader, 'map', scattered, '--json');
  expect(status).toBe(0);
  const map = JSON.parse(out) as {
    size: number;
    overlaps: unknown[];
    trees: { path: string; clusters: unknown[] }[];
    segments: { offset: number; length: number; kind: string; branch?: string; entries?: number }[];
  };
  let at = 0;
  for (const segment of map.segments) {
    expect(segment.offset).toBe(at);
    at += segment.length;
  }
  expect(at).toBe(map.size);
  expect(map.overlaps).toEqual([]);
  expect(map.trees).toEqual([{ path: 'events', clusters: [] }]);
  const entries = map.segments
    .filter(({ branch }) => branch === 'track_pt')
    .reduce((sum, segment) => sum + (segment.entries ?? 0), 0);
  expect(entries).toBe(1500);
});

test('map --svg: a picture with its legend and the borders of clusters', async () => {
  const { status, out } = await run(reader, 'map', clustered, '--branches', 'track_pt', '--svg', '-');
  expect(status).toBe(0);
  expect(out).toMatch(/^<svg .*<\/svg>\s*$/s);
  expect(out).toContain('<title>clustered.root</title>');
  expect(out).toContain('>track_pt ');
  expect(out).toContain('>streamer infos ');
  expect(out).toContain('stroke-width="1.2"');
});

test('map: reports bytes that no list names, and a walk names them', async () => {
  const file = `${fixtureFolder}/ntuple_fields.root`;
  const plain = await run(reader, 'map', file);
  expect(plain.err).toContain('--walk');
  expect(plain.out).toMatch(/^\? .* unknown$/m);
  const walked = await run(reader, 'map', file, '--walk');
  expect(walked).toMatchObject({ status: 0, err: '' });
  expect(walked.out).toMatch(/^B .* blob$/m);
  expect(walked.out).not.toContain('unknown');
});

test.each([
  [['--branches', 'trackpt'], 1, 'no branch "trackpt"'],
  [['--colours', 'size'], 2, '--colours does not take "size"'],
  [['--rows', '1'], 2, '--rows takes a whole number of at least 64'],
  [['--json', '--svg', '-'], 2, 'not both'],
])('map %j is status %i', async (args, status, message) => {
  const result = await run(reader, 'map', clustered, ...args);
  expect(result.status).toBe(status);
  expect(result.err).toContain(message);
});

test('a cell shows the chosen branch before any kind, and nothing after the end', async () => {
  const { id } = await reader.open({ kind: 'path', path: clustered });
  const { map } = await readMap(reader, id);
  const chosen = chooseOnMap(map.layouts, ['run']);
  const [row] = letterMap(map, { width: 20, rows: 1, rowBytes: map.size, chosen });
  expect(row).toContain('1');
  const rows = letterMap(map, { width: 20, rows: 2, rowBytes: map.size, chosen });
  expect(rows[1]?.slice(10).trim()).toBe('');
  await reader.close(id);
});

test('layout: the old layout and the new one differ in seeks, clusters and scatter', async () => {
  const stats = async (file: string) =>
    JSON.parse((await run(reader, 'layout', file, 'events', '--json')).out) as Record<string, number>;
  const [old, fresh] = [await stats(scattered), await stats(clustered)];
  expect(old).toMatchObject({ clusters: 0, entries: 1500 });
  expect(fresh).toMatchObject({ clusters: 5, crossing: 0, backwardSeeks: expect.any(Number) });
  expect(old.scatter).toBeGreaterThan(1.5);
  expect(fresh.scatter).toBeCloseTo(1, 2);
  expect(old.backwardSeeks).toBeGreaterThan(10 * (fresh.backwardSeeks ?? 0));
});

const figuresOf: Record<string, (branch: BranchStats) => number> = {
  stored: ({ storedBytes }) => storedBytes,
  total: ({ totalBytes }) => totalBytes,
  factor: ({ factor }) => factor,
  baskets: ({ baskets }) => baskets,
  basket: ({ basketBytes }) => basketBytes.mean,
  entries: ({ entriesPerBasket }) => entriesPerBasket.mean,
  perentry: ({ bytesPerEntry }) => bytesPerEntry,
};

test.each(Object.entries(figuresOf))(
  'layout: --sort %s compares values that are not rounded',
  async (by, figure) => {
    for (const name of ['stl', 'leaves', 'vectors']) {
      const file = `${fixtureFolder}/${name}.root`;
      const { branches } = JSON.parse((await run(reader, 'layout', file, '--json', '--sort', by)).out);
      const figures: number[] = branches.map(figure);
      expect(new Set(figures).size).toBeGreaterThan(1);
      expect(figures).toEqual([...figures].sort((a, b) => b - a));
    }
  },
);

test('layout: sorted as asked, and by collection', async () => {
  const paths = async (...args: string[]) => {
    const { out } = await run(reader, 'layout', clustered, 'events', '--json', ...args);
    return (JSON.parse(out) as { branches: { path: string }[] }).branches.map(({ path }) => path);
  };
  expect((await paths('--sort', 'file')).slice(0, 2)).toEqual(['ntracks', 'run']);
  const names = await paths('--sort', 'name');
  expect(names).toEqual([...names].sort());
  expect((await paths()).slice(0, 6).every((path) => path.startsWith('track_'))).toBe(true);
  const { out } = await run(reader, 'layout', clustered, 'events', '--collections', '--top', '2');
  expect(out).toMatch(/^track +6 /m);
  expect(out).toMatch(/^jet +4 /m);
  expect(out).toContain('more; --top 0');
});

test('layout --sort of something else is status 2', async () => {
  const { status, err } = await run(reader, 'layout', clustered, 'events', '--sort', 'toString');
  expect(status).toBe(2);
  expect(err).toContain('--sort does not take "toString"');
});

test('map --reads: what ROOT read, as a strip, as a row of the table and as JSON', async () => {
  const sample = `${fixtureFolder}/../../../public/sample.root`;
  const perfstat = `${fixtureFolder}/../reads/perfstat.root`;
  const text = await run(reader, 'map', sample, '--reads', perfstat);
  expect(text).toMatchObject({ status: 0, err: '' });
  expect(text.out).toMatch(/^\^ +136,187 +91\.09 % +55 {2}read by ROOT$/m);
  // Below each row of letters what was read of it: the header and the sparse keys at the end were, baskets partly.
  const bare = (await run(reader, 'map', sample)).out.split('\n\n')[0]?.split('\n') ?? [];
  const lines = text.out.split('\n\n')[0]?.split('\n') ?? [];
  const marks = lines.filter((line) => /^ {10}/.test(line));
  expect(lines.filter((line) => !marks.includes(line))).toEqual(bare);
  expect(marks.join('')).toMatch(/^[ ^]+$/);
  const marked = marks.join('').replaceAll(' ', '').length;
  const cells = bare.reduce((sum, line) => sum + line.length - 10, 0);
  expect(marked / cells).toBeGreaterThan(0.9);
  expect(marked).toBeLessThan(cells);
  const json = await run(reader, 'map', sample, '--reads', perfstat, '--json');
  expect(JSON.parse(json.out).reads).toMatchObject([{ by: 'ROOT', reads: 55, bytes: { read: 136_187 } }]);
  const plain = (await run(reader, 'map', sample, '--svg', '-')).out;
  const svg = (await run(reader, 'map', sample, '--reads', perfstat, '--svg', '-')).out;
  expect(svg).toContain('read by ROOT 136 kB');
  expect(svg.match(/<g /g)).toHaveLength(1 + (plain.match(/<g /g)?.length ?? 0));
  const other = await run(reader, 'map', `${fixtureFolder}/leaves.root`, '--reads', perfstat);
  expect(other.err).toMatch(/^note: \d+ reads lie behind the end of this file; they are of .*sample\.root$/m);
  expect((await run(reader, 'map', sample, '--reads', sample)).status).toBe(1);
});
