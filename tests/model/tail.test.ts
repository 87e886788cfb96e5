import { expect, test } from 'vitest';
import { tailOf } from '../../web/model/tail';

const end = 5_000_000_000;
const nearEnd = {
  seekKeys: end - 9000,
  nbytesKeys: 2000,
  seekInfo: end - 7000,
  nbytesInfo: 6900,
  nbytesFree: 100,
  end,
};
const BEFORE = 256 * 1024;

test('keys and streamer infos at the end are read with the record before them', () => {
  const offset = end - 9000 - BEFORE;
  expect(tailOf(nearEnd)).toEqual([{ offset, length: end - offset }]);
});

test('what lies in free space far from the end is read alone', () => {
  const offset = end - 9000 - BEFORE;
  expect(tailOf({ ...nearEnd, seekInfo: 300 })).toEqual([
    { offset: 300, length: 6900 },
    { offset, length: end - offset },
  ]);
  expect(tailOf({ ...nearEnd, seekInfo: 300, seekKeys: 9000 })).toEqual([
    { offset: 9000, length: 2000 },
    { offset: 300, length: 6900 },
  ]);
});

test('long lists of keys are no gap', () => {
  const header = { ...nearEnd, seekKeys: end - 50_000_000, nbytesKeys: 49_990_000 };
  const offset = header.seekKeys - BEFORE;
  expect(tailOf(header)).toEqual([{ offset, length: end - offset }]);
});

test('what a damaged header says is not read, nor what lies after the end', () => {
  expect(tailOf({ ...nearEnd, seekInfo: 300, nbytesInfo: -5 })).toHaveLength(1);
  expect(tailOf({ ...nearEnd, seekInfo: end + 1, seekKeys: 0 })).toEqual([]);
  expect(tailOf({ ...nearEnd, end: 20_000, seekKeys: 10_000, seekInfo: 12_000 })).toEqual([
    { offset: 0, length: 20_000 },
  ]);
});
