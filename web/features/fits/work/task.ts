import type { FitOptions, ParameterSetting } from '../../../api/fit';
import { argumentError } from '../../../base/errors';
import { checkOptions, type Rules } from '../../../base/options';
import { ANY, FLAG } from '../../../base/shape';
import { didYouMean, nearest } from '../../../base/suggest';
import { type FitPoints, graphPoints, histogramPoints, type Ranges } from './data';
import type { Fitted, FittedValues } from './fit';
import { METHOD } from './fit-core';
import { type Model, parseModel } from './formula/model';
import { parseFitOptions } from './options';
import { type Start, startValues } from './start';
import type { FitChoice } from './types';

/** A fit before it begins. */
export interface Task {
  model: Model;
  points: FitPoints;
  choice: FitChoice;
  settings: Setting[];
  options: FitOptions;
}

/** Reads the texts of a fit, and chooses its points, start values and limits. Throws ARGUMENT for texts and data that do not fit. */
export function taskOf(fitted: Fitted, text: string, options: FitOptions = {}): Task {
  const task = taskOfPart(fitted, text, options);
  checkFree(task.settings, task.points.count);
  return task;
}

/** As `taskOf`, of a part of a simultaneous fit, which may have fewer points than parameters. */
export function taskOfPart(fitted: Fitted, text: string, options: FitOptions): Task {
  const model = parseModel(text);
  const choice = parseFitOptions(options.options);
  if (fitted.kind === 'values') checkUnbinned(choice);
  const points = pointsOf(fitted, model, choice, rangesOf(options.range));
  if (points.count === 0) {
    if (points.method >= METHOD.unbinned)
      throw argumentError('The fit has no data: no value is in the range.', 'Choose another range or cut.');
    throw argumentError(
      'The fit has no data: no bin in the range has content and an error.',
      'Choose another range, or L, which takes empty bins.',
    );
  }
  const settings = settingsOf(model, points, choice, options.parameters);
  return { model, points, choice, settings, options };
}

/** Throws ARGUMENT for options that values without bins do not have. */
function checkUnbinned({ method, integral, ones, withoutX }: FitChoice): void {
  const letters = [
    ...(method === 'weighted' ? ['WL'] : method === 'pearson' ? ['P'] : []),
    ...(ones === 'all' ? ['WW'] : ones === 'filled' ? ['W'] : []),
    ...(integral ? ['I'] : []),
    ...(withoutX ? ['EX0'] : []),
  ];
  const [first] = letters;
  if (first !== undefined)
    throw argumentError(`The option ${first} is for bins and points, and values have none.`, 'Leave it out.');
}

/** Throws ARGUMENT for fewer points than free parameters. */
export function checkFree(settings: readonly Setting[], points: number): void {
  const free = settings.filter(({ fixed }) => !fixed).length;
  if (free <= points) return;
  throw argumentError(
    `The function has ${free} free parameters, and there are ${points} points.`,
    'Fix parameters: NAME=VALUE|fixed, or choose a wider range.',
  );
}

/** Whether the parameters are solved for without iterations. */
export function isSolved({ model, points, settings }: Task): boolean {
  const isLinear = model.linear && points.linear && points.method === METHOD.chi2;
  return isLinear && !settings.some((one) => !one.fixed && (one.low !== undefined || one.high !== undefined));
}

/** Whether a function is linear in its parameters, and none of them has a start value or limits. */
export function startsSolved({ model, points, options }: Task): boolean {
  const isGiven = Object.keys(options.parameters ?? {}).length > 0;
  return model.linear && points.method === METHOD.effective && !isGiven;
}

export function rangesOf(range: FitOptions['range']): Ranges {
  if (range === undefined) return [];
  if (typeof range !== 'object')
    throw argumentError('A range of a fit is a pair of numbers.', 'Write [LOW, HIGH].');
  const all = typeof range[0] === 'number' ? [range as readonly [number, number]] : (range as Ranges);
  for (const [low, high] of all) {
    if (!(low < high)) throw argumentError(`The range ${low}:${high} of a fit is empty.`, 'Write LOW:HIGH.');
  }
  return all;
}

function pointsOf(fitted: Fitted, model: Model, choice: FitChoice, ranges: Ranges): FitPoints {
  if (fitted.kind === 'histogram') return histogramPoints(fitted, choice, ranges, model.dims);
  if (model.dims > 1) throw argumentError('The function has several coordinates, the data have one.');
  if (fitted.kind === 'graph') return graphPoints(fitted, choice, ranges, model.text.trim() === 'pol0');
  return valuePoints(fitted, ranges[0]);
}

function valuePoints({ x, weights }: FittedValues, range: Ranges[number] | undefined): FitPoints {
  let [low, high] = range ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  if (!range) {
    for (const at of x) {
      if (at < low) low = at;
      if (at > high) high = at;
    }
    const isBounded = x.length === 0 || Number.isFinite(high - low);
    if (!isBounded) throw argumentError('Some of the values are infinite.', 'Fit those of a range.');
    if (low === high)
      throw argumentError(
        `All values are ${low}, so that their range has no width.`,
        'Fit those of a range.',
      );
  }
  const inside = (at: number) => at >= low && at <= high && Number.isFinite(at);
  const isWhole = x.every(inside);
  const chosen = isWhole ? x : x.filter(inside);
  const y = isWhole ? weights : weights?.filter((_, i) => inside(x[i] ?? Number.NaN));
  return {
    data: { x: [chosen], y, range: [[low, high]] },
    ...{ method: METHOD.extended, count: chosen.length, scaled: false, linear: false, range: [[low, high]] },
  };
}

/** A parameter before the fit. */
export interface Setting extends Start {
  step: number;
  fixed: boolean;
}

const SETTING: Rules<ParameterSetting> = { start: ANY, low: ANY, high: ANY, fixed: FLAG };

/** Start values, limits and steps as ROOT chooses them, and those that are given. Throws ARGUMENT for unknown names. */
function settingsOf(
  { names, start, text }: Model,
  { data, method }: FitPoints,
  { integral }: FitChoice,
  given: FitOptions['parameters'] = {},
): Setting[] {
  const own = new Map<number, ParameterSetting>();
  for (const [name, one] of Object.entries(given)) {
    const at = indexOf(names, name);
    if (at < 0) {
      const like = nearest(name, names);
      throw argumentError(
        `The function "${text}" has no parameter "${name}".`,
        didYouMean(like) ?? `It has ${names.slice(0, 12).join(', ')}.`,
      );
    }
    if (typeof one !== 'number') checkOptions(`the parameter "${name}"`, one, SETTING);
    own.set(at, typeof one === 'number' ? { start: one } : one);
  }
  const binned = method >= METHOD.unbinned ? binnedValues(data) : data;
  const found = start && startValues(start, binned, integral, names.length);
  return names.map((name, i): Setting => {
    const one = own.get(i);
    const from: Start = found?.[i] ?? { value: start ? 0 : 1 };
    const isSaid = one !== undefined && (one.low !== undefined || one.high !== undefined);
    // Limits that ROOT has not hold for start values that were found, not for those that are given.
    const isFree = one?.start !== undefined && from.own === true;
    const [low, high] = isSaid || isFree ? [one?.low, one?.high] : [from.low, from.high];
    const value = one?.start ?? from.value;
    const fixed = one?.fixed ?? false;
    if (!Number.isFinite(value)) throw argumentError(`The start value of ${name} is ${value}.`);
    if (low !== undefined && high !== undefined && !(low < high))
      throw argumentError(`The limits ${low}:${high} of ${name} are empty.`);
    if (!fixed && isSaid && (value < (low ?? value) || value > (high ?? value)))
      throw argumentError(`The start value ${value} of ${name} is outside of its limits.`);
    return { value, ...limits(value, low, high), fixed, step: fixed ? 0 : stepOf(value, low, high) };
  });
}

const limits = (value: number, low: number | undefined, high: number | undefined) => ({
  ...(low !== undefined && value >= low && { low }),
  ...(high !== undefined && value <= high && { high }),
});

/** The first step of a parameter, as ROOT chooses it. */
export function stepOf(value: number, low?: number, high?: number): number {
  if (low === undefined || high === undefined) return value === 0 ? 0.3 : 0.3 * Math.abs(value);
  const step = 0.1 * (high - low);
  if (value < high && high - value < 2 * step) return (high - value) / 2;
  if (value > low && value - low < 2 * step) return (value - low) / 2;
  return step;
}

/** Index of a parameter that is named, or numbered. */
export function indexOf(names: readonly string[], name: string): number {
  const at = names.indexOf(name);
  if (at >= 0) return at;
  const [, digits] = /^p?(\d+)$/.exec(name) ?? [];
  return digits !== undefined && Number(digits) < names.length ? Number(digits) : -1;
}

/** Values in 100 bins, of which start values are found. The contents are numbers per unit of x, as the function is. */
function binnedValues({ x: [x = new Float64Array(0)], y, range = [] }: FitPoints['data']): FitPoints['data'] {
  const [low = 0, high = 1] = range[0] ?? [];
  const bins = 100;
  const width = (high - low) / bins || 1;
  const contents = new Float64Array(bins);
  x.forEach((at, i) => {
    const bin = Math.min(bins - 1, Math.trunc((at - low) / width));
    contents[bin] = (contents[bin] ?? 0) + (y?.[i] ?? 1) / width;
  });
  return { x: [Float64Array.from(contents, (_, i) => low + (i + 0.5) * width)], y: contents };
}
