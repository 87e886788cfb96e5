import type { Context } from '../../../cli/context';
import { nodeModules } from '../../../core/modules/node-modules';
import { withLayers } from '../../layers/cli/draw-layers';
import type { ShownLayer } from '../../layers/cli/show-layers';
import { fitAll, type PartOfFit } from '../work/together';
import { type DrawFitGiven, fittedObject, togetherOf } from './draw-fit';
import { checkFitForms, showFit } from './show-fit';

/** Fits functions to the layers of a line, with shared parameters. Returns the exit status: 1 if no minimum was found. */
export async function drawTogether(
  given: DrawFitGiven,
  words: readonly string[],
  context: Context,
): Promise<number> {
  checkFitForms(given);
  const options = togetherOf(given);
  return await withLayers(given, words, context, async ({ layers, status }) => {
    const { result, fits } = await fitAll(() => nodeModules('fit'), partsOf(layers, given.fit), options);
    const shown = fits.map((made, k) => {
      const { part } = layers[k] as ShownLayer;
      return { made, model: { ...part.model, title: part.label } };
    });
    await showFit(result, shown, given, context);
    return result.valid ? status : 1;
  });
}

/** The layers with their functions: one for all, or one for each. */
export function partsOf(layers: readonly ShownLayer[], functions: readonly string[] = []): PartOfFit[] {
  return layers.map(({ part, object, histogram }, k) => ({
    fitted: object ? fittedObject(object, part.label) : histogram(),
    text: functions[k] ?? functions[0] ?? '',
  }));
}
