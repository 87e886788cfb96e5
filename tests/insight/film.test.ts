import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TreeLayout } from '../../web/api/api';
import type { FileMap } from '../../web/insight/map/map';
import { readMap } from '../../web/insight/map/read-map';
import { readTrace } from '../../web/insight/reads/formats/formats';
import { perfReport, placed } from '../../web/insight/reads/place';
import { coverAt, readCover } from '../../web/insight/reads/read-cover';
import type { PerfRead, PerfReport } from '../../web/insight/reads/reading';
import type { ReadOrigin } from '../../web/io/trace';
import { readsFilm } from '../../web/plot/film/film';
import { filmHtml } from '../../web/plot/film/film-html';
import type { EngineReader } from '../../web/write/api';
import { run as runOn } from '../cli/support';
import { openReader } from '../engine-reader';

const sample = join(import.meta.dirname, '../../public/sample.root');
const fixtures = join(import.meta.dirname, '../fixtures/reads');
const folder = mkdtempSync(join(tmpdir(), 'xylem-film-'));

let reader: EngineReader;
let layout: TreeLayout;
let map: FileMap;
beforeAll(async () => {
  reader = await openReader({ workers: 0 });
  const { id } = await reader.open({ kind: 'path', path: sample });
  layout = await reader.layout(id, 'Events');
  ({ map } = await readMap(reader, id));
});
afterAll(() => {
  reader.terminate();
  rmSync(folder, { recursive: true });
});

/** A reading of the sample with these reads alone. */
function reportOf(reads: readonly Partial<PerfRead>[]): PerfReport {
  const usual = { entry: -1, offset: 0, length: 10, origin: 'network' as const, purpose: '', branches: [] };
  const times = { queued: 0, started: 0, answered: 0, done: 0 };
  return {
    ...perfReport('sample.root', layout, []),
    reads: reads.map((read) => ({ ...usual, ...times, ...read })),
  };
}

test('played to its end, a film has painted what the map shows of the same reads', () => {
  const origins: ReadOrigin[] = ['network', 'disk', 'memory', 'store', 'decode'];
  const range = fc.record({ offset: fc.nat(60), length: fc.nat(30) });
  const read = fc.record({
    ...{ offset: fc.nat(60), length: fc.integer({ min: 1, max: 30 }), origin: fc.constantFrom(...origins) },
    ...{ queued: fc.nat(50), done: fc.integer({ min: 50, max: 99 }) },
    failed: fc.option(fc.constant('NETWORK'), { nil: undefined, freq: 8 }),
    ranges: fc.option(fc.array(range, { minLength: 1, maxLength: 3 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(read, { maxLength: 12 }), (reads) => {
      const { reads: played } = readsFilm(reportOf(reads), map);
      const painted = new Map<number, string>();
      for (const { pieces } of [...played].sort((a, b) => a.to - b.to))
        for (const [offset, length, kind] of pieces)
          for (let byte = offset; byte < offset + length; byte++)
            if (kind !== 'hidden') painted.set(byte, kind);
      const cover = readCover(reads, map.size);
      for (let byte = 0; byte < 100; byte++) expect(painted.get(byte) ?? 'none').toBe(coverAt(cover, byte));
    }),
  );
});

test('long pauses are short in a film, and the order and overlaps of reads stay', () => {
  const film = readsFilm(
    reportOf([
      { queued: 0, started: 0.1, answered: 0.5, done: 1 },
      { queued: 0.5, started: 0.5, answered: 0.6, done: 2 },
      { queued: 62, started: 62, answered: 62.5, done: 64 },
    ]),
    map,
  );
  // Something was read for 4 s: a pause takes 0.2 s of the 60 s.
  expect(film.reads.map(({ from, to }) => [from, to])).toEqual([
    [0, 1],
    [0.5, 2],
    [expect.closeTo(2.2), expect.closeTo(4.2)],
  ]);
  expect(film.reads[2]?.answered).toBeCloseTo(2.7);
  expect(film.end).toBeCloseTo(4.2);
  expect(film.notes).toEqual(['Pauses of 59.8 s between reads are left out.']);
});

test('reads without times are played one after another', () => {
  const film = readsFilm(reportOf([{ offset: 5 }, { offset: 90 }]), map);
  expect(film).toMatchObject({
    unit: 'reads',
    end: 2,
    reads: [
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ],
  });
  expect(film.notes).toEqual(['The trace has no times: reads are played one after another.']);
});

test('the map of a film has every cell once, in both themes', () => {
  const film = readsFilm(reportOf([]), map);
  for (const { cells } of [film.light, film.dark])
    expect(cells.reduce((sum, [, count]) => sum + count, 0)).toBe(film.map.rows * film.map.cells);
});

test('a film of ROOT under strace has its reads in their order, in a page that names cannot leave', async () => {
  const [reading] = readTrace('root.strace', readFileSync(join(fixtures, 'root.strace')));
  if (reading === undefined) throw new Error('no reading');
  const film = readsFilm(placed(reading, layout), map);
  expect(film.reads.map(({ pieces: [first] }) => first?.[0])).toEqual([
    0, 148841, 142779, 136427, 15666, 40815,
  ]);
  const name = '</script><script>alert(1)</script><img src=x onerror=alert(2)> \u2028 \u202e';
  const hostile = placed(
    {
      ...reading,
      by: name,
      file: name,
      reads: reading.reads.map((read) => ({ ...read, purpose: name, branches: [name], entry: 0 })),
    },
    layout,
  );
  const html = filmHtml(readsFilm(hostile, map));
  expect(html.match(/<\/?script/g)).toHaveLength(4);
  expect(html).not.toMatch(/<img|\u2028|\u202e/);
});

test('xylem perf TRACE --file FILE --html OUT, and of reads of its own', async () => {
  const out = join(folder, 'film.html');
  const trace = join(fixtures, 'root.strace');
  const told = await runOn(reader, 'perf', trace, '--file', sample, '--html', out);
  expect(told.status).toBe(0);
  const [, data = ''] = /id="film">(.*)<\/script>/.exec(readFileSync(out, 'utf8')) ?? [];
  expect(JSON.parse(data)).toMatchObject({ size: map.size, reads: { length: 6 } });
  await runOn(reader, 'perf', sample, 'Events', '--branches', 'Muon_pt', '--html', out);
  expect(readFileSync(out, 'utf8')).toContain('Events in sample.root, read by xylem');
  const beside = join(folder, 'beside.html');
  const both = await runOn(reader, 'perf', trace, '--file', sample, '--json', '--html', beside);
  expect(JSON.parse(both.out)).toHaveLength(1);
  expect(readFileSync(beside, 'utf8')).toContain('id="film"');
  const twice = await runOn(reader, 'perf', trace, '--file', sample, '--flame', '-', '--svg', '-');
  expect(twice.err).toContain('Only one thing can be written to stdout.');
  const saved = join(folder, 'saved.json');
  writeFileSync(saved, JSON.stringify(reportOf([{}])));
  const refused = await runOn(reader, 'perf', saved, '--html', out);
  expect(refused.status).toBe(2);
  expect(refused.err).toContain('--html needs the file that was read: --file FILE.');
});
