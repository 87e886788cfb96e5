import type { Histogram } from '../../../api/api';
import type { FitOptions, FitPointList, FitResult, FittedParameter } from '../../../api/fit';
import { overBudget } from '../../../base/data-errors';
import { argumentError, XylemError } from '../../../base/errors';
import { chi2Probability } from '../../../bins/compare-histograms';
import type { FitPoints } from './data';
import { FitCore, METHOD, type Minimum } from './fit-core';
import type { Model } from './formula/model';
import { indexOf, isSolved, type Setting, startsSolved, stepOf, type Task, taskOf } from './task';

/** Bins, points or values that a function is fitted to. */
export type Fitted = Histogram | FitPointList | FittedValues;

/** Values of an unbinned fit. The function is the density of their number: its integral over the range is free. */
export interface FittedValues {
  kind: 'values';
  x: Float64Array;
  /** Weights of the values. Default: 1. */
  weights?: Float64Array | undefined;
}

/** A fit with what is drawn of it. */
export interface Fit {
  result: FitResult;
  model: Model;
  points: FitPoints;
  /** Values of the function for the points. */
  expected: Float64Array;
  /** Values of the function and the half width of its band of one standard deviation, at places along x. */
  curve(x: Float64Array): { y: Float64Array; band: Float64Array };
  /** Values of the function at places, of which each has as many coordinates as it. */
  at(places: readonly Float64Array[]): Float64Array;
  /** Leaves the memory of the fit to the next one. `curve` and `at` throw afterwards. */
  release(): void;
}

/** Fits a function. Throws ARGUMENT for texts and data that do not fit, and BUDGET for a fit that takes too long. */
export async function fit(
  load: () => Promise<WebAssembly.Module>,
  fitted: Fitted,
  text: string,
  options: FitOptions = {},
): Promise<Fit> {
  const task = taskOf(fitted, text, options);
  const { model, points, choice, settings } = task;
  const isWeighted = fitted.kind === 'values' && fitted.weights !== undefined;
  const core = await FitCore.create(await load(), model);
  return within(options, (limitMs) => {
    core.data(points.data, points.method, choice.integral, limitMs);
    checkStart(
      core,
      settings.map(({ value }) => value),
    );
    const { values, covariance, ...made } = measured(core, {
      ...{ settings, choice, options, names: model.names, text: model.text },
      notes: isWeighted
        ? [...model.notes, 'the errors do not follow from the squares of the weights']
        : model.notes,
      ...{ method: points.method, count: points.count, scaled: points.scaled, range: points.range },
      isSolved: isSolved(task),
      startsSolved: startsSolved(task),
    });
    const result = isWeighted ? { ...made.result, weighted: true as const } : made.result;
    const expected = core.values(values);
    const curve: Fit['curve'] = (x) => curveOf(core, x, values, covariance);
    const at: Fit['at'] = (places) => core.at(places)(values);
    return { result, model, points, expected, curve, at, release: () => core.release() };
  });
}

/** Calls `run` with the time after which a fit is given up, in ms. Throws BUDGET if it is. */
export function within<T>({ limitMs = 60_000 }: FitOptions, run: (limitMs: number) => T): T {
  try {
    return run(limitMs);
  } catch (thrown) {
    if (thrown instanceof WebAssembly.RuntimeError) throw gaveUp(limitMs, thrown);
    throw thrown;
  }
}

function gaveUp(limitMs: number, cause: unknown): XylemError {
  const error = overBudget(
    `The fit did not end within ${limitMs / 1000} s.`,
    'Choose better start values, fewer parameters or a narrower range.',
  );
  return new XylemError({ ...error.toRecord(), cause });
}

/** Throws ARGUMENT if the function has no value where the fit begins. */
export function checkStart(core: FitCore, start: readonly number[]): void {
  if (core.values(start).some(Number.isFinite)) return;
  throw argumentError(
    'With its start values, the function has no value at any point: all are NaN or infinite.',
    'Give start values: NAME=START for each parameter.',
  );
}

/** The parameters of a fit, and what the data of all its points are. */
export interface Asked extends Pick<Task, 'settings' | 'choice' | 'options'> {
  names: readonly string[];
  text: string;
  notes: readonly string[];
  /** The numbers of METHOD. */
  method: number;
  /** Number of points. */
  count: number;
  /** Whether the errors are unknown, so that those of the parameters are scaled. */
  scaled: boolean;
  range: FitResult['range'];
  /** Whether it is solved without iterations. */
  isSolved: boolean;
  /** Whether the solution without iterations, in which errors of x do not count, is where Minuit begins. */
  startsSolved?: boolean | undefined;
}

/** Minimizes, and returns the result with the values and the rows of the covariance of all parameters. */
export function measured(
  core: FitCore,
  asked: Asked,
): { result: FitResult; values: Float64Array; covariance: Float64Array } {
  const { names, settings, choice, options, method, count } = asked;
  settings.forEach(({ value, step, low, high }, i) => {
    core.parameter(i, value, step, low, high);
  });
  const near = asked.startsSolved ? core.linear() : undefined;
  for (const [i, value] of (near?.values ?? new Float64Array(0)).entries())
    core.parameter(i, value, near?.errors[i] || stepOf(value));
  const notes = [...asked.notes];
  const pairs = (options.contours ?? []).map((pair) => pairOf(names, pair));
  const solved = asked.isSolved && pairs.length === 0 ? core.linear() : undefined;
  const { strategy, tolerance, maxCalls } = options;
  const how = { strategy, tolerance, calls: maxCalls, hesse: choice.minos };
  let found = solved ?? core.minimize(how);
  const free = settings.filter(({ fixed }) => !fixed).length;
  let { status } = found;
  const minos =
    choice.minos && choice.method !== 'weighted' && found.valid ? allMinos(core, settings) : undefined;
  if (minos) status += 10 * minos.status;
  if (choice.method === 'weighted') {
    const weighted = core.weighted(status);
    if (weighted) found = weighted;
    else notes.push('the errors do not know the weights: their matrix could not be computed');
  }
  const ndf = count - free;
  const isBinned = method < METHOD.unbinned;
  const isChi2 = method < METHOD.poisson;
  const chi2 = isChi2 ? found.objective : isBinned ? 2 * found.objective : Number.NaN;
  const scale = asked.scaled && isChi2 && ndf > 0 && chi2 > 0 ? chi2 / ndf : 1;
  if (scale !== 1)
    notes.push('the data have no errors: those of the parameters are scaled so that χ² / ndf is 1');
  const covariance = found.covariance.map((one) => one * scale);
  const errors = found.errors.map((one) => one * Math.sqrt(scale));
  const parameters = names.map((name, i): FittedParameter => {
    const { value: start = 0, low, high, fixed = false } = settings[i] ?? {};
    const value = found.values[i] ?? Number.NaN;
    return { name, value, error: errors[i] ?? 0, start, low, high, fixed, minos: minos?.errors[i] };
  });
  const contours = pairs.map(([i, j]) => contourOf(core, names, [i, j], notes));
  const { values, edm, calls, covarianceStatus } = found;
  const result: FitResult = {
    ...{ kind: 'fit', function: asked.text, options: options.options ?? '' },
    method: isBinned ? choice.method : 'unbinned',
    parameters,
    ...matrices(names.length, covariance),
    ...{ status, valid: found.valid, why: whyOf(status, found) },
    minimizer: solved ? 'linear' : 'Minuit2',
    ...{ fcn: found.objective, edm, calls, covarianceStatus },
    ...{ chi2, ndf, probability: isBinned && ndf > 0 ? chi2Probability(chi2, ndf) : Number.NaN },
    ...{ points: count, range: asked.range, contours: options.contours && contours, notes },
  };
  return { result, values, covariance };
}

/** Covariance and correlation as rows, of a list of the rows of n parameters. */
export function matrices(n: number, covariance: Float64Array): Pick<FitResult, 'covariance' | 'correlation'> {
  const at = (i: number, j: number) => covariance[i * n + j] ?? 0;
  const rows = (cell: (i: number, j: number) => number) =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => cell(i, j)));
  const correlation = (i: number, j: number) =>
    at(i, j) / Math.sqrt(at(i, i) * at(j, j)) || (i === j && at(i, i) > 0 ? 1 : 0);
  return { covariance: rows(at), correlation: rows(correlation) };
}

/** The numbers of two parameters. Throws ARGUMENT. */
function pairOf(names: readonly string[], [first, second]: readonly [string, string]): [number, number] {
  const [i, j] = [indexOf(names, first), indexOf(names, second)];
  if (i >= 0 && j >= 0 && i !== j) return [i, j];
  throw argumentError(
    `"${first}" and "${second}" are not two parameters of the function.`,
    `It has ${names.slice(0, 12).join(', ')}.`,
  );
}

/** Number of points of a contour, as many as ROOT's. */
const CONTOUR_POINTS = 40;

function contourOf(
  core: FitCore,
  names: readonly string[],
  [i, j]: readonly [number, number],
  notes: string[],
): NonNullable<FitResult['contours']>[number] {
  const [first = '', second = ''] = [names[i], names[j]];
  const points = core.contour(i, j, CONTOUR_POINTS);
  if (points.length < CONTOUR_POINTS)
    notes.push(
      points.length === 0
        ? `the contour of ${first} and ${second} was not found`
        : `the contour of ${first} and ${second} has only ${points.length} points`,
    );
  return { first, second, points };
}

function allMinos(core: FitCore, settings: readonly Setting[]) {
  let status = 0;
  const errors = settings.map(({ fixed }, i) => {
    if (fixed) return undefined;
    const one = core.minos(i);
    status += one.status;
    return { low: one.low, high: one.high, valid: (one.status & 3) === 0 };
  });
  return { status, errors };
}

/** Values of the function, and the standard deviation that the covariance matrix gives them. */
export function curveOf(core: FitCore, x: Float64Array, values: Float64Array, covariance: Float64Array) {
  const at = core.at([x]);
  const y = at(values);
  const n = values.length;
  const slopes = Array.from(values, (value, i) => {
    const sigma = Math.sqrt(covariance[i * n + i] ?? 0);
    if (!(sigma > 0)) return undefined;
    const moved = (by: number) => at(values.map((one, k) => (k === i ? value + by : one)));
    const step = 0.01 * sigma;
    const [up, down] = [moved(step), moved(-step)];
    return up.map((one, k) => (one - (down[k] ?? 0)) / (2 * step));
  });
  const band = x.map((_, k) => {
    let sum = 0;
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++)
        sum += (slopes[i]?.[k] ?? 0) * (slopes[j]?.[k] ?? 0) * (covariance[i * n + j] ?? 0);
    return Math.sqrt(Math.max(0, sum));
  });
  return { y, band };
}

const REASONS: Readonly<Record<number, string>> = {
  1: 'the covariance matrix was made positive definite, so errors are estimates',
  2: 'the covariance matrix could not be computed',
  3: 'the fit did not come close enough to a minimum',
  4: 'the fit reached the limit of calls of the function',
  5: 'the covariance matrix is not positive definite',
  6: 'the fit found no minimum',
};

function whyOf(status: number, { valid }: Minimum): string | undefined {
  const reason = REASONS[status % 10];
  if (reason !== undefined) return reason;
  if (status >= 10) return 'errors by MINOS are missing for some parameters';
  return valid ? undefined : REASONS[6];
}
