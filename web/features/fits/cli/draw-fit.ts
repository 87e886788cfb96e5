import type { PlainObject } from '../../../api/api';
import type { FitOptions, TogetherOptions } from '../../../api/fit';
import { unsupported } from '../../../base/data-errors';
import { isGraphClass, storedGraph } from '../../../bins/stored-graph';
import { binned, histogramOfObject } from '../../../bins/stored-histogram';
import { parseAxisRange, UsageError } from '../../../cli/arguments';
import { type DrawGiven, drawnTree, wishesOf } from '../../../cli/commands/draw';
import { checkDecoded, isStored, storedModel } from '../../../cli/commands/draw-stored';
import { type Context, type OpenFile, tellPartial, withFile } from '../../../cli/context';
import { type ChosenTree, withTree } from '../../../cli/trees';
import { nodeModules } from '../../../core/modules/node-modules';
import { modelOfHistogram } from '../../../plot/histogram';
import type { AnyPlot } from '../../../plot/model';
import type { LayersGiven } from '../../layers/cli/options';
import { parseContour } from '../work/contour-plot';
import { type Fitted, fit } from '../work/fit';
import { parseParameters } from '../work/options';
import type { FitGiven } from './options';
import { checkFitForms, showFit } from './show-fit';
import { columnValues } from './values';

export type DrawFitGiven = DrawGiven & FitGiven & Pick<LayersGiven, 'layer' | 'label'>;
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
  if (given['fit-shared'] !== undefined || given.layer !== undefined)
    return await (await import('./draw-together')).drawTogether(given, [file, ...words], context);
  wishesOf(given);
  checkFitForms(given);
  const options = optionsOf(given);
  const text = functionOf(given);
  return await withFile(file, given, context, async (open) => {
    const [path = ''] = words;
    const { fitted, model, status } =
      words.length === 1 && (await isStored(open, path))
        ? await storedSource(open, path, given)
        : await withTree(open, words, 'EXPR', (chosen) => treeSource(open, chosen, given, context));
    const made = await fit(() => nodeModules('fit'), fitted, text, options);
    await showFit(made.result, [{ made, model }], given, context);
    return made.result.valid ? status : 1;
  });
}

/** The only function. Throws UsageError for several. */
export function functionOf({ fit: [first = '', ...others] = [] }: FitGiven): string {
  if (others.length > 0)
    throw new UsageError('Several functions are for several layers: --layer and --fit-shared.');
  return first;
}

/** The options of a simultaneous fit. Throws UsageError. */
export function togetherOf(given: Given): TogetherOptions {
  const { layer = [], fit: functions = [], 'fit-shared': shared } = given;
  if (layer.length === 0)
    throw new UsageError('--fit-shared is for several layers: name others with --layer.');
  if (shared === undefined)
    throw new UsageError(
      'Layers are fitted together: --fit-shared names the parameters that are the same in all.',
    );
  if (given['fit-unbinned']) throw new UsageError('--fit-unbinned does not go with --layer.');
  if (functions.length > 1 && functions.length !== layer.length + 1)
    throw new UsageError(`There are ${layer.length + 1} layers and ${functions.length} functions.`);
  const names = shared.split(',').map((one) => one.trim());
  return { ...optionsOf(given), shared: names.filter((name) => name !== '') };
}

export function optionsOf(given: FitGiven): FitOptions {
  const { 'fit-range': range, 'fit-options': options, 'fit-parameters': parameters } = given;
  return {
    range: range?.split(',').map((one) => parseAxisRange(one, '--fit-range')),
    options,
    parameters: parameters === undefined ? undefined : parseParameters(parameters),
    contours: given['fit-contour']?.map(parseContour),
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
