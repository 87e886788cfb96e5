import { expect, test } from 'vitest';
import type { Members } from '../../../web/bins/object-values';
import { storedAxis } from '../../../web/bins/stored-axes';
import { addHistogram } from '../../../web/features/writer/work/merge/objects/add-histograms';
import { joinLabels } from '../../../web/features/writer/work/merge/objects/axes';

/** An axis whose bins have names, as in a file: the number of the bin is the unique id of its name. */
function axis(bins: number, names: readonly [string, number][]): Members {
  const arr = names.map(([fString, fUniqueID]) => ({
    ...{ _typename: 'TObjString', fUniqueID, fBits: 0, fString },
  }));
  return {
    ...{ _typename: 'TAxis', fNbins: bins, fXmin: 0, fXmax: bins },
    fLabels: { _typename: 'THashList', arr },
  };
}

const named = (count: number, prefix: string): [string, number][] =>
  Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i + 1]);

test.each([0, -1, Number.NaN])('an axis of names with %d bins is refused', (bins) => {
  expect(() => joinLabels(axis(bins, []), axis(1, [['a', 1]]))).toThrow('no bins');
});

test('a name of a bin that no axis can have is refused', () => {
  expect(() => joinLabels(axis(1, [['a', 0xffffffff]]), axis(1, [['b', 1]]))).toThrow('more than');
});

test('200,000 names are joined: new ones come after the known ones', () => {
  const { bins, ofOther } = joinLabels(
    axis(200_000, named(200_000, 'a')),
    axis(200_000, named(200_000, 'b')),
  );
  expect(bins).toBe(400_000);
  expect([...ofOther.slice(0, 3), ...ofOther.slice(-2)]).toEqual([0, 200_001, 200_002, 400_000, 400_001]);
});

test('a histogram without bins is not added', () => {
  const flat = (bins: number): Members => ({
    ...{ _typename: 'TH1D', fBits: 0, fEntries: 4, fTsumw: 4, fXaxis: { ...axis(bins, []), fLabels: null } },
    fArray: new Float64Array(bins + 2).fill(1),
  });
  expect(() => addHistogram(flat(0), flat(4))).toThrow('no bins');
  expect(() => addHistogram(flat(4), flat(0))).toThrow('no bins');
});

test('the bins that are shown end with the axis', () => {
  const shown = (fFirst: number) =>
    storedAxis({ ...axis(4, []), fBits: 1 << 11, fFirst, fLast: 0x7fffffff } as never)?.shown;
  expect(shown(0)).toEqual([0, 5]);
  expect(shown(-7)).toBeUndefined();
});
