import { XylemError } from '../../../base/errors';
import { didYouMean, nearest } from '../../../base/suggest';
import { UsageError } from '../../../cli/arguments';
import { type Context, writeBytes, writeText } from '../../../cli/context';
import { readNamed } from '../../../cli/read-file';
import { givenLook } from '../../../cli/terminal/look-options';
import { type PictureGiven, pngOf, wantsPicture } from '../../../cli/terminal/picture';
import { type Figure, figureOf } from '../work/figure';
import { figurePdf } from '../work/forms/figure-pdf';
import { outlinedSvg, withRecord } from '../work/forms/figure-png';
import { figureSvg } from '../work/forms/figure-svg';
import { namedStyle } from '../work/presets';
import { parseStyle, presetNames, type Style } from '../work/style';

/** Returns the surroundings in which plots are written as figures in a style. Throws UsageError, IO and ARGUMENT. */
export async function withFigures(
  named: string,
  given: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<Context> {
  if (!wantsPicture(given as PictureGiven))
    throw new UsageError('--style is for pictures: add --svg, --pdf or --png.');
  const style = await styleOf(named, context);
  return {
    ...context,
    async writeFigure(model, asked) {
      const options = optionsOf(given);
      const figure = await figureOf(model, style, { look: givenLook(given) }, { ...asked.query, options });
      await writeFigure(figure, asked, context);
    },
  };
}

/** Reads a style: a preset, or a file. */
export async function styleOf(named: string, { files }: Context): Promise<Style> {
  if (presetNames.some((name) => name === named)) return namedStyle(named);
  await files.addInput(named);
  try {
    return parseStyle((await readNamed(named)).toString('utf8'));
  } catch (thrown) {
    const like = didYouMean(nearest(named, presetNames), '');
    throw like !== undefined && thrown instanceof XylemError && thrown.code === 'IO'
      ? new UsageError(`There is no style "${named}". ${like}`)
      : thrown;
  }
}

/** Options that do not say what is drawn, or that may name files. */
const LEFT_OUT = /^(svg|png|pdf|style|layer|label|header|no-cache|trace|force|friend|alias|entry-list)$/;

/** Returns the options of a line that say what is drawn. */
function optionsOf(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isPath = (value: unknown) => typeof value === 'string' && /[/\\]/.test(value);
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => !LEFT_OUT.test(name) && value !== undefined && value !== false && !isPath(value),
    ),
  );
}

async function writeFigure(figure: Figure, given: PictureGiven, context: Context): Promise<void> {
  if (given.svg !== undefined) await writeText(given.svg, figureSvg(figure), context);
  if (given.pdf !== undefined) await writeBytes(given.pdf, await figurePdf(figure), context);
  if (given.png !== undefined) {
    // Its letters are outlines, so that fonts of this machine are not needed.
    const png = await pngOf(outlinedSvg(figure).svg, () => undefined, 1);
    await writeBytes(given.png, withRecord(png, figure), context);
  }
  const { missing } = figure.fonts;
  if (missing.length > 0)
    context.err.line(
      `note: the embedded fonts lack ${missing
        .slice(0, 20)
        .map((letter) => `"${letter}"`)
        .join(' ')}`,
    );
}
