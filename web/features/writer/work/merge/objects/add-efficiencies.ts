import { type Members, numberOf, objectOf, unaddable } from '../../../../../bins/object-values';
import { IS_AVERAGE } from '../../../../../bins/stored-histogram';
import { addHistogram } from './add-histograms';

/**
 * Adds a TEfficiency as its Merge() does: the histograms of passed and of all events, and the weights, whose inverse
 * values are added. Statistic options and priors are those of the first. `summed`: the first is already a sum. Throws
 * UNSUPPORTED, and does not change the first, if the histograms cannot be added.
 */
export function addEfficiency(into: Members, other: Members, summed: boolean): void {
  const parts = ['fTotalHistogram', 'fPassedHistogram'].map((member) => {
    for (const one of [into, other]) {
      if (!one[member]) throw unaddable('One of its histograms is missing.');
      const histogram = objectOf(one, member);
      histogram.fBits = numberOf(histogram, 'fBits') & ~IS_AVERAGE;
    }
    // Adding the second may fail after the first was added.
    const sum = structuredClone(objectOf(into, member));
    addHistogram(sum, objectOf(other, member), summed);
    return [member, sum] as const;
  });
  for (const [member, sum] of parts) into[member] = sum;
  const [a, b] = [numberOf(into, 'fWeight'), numberOf(other, 'fWeight')];
  into.fWeight = (a * b) / (a + b);
}
