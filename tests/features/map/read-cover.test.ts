import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMap } from '../../../web/features/map/work/read-map';
import type { ReadOrigin } from '../../../web/io/trace';
import { storedReading } from '../../../web/reads/perfstats';
import { type CoverRead, coverAt, coverKinds, readCover } from '../../../web/reads/read-cover';
import { bufferSpec, makeEngine } from '../../engine/fixtures';

const saved = join(import.meta.dirname, '../../fixtures/reads/perfstat.root');
const sample = join(import.meta.dirname, '../../../public/sample.root');

const origins: ReadOrigin[] = ['network', 'disk', 'memory', 'store', 'decode'];

test('each byte of a file is what its reads made of it', () => {
  const range = fc.record({ offset: fc.nat(60), length: fc.nat(30) });
  const read = fc.record({
    ...{ offset: fc.nat(60), length: fc.nat(30), origin: fc.constantFrom(...origins) },
    ranges: fc.option(fc.array(range, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    failed: fc.option(fc.constant('NETWORK'), { nil: undefined, freq: 8 }),
  });
  fc.assert(
    fc.property(fc.array(read, { maxLength: 12 }), fc.integer({ min: 1, max: 80 }), (reads, size) => {
      const cover = readCover(reads, size);
      expect(cover.start[0]).toBe(0);
      expect(cover.start[cover.kind.length]).toBe(size);
      const sums: Record<string, number> = {};
      for (let byte = 0; byte < size; byte++) {
        const expected = kindOf(reads, byte);
        expect(coverAt(cover, byte)).toBe(expected);
        sums[expected] = (sums[expected] ?? 0) + 1;
      }
      for (const kind of coverKinds) expect(cover.bytes[kind]).toBe(sums[kind] ?? 0);
      for (let i = 1; i < cover.kind.length; i++) expect(cover.kind[i]).not.toBe(cover.kind[i - 1]);
    }),
  );
});

function kindOf(reads: readonly CoverRead[], byte: number): string {
  const of = (...names: ReadOrigin[]) =>
    reads
      .filter(({ origin, failed }) => failed === undefined && names.includes(origin))
      .flatMap(({ offset, length, ranges }) => ranges ?? [{ offset, length }])
      .filter(({ offset, length }) => offset <= byte && byte < offset + length).length;
  const source = of('network', 'disk');
  if (source > 1) return 'again';
  if (source === 1) return 'read';
  return of('store') > 0 ? 'store' : of('memory') > 0 ? 'memory' : 'none';
}

test('what ROOT read of a file without a cache are its baskets, each once', async () => {
  const reader = await makeEngine();
  const root = await reader.open(bufferSpec('perfstat.root', readFileSync(saved)));
  const report = await storedReading(reader, root.id);
  const { id } = await reader.open(bufferSpec('sample.root', readFileSync(sample)));
  expect(await storedReading(reader, id)).toBeUndefined();
  const { map } = await readMap(reader, id);
  const cover = readCover(report?.reads ?? [], map.size);
  expect(cover).toMatchObject({ reads: 55, total: 136_187, beyond: 0 });
  expect(cover.bytes).toMatchObject({ read: 136_187, again: 0 });
  for (let i = 0; i < map.count; i++) {
    expect(coverAt(cover, map.start[i] ?? 0)).toBe((map.branch[i] ?? -1) >= 0 ? 'read' : 'none');
  }
});

test('reads after the end of a file belong to another one', () => {
  const cover = readCover(
    [
      { offset: 10, length: 20, origin: 'disk' },
      { offset: 100, length: 20, origin: 'disk' },
    ],
    50,
  );
  expect(cover).toMatchObject({ beyond: 1, reads: 2, total: 20 });
});
