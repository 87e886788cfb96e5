import type { ProfileErrors } from '../../../api/api';
import { argumentError } from '../../../base/errors';
import { edgeOf } from '../../../bins/bin-axes';
import type { Given } from './given';
import { added, divided, multiplied, perWidth, raised, scaled } from './ops/arithmetic';
import { efficiency, INTERVALS, type IntervalName, intervalNames } from './ops/efficiency';
import type { Held } from './ops/held';
import { factorTo, integral, recounted, statistics } from './ops/numbers';
import { gated, inRange, means, profiled, projection } from './ops/project';
import { rebinned, rebinnedTo } from './ops/rebin';
import { cumulative, smoothed } from './ops/shapes';
import { background } from './ops/snip';
import type { Value } from './steps';

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  /**
   * "numbers" takes all numbers that follow, "list" one in square brackets, "axes" letters, "ranges" ranges as 1:3,
   * "flag" its name or another of its words.
   */
  kind: 'number' | 'numbers' | 'list' | 'axes' | 'ranges' | 'word' | 'flag' | 'histogram' | 'text';
  about: string;
  /** For a word its choices, for a flag other names of it. In small letters. */
  words?: readonly string[];
}

/** An operation: what it takes, and what it does. Language, help, page and programs are made from the table of these. */
export interface Operation {
  about: string;
  /** Names of its operands. */
  operands: readonly string[];
  parameters: readonly Parameter[];
  /** Arguments of an example, after the operands. */
  example: string;
  run(operands: readonly Value[], given: Given): Value;
}

const RANGES: Parameter = {
  name: 'ranges',
  kind: 'ranges',
  about: 'A:B of values, for each axis in order; x=2:5 (y, z) counts bins',
};
const AXES: Parameter = { name: 'axes', kind: 'axes', about: 'x, y or z' };

const result = (held: Held): Value => ({ kind: 'histogram', held });

/** Returns an operand that has to be a histogram. */
function histogramOf(value: Value | undefined, doing: string): Held {
  if (value?.kind === 'histogram') return value.held;
  const found =
    value?.kind === 'number' ? 'a number' : value?.kind === 'efficiency' ? 'an efficiency' : 'statistics';
  throw argumentError(`${doing} takes a histogram here, and this is ${found}.`);
}

type Unary = (held: Held, given: Given) => Value;
const of =
  (name: string, run: Unary): Operation['run'] =>
  ([first], given) =>
    run(histogramOf(first, name), given);

/** An operation of two histograms, of which one may be a number. */
function both(
  name: string,
  whole: (a: Held, b: Held, given: Given) => Held,
  one: {
    right?(a: Held, b: number): Held;
    left?(a: number, b: Held): Held;
    numbers(a: number, b: number): number;
  },
): Operation['run'] {
  return ([a, b], given) => {
    if (a?.kind === 'number' && b?.kind === 'number')
      return { kind: 'number', value: one.numbers(a.value, b.value), error: Number.NaN };
    if (b?.kind === 'number' && one.right) return result(one.right(histogramOf(a, name), b.value));
    if (a?.kind === 'number' && one.left) return result(one.left(a.value, histogramOf(b, name)));
    return result(whole(histogramOf(a, name), histogramOf(b, name), given));
  };
}

const noInverse = (): never => {
  throw argumentError(
    'A number is not divided by a histogram.',
    'Divide two histograms, or multiply by a number.',
  );
};
const byZero = (b: number): number => {
  if (b !== 0) return b;
  throw argumentError('A histogram is not divided by the number 0.');
};

export const OPERATIONS = {
  add: {
    about: 'the sum, bin by bin (TH1::Add); a number is added to each bin',
    operands: ['a', 'b'],
    parameters: [],
    example: '',
    run: both('add', (a, b) => added(a, b), {
      right: raised,
      left: (a, b) => raised(b, a),
      numbers: (a, b) => a + b,
    }),
  },
  subtract: {
    about: 'the difference, bin by bin (TH1::Add with -1)',
    operands: ['a', 'b'],
    parameters: [],
    example: '',
    run: both('subtract', (a, b) => added(a, b, -1), {
      right: (a, b) => raised(a, -b),
      left: (a, b) => raised(scaled(b, -1), a),
      numbers: (a, b) => a - b,
    }),
  },
  multiply: {
    about: 'the product, bin by bin (TH1::Multiply)',
    operands: ['a', 'b'],
    parameters: [],
    example: '',
    run: both('multiply', (a, b) => multiplied(a, b), {
      right: scaled,
      left: (a, b) => scaled(b, a),
      numbers: (a, b) => a * b,
    }),
  },
  divide: {
    about:
      'the ratio, bin by bin (TH1::Divide); a bin in which b is 0 becomes 0. "B" has the errors of a part of b',
    operands: ['a', 'b'],
    parameters: [{ name: 'binomial', kind: 'flag', about: 'binomial errors', words: ['b'] }],
    example: '"B"',
    run: both('divide', (a, b, given) => divided(a, b, given.flag('binomial')), {
      right: (a, b) => scaled(a, 1 / byZero(b)),
      left: noInverse,
      numbers: (a, b) => a / byZero(b),
    }),
  },
  scale: {
    about: 'times a number, to an area, to a luminosity, or to the area of another histogram (TH1::Scale)',
    operands: ['h'],
    parameters: [
      { name: 'factor', kind: 'number', about: 'the number' },
      { name: 'area', kind: 'number', about: 'the integral afterwards, over the ranges if there are any' },
      {
        name: 'to',
        kind: 'histogram',
        about: 'has the integral afterwards, over the ranges if there are any',
      },
      { name: 'lumi', kind: 'number', about: 'luminosity, with xsec and events: times lumi * xsec / events' },
      { name: 'xsec', kind: 'number', about: 'cross section' },
      { name: 'events', kind: 'number', about: 'number of simulated events, or the sum of their weights' },
      { name: 'width', kind: 'flag', about: 'divides by the width of each bin', words: [] },
      RANGES,
    ],
    example: 'area=1',
    run: of('scale', (h, given) => {
      const factor = scaleOf(h, given);
      const times = factor === undefined ? h : scaled(h, factor);
      if (factor === undefined && !given.flag('width'))
        throw argumentError('scale needs a number, area=, to=, lumi= with xsec= and events=, or width.');
      return result(given.flag('width') ? perWidth(times) : times);
    }),
  },
  rebin: {
    about:
      'groups of bins joined, a number for each axis; or [edges], which are edges of the bins (TH1::Rebin)',
    operands: ['h'],
    parameters: [
      { name: 'groups', kind: 'numbers', about: 'bins to join, for each axis' },
      { name: 'edges', kind: 'list', about: '[a, b, …] new edges of one axis' },
    ],
    example: '2',
    run: of('rebin', (h, given) => {
      const [edges, groups] = [given.numbers('edges'), given.numbers('groups')];
      if ((edges === undefined) === (groups === undefined))
        throw argumentError(
          'rebin takes the number of bins to join, or [edges].',
          'Write rebin(h, 2), or rebin(h, [0, 1, 5]).',
        );
      return result(edges ? rebinnedTo(h, edges) : rebinned(h, groups ?? []));
    }),
  },
  cumulative: {
    about: 'sums of all bins up to each one; "backward" from each one on (TH1::GetCumulative)',
    operands: ['h'],
    parameters: [{ name: 'backward', kind: 'flag', about: 'from the last bin', words: ['reverse'] }],
    example: '',
    run: of('cumulative', (h, given) => result(cumulative(h, !given.flag('backward')))),
  },
  project: {
    about:
      'the projection to one or two axes, within ranges of the others (TH2::ProjectionX, TH3::Project3D)',
    operands: ['h'],
    parameters: [AXES, RANGES],
    example: 'x, y=2:5',
    run: of('project', (h, given) => {
      const axes = given.axes(h);
      return result(projection(h, axes, given.ranges(h, axes)));
    }),
  },
  gate: {
    about:
      'the projection of a map within a gate of values on the other axis, minus a gate of background beside it',
    operands: ['h'],
    parameters: [
      AXES,
      { ...RANGES, about: 'A:B the gate, then that of the background, scaled to the width of the gate' },
    ],
    example: 'x, 2:5',
    run: of('gate', (h, given) => {
      const [axis = 0, ...more] = given.axes(h);
      const [gate, beside, ...others] = given.unnamed();
      if (gate === undefined || more.length > 0 || others.length > 0)
        throw argumentError(
          'gate takes an axis, a gate, and that of the background.',
          'Write gate(h, x, 1170:1176, 1180:1190).',
        );
      return result(gated(h, axis, gate, beside));
    }),
  },
  profile: {
    about: 'means of the other axis in bins of x or y (TH2::ProfileX); "s", "i" and "g" are other errors',
    operands: ['h'],
    parameters: [
      AXES,
      RANGES,
      { name: 'errors', kind: 'word', about: 'kind of the errors', words: ['s', 'i', 'g'] },
    ],
    example: 'x',
    run: of('profile', (h, given) => {
      const [axis = 0] = given.axes(h);
      return result(
        profiled(h, axis, given.ranges(h, [axis]), (given.word('errors') ?? '') as ProfileErrors),
      );
    }),
  },
  means: {
    about: 'the means of a profile with their errors, as a histogram (TProfile::ProjectionX)',
    operands: ['h'],
    parameters: [],
    example: '',
    run: of('means', (h) => result(means(h))),
  },
  smooth: {
    about: 'smoothed by 353QH, 1 time or N times; "shown" only where a range is set (TH1::Smooth)',
    operands: ['h'],
    parameters: [
      { name: 'times', kind: 'number', about: 'how often' },
      { name: 'shown', kind: 'flag', about: 'only bins of the range', words: ['r'] },
    ],
    example: '',
    run: of('smooth', (h, given) => result(smoothed(h, given.number('times') ?? 1, given.flag('shown')))),
  },
  snip: {
    about: 'the background below peaks, by clipping with windows of up to N bins (TSpectrum::Background)',
    operands: ['h'],
    parameters: [
      { name: 'iterations', kind: 'number', about: 'half-width of the widest window; default 20' },
      { name: 'order', kind: 'number', about: 'order of the filter, 2 to 8; default 2' },
      {
        name: 'smoothing',
        kind: 'number',
        about: 'bins of the window of smoothing, 3 to 15; 0 is none; default 3',
      },
      { name: 'increasing', kind: 'flag', about: 'the window grows', words: [] },
      { name: 'compton', kind: 'flag', about: 'with Compton edges', words: [] },
    ],
    example: '20',
    run: of('snip', (h, given) =>
      result(
        background(h, {
          iterations: given.number('iterations') ?? 20,
          order: given.number('order') ?? 2,
          smoothing: given.number('smoothing') ?? 3,
          increasing: given.flag('increasing'),
          compton: given.flag('compton'),
        }),
      ),
    ),
  },
  range: {
    about: 'the same with a range on its axes, over which statistics are computed (TAxis::SetRangeUser)',
    operands: ['h'],
    parameters: [RANGES],
    example: '1:5',
    run: of('range', (h, given) => result(inRange(h, given.ranges(h)))),
  },
  recount: {
    about: 'the same with the statistics of its bins (TH1::ResetStats)',
    operands: ['h'],
    parameters: [],
    example: '',
    run: of('recount', (h) => result(recounted(h))),
  },
  integral: {
    about: 'the sum of the contents and its error; "width" times the width of bins (TH1::IntegralAndError)',
    operands: ['h'],
    parameters: [RANGES, { name: 'width', kind: 'flag', about: 'times the width of bins', words: [] }],
    example: '1:5',
    run: of('integral', (h, given) => ({
      kind: 'number',
      ...integral(h, given.ranges(h), given.flag('width')),
    })),
  },
  stats: {
    about: 'entries, integral, means and standard deviations with errors (TH1::GetMean, GetStdDev)',
    operands: ['h'],
    parameters: [RANGES],
    example: '1:5',
    run: of('stats', (h, given) => {
      const ranges = given.ranges(h);
      const held = ranges.size > 0 ? inRange(h, ranges) : h;
      const titles = held.axes.map(({ title }, i) => title || ('xyz'[i] ?? ''));
      const axes = held.profile ? [...titles, held.valueTitle || 'values'] : titles;
      return { kind: 'statistics', name: held.name, axes, statistics: statistics(held) };
    }),
  },
  efficiency: {
    about: `what passed over all with intervals, as TEfficiency: ${intervalNames.map((name) => `"${name}" ${INTERVALS[name].about}`).join(', ')}`,
    operands: ['passed', 'total'],
    parameters: [
      { name: 'interval', kind: 'word', about: 'the kind of interval; default cp', words: intervalNames },
      { name: 'level', kind: 'number', about: 'probability of the interval; default 0.6827' },
    ],
    example: '"cp"',
    run: ([passed, total], given) => {
      const [some, all] = [histogramOf(passed, 'efficiency'), histogramOf(total, 'efficiency')];
      const interval = (given.word('interval') ?? 'cp') as IntervalName;
      const level = given.number('level');
      return {
        kind: 'efficiency',
        name: some.name,
        object: efficiency(some, all, { interval, ...(level !== undefined && { level }) }),
      };
    },
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;
export const operationNames = Object.keys(OPERATIONS) as OperationName[];

export function operationOf(name: string): Operation | undefined {
  return Object.hasOwn(OPERATIONS, name) ? OPERATIONS[name as OperationName] : undefined;
}

function scaleOf(h: Held, given: Given): number | undefined {
  const ways = ['factor', 'area', 'to', 'lumi'].filter((name) => given.has(name));
  if (ways.length > 1) throw argumentError(`scale takes ${ways[0]} or ${ways[1]}, not both.`);
  const [area, lumi] = [given.number('area'), given.number('lumi')];
  const ranges = given.ranges(h);
  if (area !== undefined) return factorTo(h, area, ranges);
  const to = given.histogram('to');
  if (to !== undefined) return factorTo(h, integral(to, given.ranges(to)).value, ranges);
  if (ranges.size > 0) throw argumentError('A range of scale goes with area= or to=.');
  if (lumi === undefined) return given.number('factor');
  const [xsec, events] = [given.number('xsec'), given.number('events')];
  if (xsec === undefined || !events)
    throw argumentError(
      'lumi= goes with xsec= and events=.',
      'Write scale(h, lumi=59.8, xsec=6077, events=1e6).',
    );
  return (lumi * xsec) / events;
}

/** Returns the edges of an axis, for the fields of a page. */
export function endsOf({ axes }: Held, index: number): [low: number, high: number] {
  const axis = axes[index];
  return axis ? [edgeOf(axis, 0), edgeOf(axis, axis.bins)] : [0, 1];
}
