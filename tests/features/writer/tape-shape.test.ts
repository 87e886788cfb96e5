import { expect, test } from 'vitest';
import { readExactTape } from '../../../web/core/tape';
import { writeTape } from '../../../web/core/tape-writer';
import { TapeShape } from '../../../web/features/writer/work/encode/tape-shape';

const branch = { _typename: 'TBranch', fName: 'x', fBasketSeek: Int32Array.of(1, 2, 3), fEntries: 7n };
const leaf = { _typename: 'TLeafF', fName: 'x', fMaximum: 4 };
const tree = {
  _typename: 'TTree',
  fEntries: 5n,
  fTitle: 'ä title',
  fBranches: [branch, null],
  leaf,
  same: leaf,
};
const shape = new TapeShape(writeTape(tree).slice(), new Set(['fBasketSeek', 'fEntries']));
const fits = (other: Parameters<typeof writeTape>[0]) => shape.fits(writeTape(other));

test('a tape fits if nothing but numbers of the free members differs', () => {
  expect(readExactTape(writeTape(tree))).toEqual(tree);
  expect(fits(tree)).toBe(true);
  expect(fits({ ...tree, fEntries: 9n })).toBe(true);
  expect(fits({ ...tree, fBranches: [{ ...branch, fBasketSeek: Int32Array.of(9, 8, 7) }, null] })).toBe(true);
});

test('a tape does not fit if a text, a length, a type, another number or a reference differs', () => {
  expect(fits({ ...tree, fTitle: 'a title' })).toBe(false);
  expect(fits({ ...tree, fTitle: 'ö title' })).toBe(false);
  expect(fits({ ...tree, fEntries: 5 })).toBe(false);
  expect(fits({ ...tree, fBranches: [branch] })).toBe(false);
  expect(fits({ ...tree, fBranches: [{ ...branch, fBasketSeek: Int32Array.of(1, 2) }, null] })).toBe(false);
  expect(fits({ ...tree, leaf: { ...leaf, fMaximum: 5 } })).toBe(false);
  expect(fits({ ...tree, same: { ...leaf } })).toBe(false);
});
