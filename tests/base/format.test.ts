import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../web/base/format';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.00 kB'],
  [1_234_567, '1.23 MB'],
  [999_999, '1.00 MB'],
  [34_000_000_000, '34.0 GB'],
])('%d bytes', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

test.each([
  [0, '0'],
  [1234, '1,234'],
  [10n ** 9n, '1,000,000,000'],
])('%d things', (count, text) => expect(formatCount(count)).toBe(text));

test.each([
  [12, '12 ms'],
  [999.7, '1.00 s'],
  [1240, '1.24 s'],
  [59_990, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [7_199_000, '119 min 59 s'],
  [182_550_000, '50 h 42 min'],
])('%d ms', (ms, text) => expect(formatDuration(ms)).toBe(text));

test.each([
  [0, '0'],
  [91.18761, '91.1876'],
  [-0.5, '-0.5'],
  [1e-7, '1e-7'],
  [1.5e10, '1.5e10'],
  [999_999.7, '1000000'],
  [Number.NaN, 'NaN'],
])('%d as a number', (value, text) => expect(formatNumber(value)).toBe(text));
