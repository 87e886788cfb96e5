import type { Drawing } from '../../../plot/drawing/drawing';
import { pageContent, type Resources } from './content';
import { pdfFile } from './file';

/** Points (1/72 inch) in a CSS pixel. */
const POINTS = 0.75;

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
