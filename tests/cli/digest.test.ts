import { expect, test } from 'vitest';
import { tableCrc32 } from '../../web/base/crc32';
import { crc32 } from '../../web/cli/crc32';
import { DigestBuilder } from '../../web/cli/digest';
import type { Column } from '../../web/core/columns';

// Checksums here were computed with numpy and zlib.

const long = Uint8Array.from({ length: 5 * 256 + 3 }, (_, i) => (i < 1280 ? i : 120 + i - 1280));

test.each([
  ['the one in use', crc32],
  ['by tables', tableCrc32],
])('crc32, %s', (_, crc) => {
  expect(crc(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(crc(new Uint8Array())).toBe(0);
  expect(crc(new Uint8Array(), 0xcbf43926)).toBe(0xcbf43926);
  expect(crc(long)).toBe(0xb449d98d);
  for (const cut of [1, 2, 3, 4, 5, 1279])
    expect(crc(long.subarray(cut), crc(long.subarray(0, cut)))).toBe(0xb449d98d);
});

const jagged: Column = {
  kind: 'list',
  length: 3,
  offsets: Int32Array.of(0, 2, 2, 3),
  child: { kind: 'primitive', length: 3, dtype: 'f32', data: Float32Array.of(1, 2, 3.5) },
};

test('a jagged branch: contents and offsets', () => {
  const builder = new DigestBuilder();
  builder.add(jagged);
  expect(builder.finish()).toEqual({ dtype: '<f4', count: 3, crc32: '278ab213', offsets_crc32: 'c91ebb22' });
});

test('the digest is the same in whatever ranges the entries come', () => {
  const data = Float32Array.of(1, 2, 3.5);
  const part = (from: number, offsets: number[]): Column => ({
    kind: 'list',
    length: offsets.length - 1,
    offsets: Int32Array.from(offsets),
    child: { kind: 'primitive', length: 3, dtype: 'f32', data: data.subarray(from) },
  });
  const builder = new DigestBuilder();
  builder.add(part(0, [0, 2]));
  builder.add(part(2, [0]));
  builder.add(part(2, [0, 0, 1]));
  expect(builder.finish()).toEqual({ dtype: '<f4', count: 3, crc32: '278ab213', offsets_crc32: 'c91ebb22' });
});

test('fixed arrays count all their numbers and have no offsets', () => {
  const data = BigInt64Array.from({ length: 12 }, (_, i) => BigInt(i - 3));
  const flat: Column = { kind: 'primitive', length: 12, dtype: 'i64', data };
  const builder = new DigestBuilder();
  builder.add({
    kind: 'fixed',
    length: 2,
    size: 2,
    child: { kind: 'fixed', length: 4, size: 3, child: flat },
  });
  expect(builder.finish()).toEqual({ dtype: '<i8', count: 12, crc32: '2da4aaef', offsets_crc32: null });
});

test('bools are one byte each', () => {
  const builder = new DigestBuilder();
  builder.add({ kind: 'primitive', length: 4, dtype: 'bool', data: Uint8Array.of(1, 0, 1, 1) });
  expect(builder.finish()).toMatchObject({ dtype: '|b1', crc32: 'f7e4b9ae' });
});

test('strings have no digest', () => {
  const builder = new DigestBuilder();
  expect(() => builder.add({ kind: 'list', length: 0, offsets: Int32Array.of(0), child: jagged })).toThrow(
    'flat or singly jagged',
  );
});
