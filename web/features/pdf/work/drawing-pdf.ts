import type { Drawing, Shape } from '../../../plot/drawing/drawing';
import { pageContent, type Resources, type SetText } from './content';
import type { EmbeddedFont } from './embedded-font';
import { type PdfInfo, pdfFile } from './file';

/** Points (1/72 inch) in a CSS pixel. */
const POINTS = 0.75;

/** A page of a size on paper, in fonts that are within the document. */
export interface Typesetting {
  /** In points (1/72 inch). */
  width: number;
  height: number;
  setText: (shape: Shape & { kind: 'text' }) => SetText;
  /** Returns the fonts of all texts that were set, in the order of their indices. */
  fonts(): EmbeddedFont[];
  info: PdfInfo;
}

/** Writes a drawing as a PDF of one page with embedded fonts. */
export async function typesetPdf(
  drawing: Drawing,
  typesetting: Typesetting,
): Promise<Uint8Array<ArrayBuffer>> {
  const { width, height, setText, fonts, info } = typesetting;
  const resources: Resources = { fonts: [], opacities: [], missing: 0, setText };
  const content = pageContent([{ drawing, x: 0, y: 0 }], resources);
  const page = { width, height, scale: width / drawing.width, content };
  return await pdfFile([page], drawing.title, resources, { fonts: fonts(), info });
}

/**
 * Writes a drawing as a PDF of one page of its size. `missing` counts characters that the standard PDF fonts lack; each is
 * written as a question mark.
 */
export async function drawingPdf(
  drawing: Drawing,
  title: string,
): Promise<{ file: Uint8Array; missing: number }> {
  const { width, height } = drawing;
  const resources: Resources = { fonts: [], opacities: [], missing: 0 };
  const content = pageContent([{ drawing, x: 0, y: 0 }], resources);
  const page = { width: POINTS * width, height: POINTS * height, scale: POINTS, content };
  return { file: await pdfFile([page], title, resources), missing: resources.missing };
}
