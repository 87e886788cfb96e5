import type { CallOptions, DrawRequest, RulesOfRoot } from '../../../../api/api';
import type { GatheredState, Sample } from '../../../../api/selector';
import { argumentError, XylemError } from '../../../../base/errors';
import { addTerm, type ExactSums, emptySums, roundedSum, termsOf } from '../../../../core/sums/exact-sums';
import { type OpenInput, refuseUnreadable } from '../../../../measure/partial-kind';
import { addState, scaledState } from '../gathered';
import { kindOf } from '../kinds/kinds';

export interface SampleSum {
  entries: number;
  passed: number;
  /** The sum of the weights of all entries, whether they passed or not. */
  weights: ExactSums;
  state: GatheredState;
}

/** Returns the sum of weights that an input adds to its sample. */
export async function weightsOf(
  { weight, sumOfWeights }: Sample,
  { entries, rootVersion }: { entries: number; rootVersion: RulesOfRoot },
  { reader, info, tree, entries: range }: OpenInput,
  options: CallOptions,
): Promise<ExactSums> {
  const sums = emptySums(1);
  const isElsewhere = typeof sumOfWeights === 'object';
  const cut = isElsewhere ? sumOfWeights.expr : weight;
  if (typeof sumOfWeights === 'number') return sums;
  if (cut === undefined) {
    addTerm(sums, 0, entries);
    return sums;
  }
  // A bin that has all entries, with their weights.
  const request: DrawRequest = {
    ...{ tree: isElsewhere ? sumOfWeights.tree : tree, entries: isElsewhere ? undefined : range },
    ...{ expr: '0', cut, rootVersion, axes: [{ bins: 1, range: [-1, 1] }], exact: true },
  };
  const result = await reader.draw(info.id, request, options);
  if (result.kind !== 'histogram' || !result.exact)
    throw new XylemError({ code: 'INTERNAL', message: 'No exact sums.' });
  refuseUnreadable(result.partial);
  for (const term of termsOf(result.exact, 1)) addTerm(sums, 0, term);
  return sums;
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
    const sumOfWeights =
      typeof sample.sumOfWeights === 'number' ? sample.sumOfWeights : roundedSum(weights, 0);
    const scale = scaleOf(sample, sumOfWeights, luminosity);
    return [{ sample, entries, passed, sumOfWeights, scale, state: scaledState(sum.state, scale) }];
  });
}

function scaleOf(
  { name, crossSection }: Sample,
  sumOfWeights: number,
  luminosity: number | undefined,
): number {
  if (crossSection === undefined) return 1;
  if (luminosity === undefined) throw noLuminosity();
  const scale = (crossSection * luminosity) / sumOfWeights;
  if (Number.isFinite(scale)) return scale;
  throw argumentError(
    `The sample "${name}" cannot be scaled: its sum of weights is ${sumOfWeights}.`,
    'Give it entries, or "sumOfWeights".',
  );
}

export function noLuminosity(): XylemError {
  return argumentError(
    'Samples with cross sections need a luminosity.',
    'Add --lumi, in programs luminosity: in 1/pb where cross sections are in pb. Or write --partial, which "combine --lumi" scales later.',
  );
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
