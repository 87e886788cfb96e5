import { expect, test } from 'vitest';
import { findKey } from '../../web/model/keys';

const keys = [
  { path: 'a', cycle: 1 },
  { path: 'a', cycle: 3 },
  { path: 'a', cycle: 2 },
  { path: 'a;2', cycle: 1 },
  { path: 'a;2', cycle: 4 },
  { path: 'b;7', cycle: 1 },
  { path: 'dir', cycle: 1 },
  { path: 'dir/x', cycle: 1 },
  { path: 'dir/x', cycle: 2 },
  { path: 'dir/p;q', cycle: 1 },
];

test.each([
  ['a', 'a', 3],
  ['a;1', 'a', 1],
  ['a;2', 'a', 2],
  ['a;2;1', 'a;2', 1],
  ['a;2;4', 'a;2', 4],
  ['b;7', 'b;7', 1],
  ['b;7;1', 'b;7', 1],
  ['dir', 'dir', 1],
  ['/dir/', 'dir', 1],
  ['/dir/x/', 'dir/x', 2],
  ['//dir/x;1', 'dir/x', 1],
  ['dir/x;1', 'dir/x', 1],
  ['dir/p;q', 'dir/p;q', 1],
  ['dir/p;q;1', 'dir/p;q', 1],
])('%s is the key %s of cycle %i', (wanted, path, cycle) => {
  expect(findKey(keys, wanted)).toEqual({ path, cycle });
});

test.each(['', '/', 'x', 'a;4', 'a;', 'b', 'dir/x;3', 'dir/p', 'dir//x'])('"%s" is not a key', (wanted) => {
  expect(findKey(keys, wanted)).toBeUndefined();
});

test('"path;cycle" finds the key that it was made from', () => {
  for (const key of keys) expect(findKey(keys, `${key.path};${key.cycle}`)).toBe(key);
});
