import { unsupported } from '../../base/data-errors';
import { XylemError } from '../../base/errors';
import type { Drawing } from '../../plot/drawing/drawing';
import type { AnyPlot } from '../../plot/model';
import type { PlotQuery } from '../../plot/query';
import { UsageError } from '../arguments';
import { callOf } from '../calls';
import { type Context, writeBytes, writeText } from '../context';
import { type Options, valued } from '../options';
import { givenLook } from './look-options';

/** The options of commands that draw. */
export const pictureOptions = {
  svg: valued('OUT', 'write a picture to the file OUT ("-" is stdout)'),
  png: valued('OUT', 'the same as PNG, twice as fine; with the package @resvg/resvg-js'),
  pdf: valued('OUT', 'the same as PDF, a page of lines and text'),
} as const satisfies Options;

export interface PictureGiven {
  svg?: string | undefined;
  png?: string | undefined;
  pdf?: string | undefined;
  json?: boolean | undefined;
  /** The query of the plot, for the record in figures. */
  query?: PlotQuery | undefined;
}

/** Whether a picture was requested. Throws UsageError when more than one form was. */
export function wantsPicture({ json, query: _, ...given }: PictureGiven): boolean {
  const forms = (['svg', 'png', 'pdf'] as const).filter((form) => given[form] !== undefined);
  const [first, second] = [...forms, ...(json ? ['json'] : [])];
  if (second !== undefined) throw new UsageError(`Take --${first} or --${second}, not both.`);
  return forms.length > 0;
}

/** Writes a picture in the requested form, to a file or stdout. */
export async function writePicture(
  given: PictureGiven,
  picture: string | Drawing,
  context: Context,
): Promise<void> {
  if (context.writeFigure)
    throw unsupported('This picture is not drawn in a style.', 'Leave out --style, or name a plot.');
  if (given.pdf !== undefined) {
    if (typeof picture === 'string')
      throw unsupported('This picture is not written as PDF.', 'Use --svg OUT or --png OUT.');
    const drawingPdf = await callOf('drawingPdf', 'writes no PDF');
    const { file, missing } = await drawingPdf(picture, picture.title);
    if (missing > 0)
      context.err.line(
        `note: ${missing} letters are "?", because the fonts of PDF readers lack them; --svg has them`,
      );
    await writeBytes(given.pdf, file, context);
    return;
  }
  const svg =
    typeof picture === 'string' ? picture : (await import('../../plot/drawing/drawing')).drawingSvg(picture);
  if (given.png !== undefined)
    await writeBytes(given.png, await pngOf(svg, (text) => context.err.line(`note: ${text}`)), context);
  else await writeText(given.svg ?? '-', svg, context);
}

/** Writes the picture of a plot, in the look that the options ask for, to a file or stdout. */
export async function writePlot(model: AnyPlot, given: PictureGiven, context: Context): Promise<void> {
  if (context.writeFigure) {
    await context.writeFigure(model, given);
    return;
  }
  const { plotPicture } = await import('../../plot/svg');
  const picture = plotPicture(model, givenLook(given));
  if (picture.why !== undefined) throw unsupported(picture.why, '--csv and --json have its numbers.');
  await writePicture(given, picture, context);
}

/** Factor between CSS pixels and pixels of the PNG. */
const ZOOM = 2;

/** Throws UNSUPPORTED when the package that draws is not installed. */
export async function pngOf(svg: string, note: (text: string) => void, zoom = ZOOM): Promise<Uint8Array> {
  const { Resvg } = await loadResvg();
  const options = { fitTo: { mode: 'zoom' as const, value: zoom }, font: { loadSystemFonts: true } };
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
