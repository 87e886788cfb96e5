import type { PartialNote } from '../../../api/api';
import { scaleOf } from '../../../measure/sample-scale';
import { clopperPearson, weightedInterval } from '../../../plot/stored/kinds/intervals';
import { type CutflowQuery, type CutflowSum, type Masked, type MaskSum, maskedOf } from './masks';
import { type CutPlot, plotHistogram } from './plots';

/** The confidence level of intervals: TEfficiency's default, one standard deviation. */
export const LEVEL = 0.682689492137;

/** Entries, and the sum of their weights with its error: the square root of the sum of squared weights. */
export interface Count {
  entries: number;
  weight: number;
  error: number;
}

export interface Efficiency {
  value: number;
  low: number;
  high: number;
}

/** A cut, and the entries that are left after it. */
export interface CutStep {
  cut: string;
  /** Passes this cut and all before it. */
  left: Count;
  /** The share of what was left before this cut, and of all. Missing if nothing was left before. */
  ofBefore?: Efficiency | undefined;
  ofAll?: Efficiency | undefined;
  /** Passes this cut, whatever the others say. */
  alone: Count;
  /** Passes all other cuts (N-1), and the share of these entries that this cut removes. */
  others: Count;
  removes?: Efficiency | undefined;
}

export interface SampleFlow {
  /** The name of the sample; undefined if no samples were named. */
  sample?: string | undefined;
  isData?: boolean | undefined;
  all: Count;
  steps: CutStep[];
  /** The number that weights and errors were multiplied by, and the sum of weights that it was computed from. */
  scale: number;
  sumOfWeights?: number | undefined;
}

export interface Cutflow {
  tree: string;
  weight: string;
  cuts: readonly string[];
  luminosity?: number | undefined;
  samples: SampleFlow[];
  /** Entries and weights of all samples that have cross sections, added. */
  total?: { all: Count; left: Count[] } | undefined;
  /** The variable of each cut with all other cuts, if they were asked for. */
  plots?: CutPlot[] | undefined;
  partial?: PartialNote | undefined;
}

/** Sums over combinations of passed cuts. */
interface Total {
  entries: number;
  weight: number;
  square: number;
}

/** Returns the sum over all combinations that pass the cuts of these bits. */
function totalOf({ entries, weights, squares }: Masked, bits: number): Total {
  const total = { entries: 0, weight: 0, square: 0 };
  for (let mask = 0; mask < entries.length; mask++) {
    if ((mask & bits) !== bits) continue;
    total.entries += entries[mask] ?? 0;
    total.weight += weights[mask] ?? 0;
    total.square += squares[mask] ?? 0;
  }
  return total;
}

/**
 * Returns the share of `passed` in `all` with its interval: of Clopper and Pearson for entries, of TEfficiency's normal
 * approximation for weights.
 */
function share(passed: Total, all: Total, isWeighted: boolean): Efficiency | undefined {
  if (!(all.weight > 0)) return undefined;
  const value = passed.weight / all.weight;
  const [low, high] = isWeighted
    ? weightedInterval({ of: all.weight, ofSquared: all.square, ownSquared: passed.square }, value, LEVEL)
    : clopperPearson(all.entries, passed.entries, (1 - LEVEL) / 2);
  return { value, low, high };
}

/** Returns the cutflow of a sample, whose weights are multiplied by `scale`. */
function flowOf(query: CutflowQuery, sum: MaskSum, scale: number): Pick<SampleFlow, 'all' | 'steps'> {
  const { cuts } = query;
  const masked = maskedOf(query, sum);
  const isWeighted = sum.weighted !== undefined;
  const count = ({ entries, weight, square }: Total): Count => ({
    entries,
    weight: scale * weight,
    error: Math.abs(scale) * Math.sqrt(square),
  });
  const every = 2 ** cuts.length - 1;
  const all = totalOf(masked, 0);
  const end = totalOf(masked, every);
  let before = all;
  const steps = cuts.map((cut, i): CutStep => {
    const left = totalOf(masked, 2 ** (i + 1) - 1);
    const others = totalOf(masked, every & ~(1 << i));
    const kept = share(end, others, isWeighted);
    const step: CutStep = {
      cut,
      left: count(left),
      ofBefore: share(left, before, isWeighted),
      ofAll: share(left, all, isWeighted),
      alone: count(totalOf(masked, 1 << i)),
      others: count(others),
      removes: kept && { value: 1 - kept.value, low: 1 - kept.high, high: 1 - kept.low },
    };
    before = left;
    return step;
  });
  return { all: count(all), steps };
}

/** Returns the cutflow of sums. Throws ARGUMENT if samples cannot be scaled. */
export function cutflowOf(
  query: CutflowQuery,
  sum: CutflowSum,
  {
    tree,
    luminosity,
    partial,
  }: { tree: string; luminosity?: number | undefined; partial?: PartialNote | undefined },
): Cutflow {
  const { cuts, weight, samples } = query;
  const shared = { tree, weight, cuts, luminosity, partial };
  if (samples === undefined) {
    const own = sum.get('');
    const flows = own ? [{ ...flowOf(query, own, 1), scale: 1 }] : [];
    return { ...shared, samples: flows, plots: plotsOfFlows(query, sum, flows) };
  }
  const flows = samples.flatMap((sample): SampleFlow[] => {
    const own = sum.get(sample.name);
    if (!own) return [];
    const scaled = scaleOf(sample, own.scaledBy, luminosity);
    const isData = sample.crossSection === undefined;
    return [{ sample: sample.name, isData, ...flowOf(query, own, scaled.scale), ...scaled }];
  });
  const simulated = flows.filter(({ isData }) => isData === false);
  const both = { ...shared, samples: flows, plots: plotsOfFlows(query, sum, flows) };
  if (simulated.length < 2) return both;
  return {
    ...both,
    total: {
      all: added(simulated.map(({ all }) => all)),
      left: cuts.map((_, i) => added(simulated.flatMap(({ steps }) => steps[i]?.left ?? []))),
    },
  };
}

/** Returns the plots that a query asks for, with the scales of its samples. */
function plotsOfFlows(
  { cuts, plots }: CutflowQuery,
  sum: CutflowSum,
  flows: readonly SampleFlow[],
): CutPlot[] | undefined {
  return (
    plots &&
    cuts.map((cut, i): CutPlot => {
      const at = plots.asked.findIndex((one) => one.cut === i);
      const asked = plots.asked[at];
      if (asked === undefined) return { cut, why: plots.whys.get(i), layers: [] };
      const layers = flows.flatMap(({ sample, isData, scale }) => {
        const own = sum.get(sample ?? '')?.plots?.[at];
        return own ? [{ sample, isData, histogram: plotHistogram(asked, own, scale) }] : [];
      });
      return { cut, expr: asked.expr, edges: asked.edges, layers };
    })
  );
}

/** Returns the sum of counts of different samples; their errors are independent. */
const added = (counts: readonly Count[]): Count => ({
  entries: counts.reduce((sum, { entries }) => sum + entries, 0),
  weight: counts.reduce((sum, { weight }) => sum + weight, 0),
  error: Math.hypot(...counts.map(({ error }) => error)),
});
