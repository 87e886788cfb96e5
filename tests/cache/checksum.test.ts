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
