import type { GatheredState, Sample } from '../../../../api/selector';
import type { ExactSums } from '../../../../core/sums/exact-sums';
import { scaleOf } from '../../../../measure/sample-scale';
import type { OptionalCounts } from '../branches';
import { addState, scaledState } from '../gathered';
import { kindOf } from '../kinds/kinds';

export interface SampleSum {
  /** See ProcessResult. */
  optional?: OptionalCounts | undefined;
  entries: number;
  passed: number;
  /** The sum of the weights of all entries, whether they passed or not. */
  weights: ExactSums;
  state: GatheredState;
}

/** A sample with its results multiplied by its scale. */
export interface ScaledSample {
  sample: Sample;
  entries: number;
  passed: number;
  sumOfWeights: number;
  /** Cross section times luminosity, divided by the sum of weights; 1 for data. */
  scale: number;
  state: GatheredState;
}

/** Returns a copy of a state, which adding may change. */
export function scaledCopy(state: GatheredState): GatheredState {
  return scaledState(state, 1);
}

/** Returns the samples that have entries, scaled to a luminosity. Throws ARGUMENT if a scale is not known. */
export function scaledSamples(
  samples: readonly Sample[],
  sums: ReadonlyMap<string, SampleSum>,
  luminosity: number | undefined,
): ScaledSample[] {
  return samples.flatMap((sample): ScaledSample[] => {
    const sum = sums.get(sample.name);
    if (!sum) return [];
    const { entries, passed, weights } = sum;
    const { sumOfWeights, scale } = scaleOf(sample, weights, luminosity);
    return [{ sample, entries, passed, sumOfWeights, scale, state: scaledState(sum.state, scale) }];
  });
}

/**
 * Returns the sum of the samples that have a cross section, with the rows of all samples; or the sum of all samples if none has a
 * cross section.
 */
export function stackedState(samples: readonly ScaledSample[]): GatheredState {
  const simulated = samples.filter(({ sample }) => sample.crossSection !== undefined);
  const scaled = simulated.length > 0 ? simulated : samples;
  // Adding changes the sum, so that it begins with a copy.
  const all = scaledState(scaled[0]?.state ?? {}, 1);
  for (const { state } of scaled.slice(1)) addState(all, state, undefined);
  // Rows are not scaled, and those of data are added to the others.
  for (const { state } of samples.filter((one) => !scaled.includes(one)))
    for (const [name, one] of Object.entries(state)) {
      const sum = all[name];
      if (sum && kindOf(one).isRows) kindOf(one).add(sum, one);
    }
  return all;
}
