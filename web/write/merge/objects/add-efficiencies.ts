import { type Members, numberOf, objectOf, unaddable } from '../../../bins/object-values';
import { IS_AVERAGE } from '../../../bins/stored-histogram';
import { addHistogram } from './add-histograms';

/**
 * Adds a TEfficiency as its Merge() does: the histograms of those that passed and of all, and the weights, of which the
 * inverse values add. Statistic options and priors are those of the first; `summed` says that it is a sum already. Throws UNSUPPORTED, and leaves the first as it
 * was, when the histograms cannot be added.
 */
export function addEfficiency(into: Members, other: Members, summed: boolean): void {
  const parts = ['fTotalHistogram', 'fPassedHistogram'].map((member) => {
    for (const one of [into, other]) {
      if (!one[member]) throw unaddable('One of its histograms is missing.');
      const histogram = objectOf(one, member);
      histogram.fBits = numberOf(histogram, 'fBits') & ~IS_AVERAGE;
    }
    // The second may fail when the first has been added.
    const sum = structuredClone(objectOf(into, member));
    addHistogram(sum, objectOf(other, member), summed);
    return [member, sum] as const;
  });
  for (const [member, sum] of parts) into[member] = sum;
  const [a, b] = [numberOf(into, 'fWeight'), numberOf(other, 'fWeight')];
  into.fWeight = (a * b) / (a + b);
}
