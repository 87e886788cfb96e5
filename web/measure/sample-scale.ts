import type { CallOptions, DrawRequest, RulesOfRoot } from '../api/api';
import type { Sample } from '../api/selector';
import { argumentError, XylemError } from '../base/errors';
import { addTerm, type ExactSums, emptySums, roundedSum, termsOf } from '../core/sums/exact-sums';
import { type OpenInput, refuseUnreadable } from './partial-kind';

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

/**
 * Returns the number that results of a sample are multiplied by: cross section times luminosity, divided by the sum of
 * weights; 1 for data. Throws ARGUMENT if it is not known.
 */
export function scaleOf(
  sample: Sample,
  weights: ExactSums,
  luminosity: number | undefined,
): { sumOfWeights: number; scale: number } {
  const { name, crossSection } = sample;
  const sumOfWeights = typeof sample.sumOfWeights === 'number' ? sample.sumOfWeights : roundedSum(weights, 0);
  if (crossSection === undefined) return { sumOfWeights, scale: 1 };
  if (luminosity === undefined) throw noLuminosity();
  const scale = (crossSection * luminosity) / sumOfWeights;
  if (Number.isFinite(scale)) return { sumOfWeights, scale };
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
