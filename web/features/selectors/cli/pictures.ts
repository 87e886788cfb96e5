import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Histogram } from '../../../api/api';
import { unsupported } from '../../../base/data-errors';
import { formatCount } from '../../../base/format';
import { ioError } from '../../../base/io-error';
import type { Context } from '../../../cli/context';
import { givenLook } from '../../../cli/terminal/look-options';
import { writePicture } from '../../../cli/terminal/picture';
import { modelOfHistogram } from '../../../plot/histogram';
import type { AnyPlot } from '../../../plot/model';
import { plotPicture } from '../../../plot/svg';
import type { ScaledSample } from '../work/partial/samples';
import { fileNames } from './file-names';
import type { MadeGiven } from './made';
import type { PictureFormat } from './picture-formats';
import { stackOf } from './stack';
import type { Summand } from './systematics';
import { variationPlots } from './variation-plots';

interface PictureChoice {
  format: PictureFormat;
  luminosity: string | undefined;
  given: MadeGiven;
  /** See StackLook. */
  varied: readonly ScaledSample[] | undefined;
  /** The summands of the histograms, with their variations. */
  summands: readonly Summand[];
}

/**
 * Writes a picture of each histogram with one or two axes into a folder, and says how many. With samples those of one axis are
 * stacked, with the data over them. Variations are in the folder `variations` there, a picture for each source.
 */
export async function savePictures(
  folder: string,
  histograms: readonly (readonly [name: string, histogram: Histogram])[],
  samples: readonly ScaledSample[] | undefined,
  { format, luminosity, given, varied, summands }: PictureChoice,
  context: Context,
): Promise<void> {
  const look = givenLook(given);
  const names = fileNames(histograms.map(([name]) => name));
  const without: string[] = [];
  let variations = 0;
  const save = async (name: string, file: string, model: AnyPlot): Promise<void> => {
    const picture = plotPicture(model, look);
    if (picture.why !== undefined) throw unsupported(`"${name}": ${picture.why}`);
    const path = join(folder, `${file}.${format}`);
    try {
      await mkdir(dirname(path), { recursive: true });
    } catch (thrown) {
      throw ioError(`"${dirname(path)}" cannot be made`, thrown as NodeJS.ErrnoException, folder);
    }
    await writePicture({ [format]: path }, picture, context);
  };
  for (const [i, [name, histogram]] of histograms.entries()) {
    if (histogram.axes.length > 2) {
      without.push(name);
      continue;
    }
    const isStack = samples !== undefined && histogram.axes.length === 1;
    const model: AnyPlot = isStack
      ? await stackOf(name, samples, { below: look.below, luminosity, varied })
      : modelOfHistogram(histogram);
    await save(name, names[i] ?? '', model);
    const plots = variationPlots(name, histogram, summands);
    const files = fileNames(plots.map(({ source }) => `${names[i]}_${source}`));
    for (const [k, { model }] of plots.entries()) await save(name, `variations/${files[k]}`, model);
    variations += plots.length;
  }
  const count = histograms.length - without.length;
  const more = variations === 0 ? '' : `, and ${formatCount(variations)} of variations`;
  context.err.line(`${formatCount(count)} picture${count === 1 ? '' : 's'}${more} in ${folder}`);
  if (without.length > 0)
    context.err.line(`note: no picture of ${without.join(', ')}, with three axes; --root has them`);
}
