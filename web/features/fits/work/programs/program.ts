import type { FitOptions } from '../../../../api/fit';
import type { BinAxis } from '../../../../bins/bin-axes';
import { reasonOf } from '../../../snippets/work/translate/translate';
import type { Use } from '../../../snippets/work/use';
import { chosenBins, type Ranges } from '../data';
import type { Fitted } from '../fit';
import { rangesOf, type Task, taskOf } from '../task';
import { iminuitProgram } from './iminuit';
import { rootProgram } from './root';
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

/** A program for a tool, or the reason why there is none. */
export type FitProgram = { id: FitToolId; tool: string; language: 'python' | 'cpp' } & (
  | { text: string; why?: undefined }
  | { text?: undefined; why: string }
);

const TOOLS: Readonly<
  Record<FitToolId, { tool: string; language: 'python' | 'cpp'; program(fit: WrittenFit): string }>
> = {
  root: { tool: 'ROOT', language: 'cpp', program: rootProgram },
  iminuit: { tool: 'iminuit', language: 'python', program: iminuitProgram },
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
  const { tool, language, program } = TOOLS[id];
  const task = taskOf(fitted, text, options);
  const ranges = rangesOf(options.range);
  const axes = fitted.kind === 'histogram' ? fitted.axes : [];
  try {
    const bins = axes.map((axis, k) => someBins(axis, ranges[k]));
    return { id, tool, language, text: program({ ...task, source, ranges, bins }) };
  } catch (thrown) {
    return { id, tool, language, why: reasonOf(thrown) };
  }
}

/** The programs of all tools. */
export const fitPrograms = (
  source: FitSource,
  fitted: Fitted,
  text: string,
  options: FitOptions = {},
): FitProgram[] => fitToolIds.map((id) => fitProgram(id, source, fitted, text, options));

function someBins(axis: BinAxis, range: Ranges[number] | undefined): [number, number] | undefined {
  const [first, last] = chosenBins(axis, range);
  return first === 1 && last === axis.bins ? undefined : [first - 1, last];
}
