import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { evenSample, evenSampleSize } from '../../../web/base/even-sample';
import type { CodecTrial } from '../../../web/features/whatif/work/codec-trial';
import { run as runOn } from '../../cli/support';
import { fixtureFolder } from '../../engine/fixtures';
import { withReader } from '../../engine-reader';

const reader = withReader();
const folder = mkdtempSync(join(tmpdir(), 'codecs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => runOn(reader, ...args);
const sample = join(import.meta.dirname, '../../../public/sample.root');

async function trialOf(...args: string[]): Promise<CodecTrial> {
  const { status, out, err } = await run('whatif', ...args, '--json');
  expect([status, err]).toEqual([0, '']);
  return JSON.parse(out);
}

describe('what a trial of all baskets promises is what heal writes', () => {
  // Small files are tried as a whole.
  test.each(['zlib:1', 'zlib:9', 'zstd:5', 'lz4:4', 'lzma:5', 'none'])('%s', async (codec) => {
    const out = join(folder, `${codec.replace(':', '')}.root`);
    const healed = await run('heal', sample, out, '--codec', codec);
    expect(healed.status).toBe(0);
    const { storedBytes } = JSON.parse((await run('layout', out, 'Events', '--json')).out);
    const { codecs, tried, baskets } = await trialOf(sample, 'Events', '--codec', codec);
    expect(tried).toBe(baskets);
    const [only] = codecs;
    expect(Math.abs((only?.bytes ?? 0) - storedBytes)).toBeLessThan(0.001 * storedBytes);
    expect(only?.compressMs).toBeGreaterThan(0);
    expect(only?.decompressMs).toBeGreaterThan(0);
  });
});

test('baskets of some branches, in the order of the codecs', async () => {
  const all = await trialOf(sample, 'Events', '--codec', 'zlib:1,lz4:4');
  const some = await trialOf(sample, 'Events', '--codec', 'zlib:1,lz4:4', '--branches', 'Muon_*');
  expect(some.codecs.map(({ codec }) => codec)).toEqual(['zlib 1', 'lz4 4']);
  expect(some.baskets).toBeLessThan(all.baskets);
  expect(some.storedBytes).toBeLessThan(all.storedBytes);
});

test('pages of an RNTuple', async () => {
  const { unit, codecs, storedBytes, totalBytes } = await trialOf(
    join(fixtureFolder, 'ntuple_fields.root'),
    '--codec',
    'none,zstd:5',
  );
  expect(unit).toBe('page');
  const [none, zstd] = codecs;
  // Without compression a page has its own bytes and a checksum.
  expect(none?.bytes).toBeGreaterThanOrEqual(totalBytes);
  expect(zstd?.bytes).toBeLessThan(none?.bytes ?? 0);
  expect(storedBytes).toBeGreaterThan(0);
});

test('errors say what to do', async () => {
  for (const codec of ['gzip:3', 'zstd:99', 'none:1', 'foo'])
    expect(await run('whatif', sample, '--codec', codec)).toMatchObject({
      status: 2,
      err: expect.stringContaining(`--codec takes a codec such as zstd:5, or none, not "${codec}".`),
    });
  const alone = await run('whatif', sample, '--tried', '3');
  expect(alone).toMatchObject({ status: 2, err: expect.stringContaining('--tried goes with --codec.') });
  const plot = await run('whatif', sample, '--codec', 'zstd:5', '--svg', '-');
  expect(plot.err).toContain('There is no plot of codecs.');
  const none = await run('whatif', join(fixtureFolder, 'empty.root'), 't', '--codec', 'zstd:5');
  expect(none).toMatchObject({ status: 1, err: expect.stringContaining('[UNSUPPORTED]') });
});

describe('samples at even distances', () => {
  test('take large items more often, and never empty ones', () => {
    expect(evenSample([1, 1, 1, 1], 4)).toEqual([0, 1, 2, 3]);
    expect(evenSample([0, 6, 0, 2], 4)).toEqual([1, 1, 1, 3]);
    expect(evenSample([], 3)).toEqual([]);
    expect(evenSampleSize([2, 6])).toBe(5);
  });

  test('each place has the chance of its size', () => {
    const sizes = Array.from({ length: 200 }, (_, i) => 1 + (i % 7));
    const total = sizes.reduce((a, b) => a + b, 0);
    const taken = evenSample(sizes, 100);
    expect(taken).toHaveLength(100);
    for (let i = 1; i < taken.length; i++) expect(taken[i]).toBeGreaterThanOrEqual(taken[i - 1] ?? 0);
    expect(
      taken.every((i) => (sizes[i] ?? 0) * 100 <= total || taken.filter((k) => k === i).length >= 1),
    ).toBe(true);
  });
});
