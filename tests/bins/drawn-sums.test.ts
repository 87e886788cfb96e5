// Needs features: writer.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { DrawRequest, Histogram } from '../../web/api/api';
import { histogramOfObject } from '../../web/bins/stored-histogram';
import { memorySink, openRoot, writeRoot } from '../../web/node';
import { run } from '../cli/support';
import { makeEngine } from '../engine/fixtures';
import { drawings } from './recorded';

const path = resolve('tests/fixtures/files/bins/signed.root');
const folder = await mkdtemp(join(tmpdir(), 'xylem-sums-'));
afterAll(() => rm(folder, { recursive: true }));

/** Sums over x*z and y*z of three axes are not counted while filling: those of the centres of bins are written. */
const UNCOUNTED = [9, 10];

function expectSums(found: readonly number[] | undefined, wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  const three = wanted.length === 11;
  for (const [i, sum] of wanted.entries())
    if (!three || !UNCOUNTED.includes(i)) expect(found?.[i], `sum ${i}`).toBeCloseTo(sum, 9);
}

test.each(drawings)('$expr {$cut} $option has the sums of ROOT, drawn and saved', async (one) => {
  const { expr, cut, option, stats } = one;
  await using file = await openRoot(path, { workers: 0 });
  const tree = await file.tree('t');
  const drawn = (await tree.draw(expr, { cut, option })) as Histogram;
  expectSums(drawn.stats, stats);
  const engine = await makeEngine();
  const saved = join(folder, `h${drawings.indexOf(one)}.root`);
  const words = [
    ...(option ? ['--option', option] : []),
    '--force',
    '--root',
    saved,
    '--',
    path,
    't',
    expr,
    cut,
  ];
  const { status, err } = await run(engine, 'draw', ...words.slice(0, words.length - (cut ? 0 : 1)));
  expect(status, err).toBe(0);
  await using copy = await openRoot(saved, { workers: 0 });
  expectSums(histogramOfObject(await copy.object('h')).stats, stats);
  const sink = memorySink();
  await writeRoot(sink, async (into) => into.histogram('h', drawn));
  await using written = await openRoot(sink.bytes(), { workers: 0 });
  expectSums((await written.histogram('h')).stats, stats);
});

test('results that add up without rounding keep the sums', async () => {
  const engine = await makeEngine();
  await using file = await openRoot(path, { workers: 0, reader: engine as never });
  for (const { expr, cut, option, stats } of drawings) {
    const request: DrawRequest = { tree: 't', expr, cut, option, exact: true };
    const drawn = (await engine.draw(file.info.id, request)) as Histogram;
    expectSums(drawn.stats, stats);
  }
});
