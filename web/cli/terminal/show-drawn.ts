import type { DrawResult } from '../../api/api';
import { unsupported } from '../../base/data-errors';
import { formatCount } from '../../base/format';
import { membersJson } from '../../base/json';
import { binsCsv } from '../../bins/to-csv';
import { modelOfHistogram } from '../../plot/histogram';
import type { AnyPlot } from '../../plot/model';
import { UsageError } from '../arguments';
import type { Given } from '../command';
import { type Context, writeText } from '../context';
import { flag, type Options, valued } from '../options';
import { givenLook, lookOptions } from './look-options';
import { type PictureGiven, pictureOptions, wantsPicture, writePlot } from './picture';
import { terminalBars, terminalBins } from './terminal-plot';

/** Options for the form of a filled histogram. */
export const shownOptions = {
  ...lookOptions('others'),
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

/** How a filled histogram is shown. */
export type DrawnGiven = Given<typeof shownOptions> & PictureGiven;

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
    out.line(membersJson(result));
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
export async function showPlot(model: AnyPlot, given: PictureGiven, context: Context): Promise<void> {
  const { out } = context;
  const width = out.columns ?? 80;
  const { log } = givenLook(given);
  if (wantsPicture(given)) {
    await writePlot(model, given, context);
  } else if (model.kind === 'bins') {
    for (const line of terminalBins(model, { width, logY: log.y })) out.line(line);
  } else if (model.kind === 'map') {
    const { terminalHeat } = await import('./terminal-heat');
    for (const line of terminalHeat(model, width, log.y)) out.line(line);
  }
}
