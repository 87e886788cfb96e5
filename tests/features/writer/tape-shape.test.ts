import { expect, test } from 'vitest';
import { readExactTape } from '../../../web/core/tape';
import { writeTape } from '../../../web/core/tape-writer';
import { freeNumber, TapeShape } from '../../../web/features/writer/work/encode/tape-shape';

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

test('free numbers are found in other tapes, with the way to the objects that have them', () => {
  const found = shape.objects.map(({ path, members }) => [path.join(' '), [...members.keys()]]);
  expect(found).toEqual([
    ['', ['fEntries']],
    ['fBranches 0', ['fBasketSeek', 'fEntries']],
  ]);
  const other = writeTape({ ...tree, fBranches: [{ ...branch, fBasketSeek: Int32Array.of(9, 8, 7) }, null] });
  const view = new DataView(other.buffer, other.byteOffset, other.byteLength);
  const seek = shape.objects[1]?.members.get('fBasketSeek');
  if (!seek) throw new Error('There is no fBasketSeek.');
  expect([0, 1, 2].map((i) => freeNumber(view, seek, i))).toEqual([9, 8, 7]);
});

test('members of a single class may be free', () => {
  const text = { _typename: 'TLeafC', fLen: 5 };
  const number = { _typename: 'TLeafF', fLen: 5 };
  const lengths = new TapeShape(
    writeTape({ _typename: 'TTree', text, number }).slice(),
    new Set(['TLeafC.fLen']),
  );
  const like = (a: number, b: number) =>
    lengths.fits(
      writeTape({ _typename: 'TTree', text: { ...text, fLen: a }, number: { ...number, fLen: b } }),
    );
  expect([like(7, 5), like(5, 7)]).toEqual([true, false]);
});
