import { expect, test } from 'vitest';
import { checksum } from '../../web/cache/checksum';

const text = (value: string) => new TextEncoder().encode(value);

// Published vectors of XXH32.
test.each([
  ['', 0, 0x02cc5d05],
  ['a', 0, 0x550d7456],
  ['abc', 0, 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0, 0xe2293b2f],
])('%j has its published sum', (value, seed, expected) => {
  expect(checksum(text(value), seed)).toBe(expected);
});

/** By the xxHash library (xxhash of Python, xxh32). */
test.each([
  [1, 0, 0xcf65b03e],
  [2, 0, 0x3464c383],
  [2, 2654435761, 0xe6abd0c9],
  [3, 0, 0x96b095c1],
  [4, 0, 0x2a08f7d7],
  [4, 2654435761, 0x559750f4],
  [5, 0, 0x8869bfaa],
  [7, 0, 0x35e9242a],
  [8, 0, 0x4581d3c9],
  [8, 2654435761, 0xd5a18e3f],
  [15, 0, 0xaca17a36],
  [16, 0, 0xd3a1c3c4],
  [16, 2654435761, 0x8a730b2f],
  [17, 0, 0x75eea481],
  [20, 0, 0x8c923f06],
  [20, 2654435761, 0x0206cf37],
  [31, 0, 0xd354ae8d],
  [32, 0, 0x112ca73f],
  [32, 2654435761, 0x4e3ab657],
  [33, 0, 0x98708fbe],
  [63, 0, 0xd1da29ba],
  [1000, 0, 0xef31fc4c],
  [1000, 2654435761, 0x231b1464],
  [4096, 0, 0x3a1e581d],
  [4096, 2654435761, 0x419ae4fe],
  [4112, 0, 0x23c7059e],
  [4112, 2654435761, 0x388790a8],
  [5003, 0, 0x66ca51e5],
  [20000, 0, 0x8b29a949],
  [20000, 2654435761, 0x4a5df53c],
])('%d bytes with the seed %d have the sum of the xxHash library', (length, seed, expected) => {
  expect(
    checksum(
      Uint8Array.from({ length }, (_, i) => (i * 37) >> 2),
      seed,
    ),
  ).toBe(expected);
});

test('the sum is that of the bytes, wherever they lie', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, i) => (i * 37) >> 2);
  const larger = new Uint8Array(1010);
  larger.set(bytes, 7);
  expect(checksum(larger.subarray(7, 1007))).toBe(checksum(bytes));
});

test('each flipped bit is seen', () => {
  const bytes = Uint8Array.from({ length: 61 }, (_, i) => i * 5);
  const sums = new Set([checksum(bytes)]);
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const damaged = bytes.slice();
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    sums.add(checksum(damaged));
  }
  expect(sums.size).toBe(bytes.length * 8 + 1);
});
