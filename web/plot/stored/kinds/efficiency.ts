import type { Histogram, PlainObject, PlainValue } from '../../../api/api';
import { histogramIfAny } from '../../../bins/stored-histogram';
import { drawnAxis } from '../../drawing/drawn-axis';
import { type AnyPlot, type GraphModel, type MapModel, middleOf, statNumber } from '../../model';
import { type FunctionSamples, storedFunctions } from '../functions';
import { label, number, record } from '../members';
import type { PointTable } from '../points';
import {
  betaMode,
  centralInterval,
  frequentist,
  type Interval,
  shortestInterval,
  weightedInterval,
} from './intervals';

/** Bits of TEfficiency in fBits. */
const BAYESIAN = 1 << 14;
const MODE = 1 << 15;
const SHORTEST = 1 << 16;
const OWN_PRIORS = 1 << 17;
const WEIGHTED = 1 << 18;

const STATISTICS = [
  'Clopper-Pearson',
  'Normal approximation',
  'Wilson',
  'Agresti-Coull',
  'Feldman-Cousins',
  "Jeffreys' prior",
  'Uniform prior',
  'Bayesian',
  'Mid-P Lancaster',
];

/** The efficiency of a bin with its interval, as TEfficiency::GetEfficiency and GetEfficiencyErrorLow give them. */
export interface BinEfficiency {
  value: number;
  /** Undefined if the method cannot compute it. */
  interval: Interval | undefined;
}

/** Returns a TEfficiency with one axis as points with errors, with two as a map. */
export function efficiencyModel(
  object: PlainObject,
  samples: FunctionSamples,
  modelOf: (object: PlainObject) => AnyPlot | undefined,
): GraphModel | MapModel | undefined {
  const both = totalAndPassed(object);
  if (both === undefined) return undefined;
  const [total, all, some] = [both[0], both[0].sums, both[1].sums];
  const bins = efficienciesOf(object, both);
  const stats = [
    { label: 'Statistic', value: STATISTICS[number(object.fStatisticOption)] ?? '–' },
    { label: 'Confidence level', value: statNumber(number(object.fConfLevel)) },
    { label: 'Total', value: statNumber(all.reduce((sum, value) => sum + value, 0)) },
    { label: 'Passed', value: statNumber(some.reduce((sum, value) => sum + value, 0)) },
  ];
  const [title = '', xTitle, yTitle] = label(object.fTitle).split(';');
  const shared = { title: title || label(object.fName), stats };
  const [x, y, z] = total.axes.map(drawnAxis);
  if (x === undefined || z !== undefined) return undefined;
  if (y !== undefined) {
    const values = Float64Array.from(bins, ({ value }) => value);
    const cells = { fArray: values, fFunctions: null, fBuffer: new Float64Array() };
    const map = modelOf({ ...(object.fTotalHistogram as PlainObject), ...cells });
    return map?.kind === 'map' ? { ...map, ...shared, zTitle: 'Efficiency' } : undefined;
  }
  // As TEfficiency::CreateGraph does, which leaves out bins without events.
  const shown = Array.from({ length: x.bins }, (_, i) => i).filter((i) => all[i + 1] !== 0);
  const of = (value: (bin: number) => number) => Float64Array.from(shown, value);
  const half = of((i) => ((x.edges[i + 1] ?? 0) - (x.edges[i] ?? 0)) / 2);
  const at = (i: number) => bins[i + 1] ?? { value: Number.NaN, interval: undefined };
  const { curves, functions } = storedFunctions(object.fFunctions, samples);
  return {
    kind: 'graph',
    ...shared,
    xTitle: xTitle ?? x.title,
    yTitle: yTitle ?? total.valueTitle ?? '',
    x: of((i) => middleOf(x.edges, i)),
    y: of((i) => at(i).value),
    errors: {
      left: half,
      right: half,
      down: of((i) => at(i).value - (at(i).interval?.[0] ?? Number.NaN)),
      up: of((i) => (at(i).interval?.[1] ?? Number.NaN) - at(i).value),
    },
    joined: false,
    ...(curves.length > 0 && { curves }),
    ...(functions.length > 0 && { functions }),
    xRange: x.range,
    xTime: x.time,
    xNames: x.labels && { edges: x.edges, labels: x.labels },
  };
}

/** Returns the cells of a TEfficiency with two axes as numbers, x fastest; undefined for others. */
export function efficiencyCells(object: PlainObject, map: AnyPlot): PointTable | undefined {
  const bins = efficienciesOf(object);
  if (map.kind !== 'map' || bins.length === 0) return undefined;
  const { xEdges, yEdges, title } = map;
  const [nx, ny] = [xEdges.length - 1, yEdges.length - 1];
  const of = (value: (x: number, y: number) => number) =>
    Float64Array.from({ length: nx * ny }, (_, cell) => value(cell % nx, Math.floor(cell / nx)));
  const bin = (x: number, y: number) => bins[(y + 1) * (nx + 2) + x + 1];
  const length = (from?: number, to?: number) => (to ?? Number.NaN) - (from ?? Number.NaN);
  const columns = [
    { name: 'x_low', values: of((x) => xEdges[x] ?? Number.NaN) },
    { name: 'x_high', values: of((x) => xEdges[x + 1] ?? Number.NaN) },
    { name: 'y_low', values: of((_, y) => yEdges[y] ?? Number.NaN) },
    { name: 'y_high', values: of((_, y) => yEdges[y + 1] ?? Number.NaN) },
    { name: 'efficiency', values: of((x, y) => bin(x, y)?.value ?? Number.NaN) },
    { name: 'down', values: of((x, y) => length(bin(x, y)?.interval?.[0], bin(x, y)?.value)) },
    { name: 'up', values: of((x, y) => length(bin(x, y)?.value, bin(x, y)?.interval?.[1])) },
  ];
  return { title, columns };
}

/** Returns the histograms of all and of passed events; undefined if they do not fit together. */
function totalAndPassed(object: PlainObject): [total: Histogram, passed: Histogram] | undefined {
  const { fTotalHistogram, fPassedHistogram } = object;
  const [total, passed] = [fTotalHistogram, fPassedHistogram].map((one) =>
    histogramIfAny(record(one) as PlainObject | undefined),
  );
  if (!total || !passed || total.profile || total.sums.length !== passed.sums.length) return undefined;
  return [total, passed];
}

/** Returns the efficiencies of all bins, with under- and overflow; none if the members do not fit together. */
export function efficienciesOf(object: PlainObject, both = totalAndPassed(object)): BinEfficiency[] {
  if (both === undefined) return [];
  const [total, passed] = both;
  const { sums: some } = passed;
  const bits = number(object.fBits);
  const level = number(object.fConfLevel);
  const squares = [total.squares, passed.squares];
  const weighted = (bits & WEIGHTED) !== 0;
  const priors = (bits & OWN_PRIORS) !== 0 ? object.fBeta_bin_params : undefined;
  return Array.from(total.sums, (of, bin) => {
    const own = some[bin] ?? 0;
    const [ofSquared = of, ownSquared = own] = weighted ? squares.map((one) => one[bin] ?? 0) : [];
    if ((bits & BAYESIAN) === 0) {
      const value = of > 0 ? own / of : 0;
      const interval = weighted
        ? weightedInterval({ of, ofSquared, ownSquared }, value, level)
        : of > 0
          ? frequentist(number(object.fStatisticOption), of, own, level)
          : ([0, 1] satisfies Interval);
      return { value, interval };
    }
    // Contents without errors have no interval.
    if (weighted && of !== 0 && !(ofSquared > 0)) return { value: own / of, interval: [own / of, own / of] };
    const [alpha, beta] = priorOf(object, priors, bin);
    const norm = weighted ? (ofSquared > 0 ? of / ofSquared : 0) : 1;
    const [a, b] = [own * norm + alpha, (of - own) * norm + beta];
    const value = (bits & MODE) !== 0 ? betaMode(a, b) : a / (a + b);
    return { value, interval: ((bits & SHORTEST) !== 0 ? shortestInterval : centralInterval)(a, b, level) };
  });
}

function priorOf(object: PlainObject, priors: PlainValue | undefined, bin: number): [number, number] {
  const pair = Array.isArray(priors) ? record(priors[bin]) : undefined;
  if (pair !== undefined) return [number(pair.first), number(pair.second)];
  return [number(object.fBeta_alpha), number(object.fBeta_beta)];
}
