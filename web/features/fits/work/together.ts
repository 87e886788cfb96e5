import type {
  FitOptions,
  FitResult,
  ParameterSetting,
  TogetherOptions,
  TogetherResult,
} from '../../../api/fit';
import { unsupported } from '../../../base/data-errors';
import { argumentError } from '../../../base/errors';
import { didYouMean, nearest } from '../../../base/suggest';
import { checkStart, curveOf, type Fit, type Fitted, matrices, measured, within } from './fit';
import { FitCore, METHOD } from './fit-core';
import { checkFree, indexOf, type Setting, type Task, taskOfPart } from './task';

/** Data, and the function that is fitted to them. */
export interface PartOfFit {
  fitted: Fitted;
  text: string;
}

/** A fit of several functions to their data, of which some parameters are the same. */
export interface TogetherTask {
  tasks: Task[];
  names: string[];
  settings: Setting[];
  /** For each part the numbers of its parameters among `names`. */
  from: number[][];
}

/** A simultaneous fit with what is drawn of each part. */
export interface Together {
  result: TogetherResult;
  /** Parts as fits of their own, with the parameters that they have. Their memory is one: the release of one releases all. */
  fits: Fit[];
}

/**
 * Fits functions to several data at once: the sum of the objectives is minimized. Parameters that `shared` names are the same in
 * all functions that have them. Throws ARGUMENT, UNSUPPORTED and BUDGET as `fit` does.
 */
export async function fitAll(
  load: () => Promise<WebAssembly.Module>,
  parts: readonly PartOfFit[],
  options: TogetherOptions,
): Promise<Together> {
  const task = togetherTask(parts, options);
  const { tasks, names, settings, from } = task;
  const { parts: cores, sum } = await FitCore.together(
    await load(),
    tasks.map(({ model }) => model),
    from,
    names.length,
  );
  return within(options, (limitMs) => {
    for (const [k, core] of cores.entries()) {
      const { points, choice } = tasks[k] as Task;
      core.data(points.data, points.method, choice.integral, limitMs);
      checkStart(
        core,
        (from[k] ?? []).map((i) => settings[i]?.value ?? 0),
      );
    }
    const whole = sum();
    const { result, values, covariance } = measured(whole, {
      ...{ settings, options, names, choice: (tasks[0] as Task).choice },
      text: [...new Set(tasks.map(({ model }) => model.text))].join(' | '),
      notes: [...new Set(tasks.flatMap(({ model }) => model.notes))],
      method: tasks[0]?.points.method ?? METHOD.chi2,
      count: tasks.reduce((total, { points }) => total + points.count, 0),
      // TH1::Fit alone scales the errors of Pearson's chi-square.
      scaled: tasks.every(({ points }) => points.scaled && points.method !== METHOD.pearson),
      ...{ range: tasks[0]?.points.range ?? [], isSolved: false },
    });
    const fits = cores.map((core, k) =>
      partOf(core, tasks[k] as Task, from[k] ?? [], { result, values, covariance }),
    );
    const { kind: _kind, range: _range, ...rest } = result;
    return {
      result: { kind: 'fits', shared: [...options.shared], ...rest, parts: fits.map((one) => one.result) },
      fits,
    };
  });
}

/** The part of a result that is of one function. Its chi-square is that of its points. */
function partOf(
  core: FitCore,
  { model, points }: Task,
  from: readonly number[],
  { result, values, covariance }: ReturnType<typeof measured>,
): Fit {
  const n = result.parameters.length;
  const own = Float64Array.from(from, (i) => values[i] ?? Number.NaN);
  const cells = Float64Array.from(from.flatMap((i) => from.map((j) => covariance[i * n + j] ?? 0)));
  const parameters = from.flatMap((i) => result.parameters[i] ?? []);
  const fcn = core.objective(own);
  const isBinned = points.method < METHOD.unbinned;
  const part: FitResult = {
    ...{ ...result, function: model.text, parameters, ...matrices(from.length, cells), fcn },
    chi2: points.method < METHOD.poisson ? fcn : isBinned ? 2 * fcn : Number.NaN,
    ...{ ndf: points.count - parameters.filter(({ fixed }) => !fixed).length, probability: Number.NaN },
    ...{ points: points.count, range: points.range, contours: undefined, notes: [] },
  };
  return {
    ...{ result: part, model, points, expected: core.values(own) },
    curve: (x) => curveOf(core, x, own, cells),
    at: (places) => core.at(places)(own),
    release: () => core.release(),
  };
}

/** Reads the texts of a simultaneous fit, and chooses points, start values and limits. Throws ARGUMENT and UNSUPPORTED. */
export function togetherTask(parts: readonly PartOfFit[], options: TogetherOptions): TogetherTask {
  if (parts.length < 2) throw argumentError('A simultaneous fit has at least two data.');
  const { parameters: given = {}, ...others } = options;
  // Names are those of the functions until it is known which are shared.
  const bare = parts.map(({ fitted, text }) => taskOfPart(fitted, text, others));
  const shared = new Set(sharedNames(bare, options.shared));
  const counts = new Map<string, number>();
  for (const { model } of bare) for (const name of model.names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names: string[] = [];
  const from = bare.map(({ model }, k) =>
    model.names.map((name) => {
      const own = shared.has(name) || counts.get(name) === 1 ? name : `${name}_${k + 1}`;
      const at = names.indexOf(own);
      return at >= 0 ? at : names.push(own) - 1;
    }),
  );
  const tasks = parts.map(({ fitted, text }, k) =>
    taskOfPart(fitted, text, { ...others, parameters: ownSettings(given, names, bare, from, k) }),
  );
  const settings: Setting[] = [];
  for (const [k, task] of tasks.entries())
    for (const [i, setting] of task.settings.entries()) settings[from[k]?.[i] ?? 0] ??= setting;
  checkFree(
    settings,
    tasks.reduce((sum, { points }) => sum + points.count, 0),
  );
  const isNll = tasks.map(({ points }) => points.method >= METHOD.poisson);
  if (isNll.some((one) => one !== isNll[0]))
    throw unsupported(
      'A simultaneous fit adds chi-squares or likelihoods, but not both.',
      'Take L for all, or fit without it.',
    );
  return { tasks, names, settings, from };
}

/** The names of shared parameters. Throws ARGUMENT for names that fewer than two functions have. */
function sharedNames(tasks: readonly Task[], shared: readonly string[]): string[] {
  if (shared.length === 0)
    throw argumentError(
      'A simultaneous fit shares no parameter.',
      'Name those that are the same in all functions, as Mean and Sigma.',
    );
  return shared.map((name) => {
    const found = tasks.flatMap(({ model: { names } }) => names[indexOf(names, name)] ?? []);
    const [first] = found;
    if (found.length > 1 && first !== undefined && found.every((one) => one === first)) return first;
    const all = [...new Set(tasks.flatMap(({ model }) => model.names))];
    throw argumentError(
      found.length === 1
        ? `Only one function has the parameter "${name}", so that it is not shared.`
        : `No two functions have the parameter "${name}".`,
      didYouMean(nearest(name, all)) ?? `They have ${all.slice(0, 12).join(', ')}.`,
    );
  });
}

/** The settings of one part: a name of a part alone, as Constant_2, or one of all parts. Throws ARGUMENT for unknown names. */
function ownSettings(
  given: NonNullable<FitOptions['parameters']>,
  names: readonly string[],
  tasks: readonly Task[],
  from: readonly (readonly number[])[],
  part: number,
): Record<string, number | ParameterSetting> {
  const own: Record<string, number | ParameterSetting> = {};
  for (const [name, setting] of Object.entries(given)) {
    const at = indexOf(names, name);
    if (at < 0 && !tasks.some(({ model }) => model.names.includes(name)))
      throw argumentError(
        `The functions have no parameter "${name}".`,
        didYouMean(nearest(name, names)) ?? `They have ${names.slice(0, 12).join(', ')}.`,
      );
    for (const [i, plain] of (tasks[part]?.model.names ?? []).entries())
      if (at >= 0 ? from[part]?.[i] === at : plain === name) own[plain] = setting;
  }
  return own;
}
