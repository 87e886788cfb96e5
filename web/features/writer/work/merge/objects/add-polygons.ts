import { arrayOf, type Members, numberOf, objectOf, unaddable } from '../../../../../bins/object-values';
import type { PrimitiveArray } from '../../../../../core/dtypes';

/** Sums of a TH2Poly over the filled values, and the additional ones of a TProfile2Poly. */
const SUMS = ['fTsumw', 'fTsumw2', 'fTsumwx', 'fTsumwx2', 'fTsumwy', 'fTsumwy2', 'fTsumwxy'];
const AVERAGED = ['fTsumwz', 'fTsumwz2'];
/** Members of a TH2PolyBin for its position. */
const PLACE = ['fXmin', 'fXmax', 'fYmin', 'fYmax'];

export function polygonClass(className: string): boolean {
  return className === 'TH2Poly' || className === 'TProfile2Poly';
}

/**
 * Adds a TH2Poly or TProfile2Poly as their Merge() does. Throws UNSUPPORTED, and does not change the first, if
 * polygons differ (ROOT compares only their number).
 */
export function addPolygons(into: Members, other: Members): void {
  const [own, more] = [binsOf(into), binsOf(other)];
  if (own.length !== more.length)
    throw unaddable(`It has ${more.length} bins, and the first one ${own.length}.`);
  for (const [i, bin] of own.entries()) checkPlace(bin, more[i] as Members, i + 1);
  if (numberOf(other, 'fNormFactor') !== 0) throw unaddable('It has a norm factor.');
  if (into._typename === 'TProfile2Poly') addProfiles(into, other);
  else addContents(into, other);
  for (const name of into._typename === 'TProfile2Poly' ? [...SUMS, ...AVERAGED] : SUMS)
    if (into[name] !== undefined) into[name] = numberOf(into, name) + numberOf(other, name);
  into.fEntries = numberOf(into, 'fEntries') + numberOf(other, 'fEntries');
}

function binsOf(histogram: Members): Members[] {
  if (!histogram.fBins) return [];
  const bins = objectOf(histogram, 'fBins').arr;
  if (!Array.isArray(bins)) throw unaddable('Its bins are not a list.');
  return bins as Members[];
}

function checkPlace(bin: Members, other: Members, number: number): void {
  const points = (one: Members) => {
    const { fPoly } = one;
    const { fX, fY } = (fPoly ?? {}) as Members;
    return JSON.stringify([
      Array.from((fX as Float64Array | undefined) ?? []),
      Array.from((fY as Float64Array | undefined) ?? []),
    ]);
  };
  const same = PLACE.every((name) => numberOf(bin, name) === numberOf(other, name));
  if (!same || points(bin) !== points(other)) throw unaddable(`Its bin ${number} is another polygon.`);
}

function addContents(into: Members, other: Members): void {
  const [own, more] = [binsOf(into), binsOf(other)];
  const overflow = arrayOf(into, 'fOverflow');
  const outside = arrayOf(other, 'fOverflow');
  const contents = (bins: readonly Members[], out: PrimitiveArray) => [
    ...Array.from(out as ArrayLike<number | bigint>, Number),
    ...bins.map((bin) => numberOf(bin, 'fContent')),
  ];
  const [a, b] = [contents(own, overflow), contents(more, outside)];
  const [x, y] = [arrayOf(into, 'fSumw2'), arrayOf(other, 'fSumw2')];
  for (const { length } of [x, y])
    if (length !== 0 && length !== a.length)
      throw unaddable(`fSumw2 has ${length} values for ${a.length} bins.`);
  if (a.length !== b.length) throw unaddable('It has other bins outside of its polygons.');
  if (x.length + y.length > 0) {
    const square = (squares: ArrayLike<number | bigint>, of: readonly number[], i: number) =>
      squares.length > 0 ? Number(squares[i] ?? 0) : Math.abs(of[i] ?? 0);
    into.fSumw2 = Float64Array.from(a, (_, i) => square(x, a, i) + square(y, b, i));
  }
  into.fOverflow = Float64Array.from({ length: overflow.length }, (_, i) => (a[i] ?? 0) + (b[i] ?? 0));
  for (const [i, bin] of own.entries()) {
    const at = overflow.length + i;
    bin.fContent = (a[at] ?? 0) + (b[at] ?? 0);
    bin.fChanged = true;
  }
}

/** Sums of a TProfile2PolyBin. Its other members are computed from them. */
const BIN_SUMS = ['fSumw', 'fSumvw', 'fSumw2', 'fSumwv2'];

function addProfiles(into: Members, other: Members): void {
  const outside = (histogram: Members) =>
    Array.isArray(histogram.fOverflowBins) ? (histogram.fOverflowBins as Members[]) : [];
  const all = [...outside(into), ...binsOf(into)];
  const more = [...outside(other), ...binsOf(other)];
  if (all.length !== more.length) throw unaddable('It has other bins outside of its polygons.');
  for (const [i, bin] of all.entries()) {
    for (const name of BIN_SUMS) bin[name] = numberOf(bin, name) + numberOf(more[i] as Members, name);
    const weight = numberOf(bin, 'fSumw');
    if (weight !== 0) {
      const average = numberOf(bin, 'fSumvw') / weight;
      bin.fAverage = average;
      bin.fError = Math.sqrt(numberOf(bin, 'fSumwv2') / weight - average * average);
    }
    bin.fContent = numberOf(bin, 'fAverage');
    bin.fChanged = true;
  }
}
