import type { PlainObject } from '../../../api/api';
import type { FitOptions } from '../../../api/fit';
import { unsupported } from '../../../base/data-errors';
import { isGraphClass, storedGraph } from '../../../bins/stored-graph';
import { binned, histogramOfObject } from '../../../bins/stored-histogram';
import { parseAxisRange, UsageError } from '../../../cli/arguments';
import { type DrawGiven, drawnTree, wishesOf } from '../../../cli/commands/draw';
import { checkDecoded, isStored, storedModel } from '../../../cli/commands/draw-stored';
import { type Context, type OpenFile, tellPartial, withFile } from '../../../cli/context';
import { givenLook } from '../../../cli/terminal/look-options';
import { wantsPicture, writePlot } from '../../../cli/terminal/picture';
import { noteLines, reportLines } from '../../../cli/terminal/report';
import { outputsOf } from '../../../cli/terminal/show-drawn';
import { terminalBins } from '../../../cli/terminal/terminal-plot';
import { type ChosenTree, withTree } from '../../../cli/trees';
import { nodeModules } from '../../../core/modules/node-modules';
import { modelOfHistogram } from '../../../plot/histogram';
import type { AnyPlot } from '../../../plot/model';
import { type BelowFit, isBelow } from '../work/below';
import { type Fitted, fit } from '../work/fit';
import { resultJson } from '../work/json';
import { parseParameters } from '../work/options';
import { drawnFit, withFit } from '../work/plot';
import { fitReport } from '../work/report';
import type { FitGiven } from './options';
import { columnValues } from './values';

export type DrawFitGiven = DrawGiven & FitGiven;
type Given = DrawFitGiven;

/** Data of a fit, the plot of them, and the exit status. */
interface Source {
  fitted: Fitted;
  model: AnyPlot;
  status: number;
}

/** Fits a function to an expression or a stored object. Returns the exit status: 1 if no minimum was found. */
export async function drawFit(
  given: Given,
  [file = '', ...words]: readonly string[],
  context: Context,
): Promise<number> {
  if (given.project !== undefined) throw new UsageError('--project does not go with --fit.');
  wishesOf(given);
  const below = belowOf(given);
  const options = optionsOf(given);
  const picture = wantsPicture(given);
  if (outputsOf(given).length > 0 && !picture)
    throw new UsageError('--fit goes with --svg, --png, --pdf and --json.');
  return await withFile(file, given, context, async (open) => {
    const [path = ''] = words;
    const { fitted, model, status } =
      words.length === 1 && (await isStored(open, path))
        ? await storedSource(open, path, given)
        : await withTree(open, words, 'EXPR', (chosen) => treeSource(open, chosen, given, context));
    const made = await fit(() => nodeModules('fit'), fitted, given.fit ?? '', options);
    const report = fitReport(made.result);
    for (const line of noteLines(report)) context.err.line(line);
    const end = made.result.valid ? status : 1;
    if (given.json) {
      context.out.line(resultJson(made.result));
      return end;
    }
    const plot = withFit(model, drawnFit(made), below);
    if (picture) await writePlot(plot, given, context);
    else if (plot.kind === 'bins') {
      const width = context.out.columns ?? 80;
      for (const line of terminalBins(plot, { width, logY: givenLook(given).log.y })) context.out.line(line);
      context.out.line();
    }
    const say = picture ? context.err : context.out;
    for (const line of reportLines(report, context.out.columns)) say.line(line);
    return end;
  });
}

function belowOf({ 'fit-below': below = 'pulls' }: FitGiven): BelowFit {
  if (isBelow(below)) return below;
  throw new UsageError(`--fit-below takes pulls, difference or none, not "${below}".`);
}

export function optionsOf(given: FitGiven): FitOptions {
  const { 'fit-range': range, 'fit-options': options, 'fit-parameters': parameters } = given;
  return {
    range: range?.split(',').map((one) => parseAxisRange(one)),
    options,
    parameters: parameters === undefined ? undefined : parseParameters(parameters),
  };
}

async function storedSource(open: OpenFile, path: string, given: Given): Promise<Source> {
  if (given['fit-unbinned'])
    throw new UsageError('A stored object has no values; --fit-unbinned is for trees.');
  const object = await open.object(path);
  checkDecoded(object, path);
  const model = await storedModel(open, path, object);
  return { fitted: fittedObject(object, path), model, status: 0 };
}

export function fittedObject(object: PlainObject, path: string): Fitted {
  if (isGraphClass(object._typename)) return storedGraph(object);
  if (/^(TH[123]|TProfile$)/.test(object._typename)) return histogramOfObject(binned(object));
  throw unsupported(
    `"${path}" is a ${object._typename}, which is not fitted.`,
    'Histograms, profiles and graphs are.',
  );
}

async function treeSource(
  open: OpenFile,
  chosen: ChosenTree,
  given: Given,
  context: Context,
): Promise<Source> {
  const result = await drawnTree(open, chosen, given, context);
  if (result.kind !== 'histogram') throw unsupported('Only histograms are fitted, not texts and lists.');
  const status = tellPartial(result.partial, 'baskets', context, true);
  const fitted = given['fit-unbinned'] ? await columnValues(open, chosen, given, context) : result;
  return { fitted, model: modelOfHistogram(result), status };
}
