import type { AxisRequest, AxisRule, DrawnTogether } from '../api/api';
import { argumentError } from '../base/errors';
import { checkOptions, type Rules, shown } from '../base/options';
import { ANY } from '../base/shape';
import { automaticLimits, doubled, extended } from '../bins/auto-axis';
import { tightAxis } from '../bins/tight-axis';
import type { Axis } from '../core/fill';
import type { Summary } from '../core/sums/summary';
import type { DrawSpec, WrittenAxis } from '../query/compile/draw-spec';

/** Default number of bins by the number of axes, as in ROOT. */
const DEFAULT_BINS = [100, 100, 40, 20];
/** TH2 and TH3 double their axes when their buffer holds this many fills. */
const BUFFER = 1000;

/** Maximum number of bins of one axis. */
const MAX_BINS = 1_000_000;

/** Members of an axis in a request. `check` examines their values. */
const AXIS: Rules<AxisRequest> = { bins: ANY, range: ANY, rule: ANY };

/** Facts about the values that pass. Lists have one item for each coordinate, x first. */
export interface FoundRanges {
  fills: number;
  whole: readonly Summary[];
  /** The first values, from which ROOT computes the range. */
  first: readonly Pick<Summary, 'min' | 'max' | 'values'>[];
  /** The values after the first ones that are below or above all earlier values, in their order. */
  later: readonly (readonly number[])[];
  /** Whether all values of a coordinate are whole numbers by their types. */
  integer: readonly boolean[];
}

/** One axis as the request describes it. Missing members are computed from the values. */
export interface AxisWish extends WrittenAxis {
  rule: AxisRule;
}

/**
 * Returns the requested axes, x first. As in TTree::Draw, the ranges after ">>" apply to all axes or to
 * none, while each range in the request applies to its own axis. Throws ARGUMENT for an impossible axis.
 */
export function wishedAxes(spec: DrawSpec, request: DrawnTogether, binned: number): AxisWish[] {
  const list = askedAxes(request);
  const written = Array.from({ length: binned }, (_, i) => spec.axes[i] ?? {});
  const whole = written.every(({ range }) => range);
  return written.map(({ bins, range }, i) => {
    const asked = list[i];
    const wish = {
      bins: bins ?? asked?.bins,
      range: (whole ? range : undefined) ?? asked?.range,
      rule: asked?.rule ?? 'root',
    };
    check(wish);
    return wish;
  });
}

/** Returns the axes of a request, given as `axes` or as `bins` and `range`. */
function askedAxes({ axes, bins, range }: DrawnTogether): readonly AxisRequest[] {
  if (axes === undefined) return [{ bins, range }];
  if (!Array.isArray(axes))
    throw argumentError('The axes are not a list.', 'Give [{ bins, range, rule }, …], x first.');
  for (const axis of axes) checkOptions('An axis', axis, AXIS);
  if (bins === undefined && range === undefined) return axes;
  throw argumentError('An axis is given twice.', 'Give bins and range of x, or a list of axes.');
}

function check({ bins, range, rule }: AxisWish): void {
  if (bins !== undefined && !(Number.isInteger(bins) && bins >= 1 && bins <= MAX_BINS)) {
    throw argumentError(`${bins} bins cannot be drawn.`, `Give a whole number from 1 to ${MAX_BINS}.`);
  }
  if (range !== undefined && !(Array.isArray(range) && range.length === 2 && range.every(Number.isFinite)))
    throw argumentError(`The range ${shown(range)} does not have two numbers.`, 'Give [LOW, HIGH].');
  if (range && !(range[0] < range[1]))
    throw argumentError(`The range ${range.join(':')} is empty.`, 'Give two numbers, the lower one first.');
  if (rule !== 'root' && rule !== 'tight') {
    throw argumentError(`There is no rule "${rule}" for axes.`, 'Take "root" or "tight".');
  }
}

/**
 * Returns the axes if the range of each of them is given; undefined if some have to be computed from the
 * values.
 */
export function givenAxes(wishes: readonly AxisWish[], profile: boolean): Axis[] | undefined {
  const axes: Axis[] = [];
  for (const { bins, range } of wishes) {
    if (!range) return undefined;
    axes.push({ bins: bins ?? defaultBins(wishes, profile), low: range[0], high: range[1] });
  }
  return axes;
}

/**
 * Computes the axes from the values that were found: either as TTree::Draw chooses them, including the
 * changes that its histograms make while they are filled, or close around the values ("tight").
 */
export function chooseAxes(wishes: readonly AxisWish[], ranges: FoundRanges, profile: boolean): Axis[] {
  const doubles =
    !profile && wishes.length > 1 && ranges.fills > BUFFER && wishes.every(({ range }) => !range);
  return wishes.map(({ bins = defaultBins(wishes, profile), range, rule }, i): Axis => {
    if (range) return { bins, low: range[0], high: range[1] };
    const whole = ranges.whole[i];
    if (!whole || ranges.fills === 0) return { bins, low: 0, high: 1 };
    if (rule === 'tight') return tightAxis(whole, bins);
    const { min, max, values } = ranges.first[i] ?? whole;
    const integer = ranges.integer[i] ?? false;
    const first =
      values === 0
        ? automaticLimits(bins, Number.MAX_VALUE, -Number.MAX_VALUE, integer)
        : automaticLimits(bins, min, max, integer);
    const axis = doubles ? doubled(first) : first;
    return (ranges.later[i] ?? []).reduce((one, value) => extended(one, value), axis);
  });
}

function defaultBins(wishes: readonly AxisWish[], profile: boolean): number {
  return DEFAULT_BINS[profile ? 1 : wishes.length] ?? 100;
}
