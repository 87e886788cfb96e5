import type { FitResult, TogetherResult } from '../../../api/fit';
import { UsageError } from '../../../cli/arguments';
import type { Context } from '../../../cli/context';
import { givenLook } from '../../../cli/terminal/look-options';
import { type PictureGiven, wantsPicture, writePicture, writePlot } from '../../../cli/terminal/picture';
import { noteLines, reportLines } from '../../../cli/terminal/report';
import { type DrawnGiven, outputsOf } from '../../../cli/terminal/show-drawn';
import { terminalBins } from '../../../cli/terminal/terminal-plot';
import type { AnyPlot } from '../../../plot/model';
import { type BelowFit, isBelow } from '../work/below';
import { contourPlots } from '../work/contour-plot';
import type { Fit } from '../work/fit';
import { resultJson } from '../work/json';
import { drawnFit, withFit } from '../work/plot';
import { fitReport } from '../work/report';
import { sideBySide } from '../work/side-by-side';
import type { FitGiven } from './options';

/** A fit, and the plot of what was fitted. */
export interface ShownFit {
  made: Fit;
  model: AnyPlot;
}

/** Throws UsageError for forms in which no fit is written. */
export function checkFitForms(given: DrawnGiven & FitGiven): void {
  if (outputsOf(given).length > 0 && !wantsPicture(given))
    throw new UsageError('--fit goes with --svg, --png, --pdf and --json.');
  belowOf(given);
}

function belowOf({ 'fit-below': below = 'pulls' }: FitGiven): BelowFit {
  if (isBelow(below)) return below;
  throw new UsageError(`--fit-below takes pulls, difference or none, not "${below}".`);
}

/** Shows a fit, or the parts of one, in the form that the options name. */
export async function showFit(
  result: FitResult | TogetherResult,
  shown: readonly ShownFit[],
  given: DrawnGiven & FitGiven,
  context: Context,
): Promise<void> {
  const report = fitReport(result);
  for (const line of noteLines(report)) context.err.line(line);
  if (given.json) {
    context.out.line(resultJson(result));
    return;
  }
  const isPicture = wantsPicture(given);
  const below = belowOf(given);
  const plots = shown.map(({ made, model }) => withFit(model, drawnFit(made), below));
  if (isPicture) await writePlots([...plots, ...contourPlots(result)], result.function, given, context);
  else {
    const width = context.out.columns ?? 80;
    for (const plot of plots) {
      if (plot.kind !== 'bins') continue;
      for (const line of terminalBins(plot, { width, logY: givenLook(given).log.y })) context.out.line(line);
      context.out.line();
    }
  }
  const say = isPicture ? context.err : context.out;
  for (const line of reportLines(report, context.out.columns)) say.line(line);
}

async function writePlots(
  plots: readonly AnyPlot[],
  title: string,
  given: PictureGiven,
  context: Context,
): Promise<void> {
  const [first, second] = plots;
  if (first && !second) await writePlot(first, given, context);
  else await writePicture(given, sideBySide(plots, title, givenLook(given)), context);
}
