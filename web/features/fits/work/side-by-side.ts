import { unsupported } from '../../../base/data-errors';
import { drawingSvg, escapeXml, PALETTE } from '../../../plot/drawing/drawing';
import type { AnyPlot } from '../../../plot/model';
import { plotPicture, type SvgOptions } from '../../../plot/svg';

const GAP = 12;

/** Writes plots beside and below each other as one SVG document. Throws UNSUPPORTED for a plot that cannot be drawn. */
export function sideBySide(plots: readonly AnyPlot[], title: string, options: SvgOptions): string {
  const drawings = plots.map((one) => {
    const drawing = plotPicture(one, options);
    if (drawing.why !== undefined) throw unsupported(drawing.why, '--json has its numbers.');
    return drawing;
  });
  const across = drawings.length === 4 ? 2 : Math.min(3, drawings.length);
  const wide = Math.max(...drawings.map(({ width }) => width));
  const tall = Math.max(...drawings.map(({ height }) => height));
  const width = GAP + across * (wide + GAP);
  const height = GAP + Math.ceil(drawings.length / across) * (tall + GAP);
  const parts = drawings.map((drawing, i) =>
    drawingSvg(drawing, {
      id: `p${i}-`,
      x: GAP + (i % across) * (wide + GAP),
      y: GAP + Math.floor(i / across) * (tall + GAP),
    }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${PALETTE.paper}"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n');
}
