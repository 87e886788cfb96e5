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

interface PictureChoice {
  format: PictureFormat;
  luminosity: string | undefined;
  given: MadeGiven;
  /** See StackLook. */
  varied: readonly ScaledSample[] | undefined;
}

/**
 * Writes a picture of each histogram with one or two axes into a folder, and says how many. With samples those of one axis are
 * stacked, with the data over them.
 */
export async function savePictures(
  folder: string,
  histograms: readonly (readonly [name: string, histogram: Histogram])[],
  samples: readonly ScaledSample[] | undefined,
  { format, luminosity, given, varied }: PictureChoice,
  context: Context,
): Promise<void> {
  const look = givenLook(given);
  const names = fileNames(histograms.map(([name]) => name));
  const without: string[] = [];
  for (const [i, [name, histogram]] of histograms.entries()) {
    if (histogram.axes.length > 2) {
      without.push(name);
      continue;
    }
    const isStack = samples !== undefined && histogram.axes.length === 1;
    const model: AnyPlot = isStack
      ? await stackOf(name, samples, { below: look.below, luminosity, varied })
      : modelOfHistogram(histogram);
    const picture = plotPicture(model, look);
    if (picture.why !== undefined) throw unsupported(`"${name}": ${picture.why}`);
    const path = join(folder, `${names[i]}.${format}`);
    try {
      await mkdir(dirname(path), { recursive: true });
    } catch (thrown) {
      throw ioError(`"${dirname(path)}" cannot be made`, thrown as NodeJS.ErrnoException, folder);
    }
    await writePicture({ [format]: path }, picture, context);
  }
  const count = histograms.length - without.length;
  context.err.line(`${formatCount(count)} picture${count === 1 ? '' : 's'} in ${folder}`);
  if (without.length > 0)
    context.err.line(`note: no picture of ${without.join(', ')}, with three axes; --root has them`);
}
