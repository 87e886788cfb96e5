import type { PlainObject } from '../../../../api/api';
import { unsupported } from '../../../../base/data-errors';
import { argumentError } from '../../../../base/errors';
import { rootMembers } from '../../../../bins/to-root';
import { checkSameBins, type Held, histogramOfHeld, statsOf } from './held';

/** Kinds of intervals: TEfficiency::EStatOption, and the parameters of the prior of those of Bayes. */
export const INTERVALS = {
  cp: { option: 0, about: 'Clopper-Pearson' },
  normal: { option: 1, about: 'normal approximation' },
  wilson: { option: 2, about: 'Wilson' },
  ac: { option: 3, about: 'Agresti-Coull' },
  fc: { option: 4, about: 'Feldman-Cousins' },
  midp: { option: 8, about: 'mid-P Lancaster' },
  jeffreys: { option: 5, prior: 0.5, about: "Jeffreys' prior" },
  uniform: { option: 6, prior: 1, about: 'uniform prior' },
} as const satisfies Record<string, { option: number; prior?: number; about: string }>;

export type IntervalName = keyof typeof INTERVALS;
export const intervalNames = Object.keys(INTERVALS) as IntervalName[];

/** The level of one standard deviation, which TEfficiency takes. */
export const ONE_SIGMA = 0.682689492137;

/** Bits of TEfficiency in fBits. */
const BAYESIAN = 1 << 14;
const WEIGHTED = 1 << 18;

/**
 * Returns the efficiency of each bin as a TEfficiency, as ROOT's constructor makes it: with weights, the interval is always
 * the normal approximation. Throws ARGUMENT for different bins and for a bin with more events than all, UNSUPPORTED for
 * profiles and three axes.
 */
export function efficiency(
  passed: Held,
  total: Held,
  { interval = 'cp', level = ONE_SIGMA }: { interval?: IntervalName; level?: number } = {},
): PlainObject {
  for (const { profile, name } of [passed, total])
    if (profile) throw unsupported(`"${name}" is a profile, which counts nothing that could pass.`);
  checkSameBins('compared as an efficiency', passed, total);
  if (passed.axes.length > 2) throw unsupported('Efficiencies have one or two axes here.');
  if (!(level > 0 && level < 1))
    throw argumentError(`The level of an interval is between 0 and 1, not ${level}.`);
  const bin = passed.sums.findIndex((own, i) => !(own <= (total.sums[i] ?? 0)) || own < 0);
  const weighted = isWeighted(passed) || isWeighted(total);
  if (bin >= 0 && !weighted)
    throw argumentError(
      `"${passed.name}" has ${passed.sums[bin]} in a bin in which "${total.name}" has ${total.sums[bin]}: that is no part.`,
      'Give what passed first, then all. divide(a, b) makes any ratio.',
    );
  const { option, prior } = { prior: undefined, ...INTERVALS[interval] };
  const members = (held: Held) => rootMembers(histogramOfHeld(held)) as PlainObject;
  return {
    _typename: 'TEfficiency',
    fName: `${passed.name}_${total.name}`,
    fTitle: `${passed.title || passed.name} / ${total.title || total.name}`,
    fBits: (prior === undefined ? 0 : BAYESIAN) | (weighted ? WEIGHTED : 0),
    fPassedHistogram: members(passed),
    fTotalHistogram: members(total),
    fBeta_alpha: prior ?? 1,
    fBeta_beta: prior ?? 1,
    fBeta_bin_params: [],
    fConfLevel: level,
    fStatisticOption: option,
    fWeight: 1,
    fFunctions: null,
  };
}

/** Whether ROOT takes a histogram as one with weights (TEfficiency::CheckWeights). */
function isWeighted(held: Held): boolean {
  if (!held.weighted) return false;
  const [weight = 0, weight2 = 0] = statsOf(held);
  return Math.abs(weight - weight2) > 1e-5;
}
