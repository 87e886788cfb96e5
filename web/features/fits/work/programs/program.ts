import type { FitOptions, FitResult, TogetherOptions } from '../../../../api/fit';
import { unsupported } from '../../../../base/data-errors';
import type { BinAxis } from '../../../../bins/bin-axes';
import { reasonOf } from '../../../snippets/work/translate/translate';
import type { Use } from '../../../snippets/work/use';
import { chosenBins, type Ranges } from '../data';
import type { Fitted } from '../fit';
import { METHOD } from '../fit-core';
import { parseModel } from '../formula/model';
import { parseFitOptions } from '../options';
import { rangesOf, stepOf, type Task, taskOf } from '../task';
import { type PartOfFit, type TogetherTask, togetherTask } from '../together';
import { iminuitProgram, iminuitTogether } from './iminuit';
import { rootProgram, rootTogether } from './root';
import { type FitToolId, fitToolIds } from './tools';

/** Where a program finds the data of a fit. */
export type FitSource =
  /** A histogram that is filled from a tree, the only layer; with `values` the values themselves are fitted. */
  | { kind: 'drawn'; use: Use; values?: boolean | undefined }
  /** A histogram, a profile or a graph in a file. */
  | { kind: 'stored'; address: string; path: string; className: string };

/** A fit as programs write it. */
export interface WrittenFit extends Task {
  source: FitSource;
  /** Ends of the range of each coordinate that were given. */
  ranges: Ranges;
  /** The bins of each axis that are fitted, from 0, and the end; undefined for all bins. */
  bins: ([first: number, end: number] | undefined)[];
}

/** A simultaneous fit as programs write it. */
export interface WrittenTogether extends Omit<TogetherTask, 'tasks'> {
  parts: WrittenFit[];
  /** The drawing of all parts; undefined if they are stored objects. */
  use: Use | undefined;
}

/** A program for a tool, or the reason why there is none. */
export type FitProgram = { id: FitToolId; tool: string; language: 'python' | 'cpp' } & (
  | { text: string; why?: undefined }
  | { text?: undefined; why: string }
);

const TOOLS: Readonly<
  Record<
    FitToolId,
    {
      tool: string;
      language: 'python' | 'cpp';
      program(fit: WrittenFit): string;
      together(fit: WrittenTogether): string;
    }
  >
> = {
  root: { tool: 'ROOT', language: 'cpp', program: rootProgram, together: rootTogether },
  iminuit: { tool: 'iminuit', language: 'python', program: iminuitProgram, together: iminuitTogether },
};

/**
 * Writes a program that fills or reads the data of a fit, and fits them with the same function, options, range, start values and
 * limits. `fitted`: the data, of which start values and bins are found. Throws ARGUMENT as `fit` does.
 */
export function fitProgram(
  id: FitToolId,
  source: FitSource,
  fitted: Fitted,
  text: string,
  options: FitOptions = {},
): FitProgram {
  return programOf(id, taskOf(fitted, text, options), source, fitted);
}

function programOf(id: FitToolId, task: Task, source: FitSource, fitted: Fitted): FitProgram {
  const { tool, language, program } = TOOLS[id];
  try {
    return { id, tool, language, text: program(writtenOf(task, source, fitted)) };
  } catch (thrown) {
    return { id, tool, language, why: reasonOf(thrown) };
  }
}

/**
 * Writes the program of a fit of values without bins from its result, which has the start values, limits and range. The
 * values themselves are not needed: only the worker of the fit has them.
 */
export function valuesProgram(
  id: FitToolId,
  use: Use,
  { parameters, range, points: count, weighted }: FitResult,
  text: string,
  options: FitOptions = {},
): FitProgram {
  const none = new Float64Array();
  const task: Task = {
    model: parseModel(text),
    points: {
      data: { x: [none], y: weighted && none, range },
      ...{ method: METHOD.extended, count, scaled: false, linear: false, range },
    },
    choice: parseFitOptions(options.options),
    settings: parameters.map(({ start, low, high, fixed }) => ({
      value: start,
      ...(low !== undefined && { low }),
      ...(high !== undefined && { high }),
      ...{ fixed, step: fixed ? 0 : stepOf(start, low, high) },
    })),
    options,
  };
  return programOf(id, task, { kind: 'drawn', use, values: true }, { kind: 'values', x: none });
}

/**
 * Writes a program of a simultaneous fit. `sources`: a stored object for each part, or the drawing of all. Throws ARGUMENT as
 * `fitAll` does.
 */
export function togetherProgram(
  id: FitToolId,
  sources: Use | readonly (FitSource & { kind: 'stored' })[],
  parts: readonly PartOfFit[],
  options: TogetherOptions,
): FitProgram {
  const { tool, language, together } = TOOLS[id];
  const { tasks, ...task } = togetherTask(parts, options);
  const use = 'layers' in sources ? sources : undefined;
  if (use?.layers.some(({ tree }) => !tree))
    throw unsupported('A program has layers of trees, or stored objects, but not both.');
  try {
    const written = tasks.map((one, k) => {
      const stored = use ? undefined : (sources as readonly FitSource[])[k];
      const source: FitSource = stored ?? { kind: 'drawn', use: use as Use };
      return writtenOf(one, source, (parts[k] as PartOfFit).fitted);
    });
    return { id, tool, language, text: together({ ...task, parts: written, use }) };
  } catch (thrown) {
    return { id, tool, language, why: reasonOf(thrown) };
  }
}

function writtenOf(task: Task, source: FitSource, fitted: Fitted): WrittenFit {
  const ranges = rangesOf(task.options.range);
  const axes = fitted.kind === 'histogram' ? fitted.axes : [];
  return { ...task, source, ranges, bins: axes.map((axis, k) => someBins(axis, ranges[k])) };
}

/** The programs of all tools. */
export const allTools = (write: (id: FitToolId) => FitProgram): FitProgram[] => fitToolIds.map(write);

function someBins(axis: BinAxis, range: Ranges[number] | undefined): [number, number] | undefined {
  const [first, last] = chosenBins(axis, range);
  return first === 1 && last === axis.bins ? undefined : [first - 1, last];
}
