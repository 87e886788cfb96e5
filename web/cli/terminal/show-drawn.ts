import type { DrawResult } from '../../api/api';
import { unsupported } from '../../base/data-errors';
import { floatText } from '../../base/float-text';
import { formatCount } from '../../base/format';
import { binsCsv } from '../../bins/to-csv';
import { modelOfHistogram } from '../../plot/histogram';
import type { AnyPlot } from '../../plot/model';
import { UsageError } from '../arguments';
import { type Context, writeText } from '../context';
import { flag, type Options, valued } from '../options';
import { type PictureGiven, pictureOptions, wantsPicture, writePlot } from './picture';
import { terminalBars } from './terminal-plot';
import { terminalBins } from './terminal-points';

/** Options that say how a plot is shown. */
export interface PlotGiven extends PictureGiven {
  log?: boolean | undefined;
}

/** Options that say how a filled histogram is shown. */
export interface DrawnGiven extends PlotGiven {
  csv?: string | undefined;
  uhi?: string | undefined;
  'root-json'?: string | undefined;
  root?: string | undefined;
  force?: boolean | undefined;
}

/** Options for the form of a filled histogram. */
export const shownOptions = {
  log: flag('a logarithmic vertical axis, or colour scale'),
  ...pictureOptions,
  csv: valued(
    'OUT',
    'write the bins to the file OUT: edges, content, error; of a profile edges, mean, error, sums; of a graph or an efficiency the points: x, y, and the lengths of their errors (left, right, down, up)',
  ),
  uhi: valued('OUT', "as UHI's JSON, which hist and boost-histogram read"),
  'root-json': valued('OUT', "as ROOT's TBufferJSON, which ROOT and JSROOT read"),
  root: valued('OUT', 'write a ROOT file with the histogram as TH1D, TH2D, TH3D, TProfile or TProfile2D', {
    keeps: true,
  }),
  force: flag('replace a file of the name that --root gives, which is kept otherwise'),
} as const satisfies Options;

/** Throws UsageError when the options ask for more than one form. */
export function checkForms(given: DrawnGiven): void {
  if (outputsOf(given).length + (given.json ? 1 : 0) > 1) {
    throw new UsageError('Take one of --json, --svg, --png, --csv, --uhi, --root-json and --root.');
  }
}

/** The files that the options ask for. */
export function outputsOf(given: DrawnGiven): string[] {
  return [given.svg, given.png, given.csv, given.uhi, given['root-json'], given.root].filter(
    (one) => one !== undefined,
  );
}

/** Prints a result in the form that the options name, or draws it in the terminal. */
export async function showDrawn(result: DrawResult, given: DrawnGiven, context: Context): Promise<void> {
  const { out } = context;
  const width = out.columns ?? 80;
  if (given.json) {
    out.line(resultJson(result));
    return;
  }
  if (result.kind !== 'histogram') {
    if (outputsOf(given).length > 0) throw unsupported('This is not a histogram; use --json.');
    if (result.kind === 'frequencies') {
      for (const line of terminalBars(result.top.slice(0, 30), width)) out.line(line);
      out.line();
      out.line(`${formatCount(result.values)} strings, ${formatCount(result.distinct)} different`);
      return;
    }
    for (const number of result.numbers) {
      out.line(String(number));
      await out.drain();
    }
    return;
  }
  if (given.csv !== undefined) {
    await writeText(given.csv, binsCsv(result), context);
    return;
  }
  if (given.root !== undefined) {
    const { saveHistogram } = await import('./save-histogram');
    await saveHistogram(given.root, result, given, context);
    return;
  }
  if (given.uhi !== undefined) {
    const { uhiJson } = await import('../../bins/to-uhi');
    await writeText(given.uhi, uhiJson(result), context, 'json');
    return;
  }
  if (given['root-json'] !== undefined) {
    const { rootJson } = await import('../../bins/to-root');
    await writeText(given['root-json'], rootJson(result), context, 'json');
    return;
  }
  await showPlot(modelOfHistogram(result), given, context);
}

/** Writes a plot to the file that the options name, or draws it in the terminal. */
export async function showPlot(model: AnyPlot, given: PlotGiven, context: Context): Promise<void> {
  const { out } = context;
  const width = out.columns ?? 80;
  const log = given.log === true;
  if (wantsPicture(given)) {
    await writePlot(model, given, context);
  } else if (model.kind === 'bins') {
    for (const line of terminalBins(model, { width, logY: log })) out.line(line);
  } else if (model.kind === 'map') {
    const { terminalHeat } = await import('./terminal-heat');
    for (const line of terminalHeat(model, width, log)) out.line(line);
  }
}

/** A result as JSON in the canonical form: counts as a list, "nan" and the infinities as strings. */
export function resultJson(result: object): string {
  const members = Object.entries(result).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    return [`${JSON.stringify(name)}: ${memberJson(value)}`];
  });
  return `{${members.join(', ')}}`;
}

function memberJson(value: unknown): string {
  if (typeof value === 'number') return floatText(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) {
    return `[${value.map(floatText).join(',')}]`;
  }
  if (value instanceof Float64Array) return `[${Array.from(value, floatText).join(',')}]`;
  return JSON.stringify(value);
}
