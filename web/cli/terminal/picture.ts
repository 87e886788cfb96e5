import { unsupported } from '../../base/data-errors';
import { XylemError } from '../../base/errors';
import type { AnyPlot } from '../../plot/model';
import { UsageError } from '../arguments';
import { type Context, writeBytes, writeText } from '../context';
import { type Options, valued } from '../options';
import { givenLook } from './look-options';

/** The options of commands that draw. */
export const pictureOptions = {
  svg: valued('OUT', 'write a picture to the file OUT ("-" is stdout)'),
  png: valued('OUT', 'the same as PNG, twice as fine; with the package @resvg/resvg-js'),
} as const satisfies Options;

export interface PictureGiven {
  svg?: string | undefined;
  png?: string | undefined;
  json?: boolean | undefined;
}

/** Whether a picture was requested. Throws UsageError when more than one form was. */
export function wantsPicture({ svg, png, json }: PictureGiven): boolean {
  const asked = [svg !== undefined && '--svg', png !== undefined && '--png', json && '--json'];
  const [first, second] = asked.filter((one) => typeof one === 'string');
  if (second !== undefined) throw new UsageError(`Take ${first} or ${second}, not both.`);
  return svg !== undefined || png !== undefined;
}

/** Writes a picture in the requested form, to a file or stdout. */
export async function writePicture(given: PictureGiven, svg: string, context: Context): Promise<void> {
  if (given.png !== undefined)
    await writeBytes(given.png, await pngOf(svg, (text) => context.err.line(`note: ${text}`)), context);
  else await writeText(given.svg ?? '-', svg, context);
}

/** Writes the picture of a plot, in the look that the options ask for, to a file or stdout. */
export async function writePlot(model: AnyPlot, given: PictureGiven, context: Context): Promise<void> {
  const [{ plotPicture }, { drawingSvg }] = await Promise.all([
    import('../../plot/svg'),
    import('../../plot/drawing/drawing'),
  ]);
  const picture = plotPicture(model, givenLook(given));
  if (picture.why !== undefined) throw unsupported(picture.why, '--csv and --json have its numbers.');
  await writePicture(given, drawingSvg(picture), context);
}

/** Factor between CSS pixels and pixels of the PNG. */
const ZOOM = 2;

/** Throws UNSUPPORTED when the package that draws is not installed. */
export async function pngOf(svg: string, note: (text: string) => void): Promise<Uint8Array> {
  const { Resvg } = await loadResvg();
  const options = { fitTo: { mode: 'zoom' as const, value: ZOOM }, font: { loadSystemFonts: true } };
  const text = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text y="8">x</text></svg>';
  if (new Resvg(text, options).getBBox() === undefined) {
    note('this machine has no fonts, so that the picture has no text; install one (fonts-dejavu-core)');
  }
  return new Resvg(svg, options).render().asPng();
}

async function loadResvg(): Promise<typeof import('@resvg/resvg-js')> {
  try {
    return await import('@resvg/resvg-js');
  } catch (cause) {
    throw new XylemError({
      code: 'UNSUPPORTED',
      message: 'PNG is drawn by the package @resvg/resvg-js, which is not installed.',
      fix: 'npm install @resvg/resvg-js or use --svg, which needs no package.',
      cause,
    });
  }
}
