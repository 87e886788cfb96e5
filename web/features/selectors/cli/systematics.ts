import type { BandErrors } from '../../../plot/layers/stack-band';
import { isOf, kindOf } from '../work/kinds/kinds';
import type { ScaledSample } from '../work/partial/samples';
import { NOMINAL } from '../work/vary';
import { isHistogram } from './cell-rows';

/**
 * Returns the systematic errors of the sum of samples, from the variations of a histogram of one axis: in each bin the shifts that
 * the variations make, added in squares. NAMEUp and NAMEDown are one source, of which the larger shift in each direction counts; a variation without
 * the other one counts in both directions. Undefined if nothing is varied. The states have variations within their results.
 */
export function systematicsOf(name: string, samples: readonly Summand[]): BandErrors | undefined {
  const nominal = sumOf(name, samples, NOMINAL);
  const named = variationsOf(name, samples);
  if (named.size === 0 || !nominal) return undefined;
  const sources = new Map<string, Float64Array[]>();
  for (const [source, variations] of named)
    for (const variation of variations) {
      const sum = sumOf(name, samples, variation);
      if (!sum) return undefined;
      const shift = sum.map((value, i) => value - (nominal[i] ?? 0));
      sources.set(source, [...(sources.get(source) ?? []), shift]);
    }
  const square = (of: (shifts: number[]) => number): Float64Array =>
    nominal.map((_, bin) => {
      const all = [...sources.values()].map((shifts) => of(shifts.map((one) => one[bin] ?? 0)));
      return Math.sqrt(all.reduce((sum, one) => sum + one * one, 0));
    });
  const single = (shifts: number[]): number[] => (shifts.length === 1 ? shifts.map(Math.abs) : shifts);
  return {
    up: square((shifts) => Math.max(0, ...single(shifts))),
    down: square((shifts) =>
      Math.max(0, ...(shifts.length === 1 ? single(shifts) : shifts.map((one) => -one))),
    ),
  };
}

/** Results that are added: of a sample, or all. */
export type Summand = Pick<ScaledSample, 'state' | 'entries'>;

/** Returns the variations of a result by their sources: "jes" has jesUp and jesDown. */
export function variationsOf(name: string, samples: readonly Summand[]): Map<string, string[]> {
  const sources = new Map<string, Set<string>>();
  for (const { state } of samples) {
    const one = state[name];
    for (const variation of isOf('varied', one) ? one.of.keys() : []) {
      if (variation === NOMINAL) continue;
      const source = variation.replace(/(Up|Down)$/, '');
      sources.set(source, (sources.get(source) ?? new Set()).add(variation));
    }
  }
  const order = (one: string): string => one.replace(/Up$/, '');
  return new Map(
    [...sources].map(([source, all]) => [source, [...all].sort((a, b) => (order(a) < order(b) ? -1 : 1))]),
  );
}

/** The contents of the bins of the sum; of a sample that is not varied those of the nominal. Undefined for other results. */
export function sumOf(
  name: string,
  samples: readonly Summand[],
  variation: string,
): Float64Array | undefined {
  let sum: Float64Array | undefined;
  for (const { state, entries } of samples) {
    const whole = state[name];
    const one = isOf('varied', whole) ? (whole.of.get(variation) ?? whole.of.get(NOMINAL)) : whole;
    const value = one && kindOf(one).value(one, name, entries);
    if (!isHistogram(value) || value.profile || value.axes.length !== 1) return undefined;
    const contents = value.sums.slice(1, -1);
    sum = sum?.map((all, i) => all + (contents[i] ?? 0)) ?? contents;
  }
  return sum;
}
