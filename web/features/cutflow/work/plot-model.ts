import { type Colour, drawingSvg, type Shape, type SvgPlace, short } from '../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../plot/drawing/frame';
import { modelOfHistogram } from '../../../plot/histogram';
import { layered } from '../../../plot/layers/layered';
import type { PlotModel, Series } from '../../../plot/model';
import { plotPicture } from '../../../plot/svg';
import type { CutPlot } from './plots';

/** A picture as SVG, at a place in a document. */
interface Picture {
  title: string;
  svg(place: SvgPlace): string;
}

/** Size of one plot, in CSS pixels. */
const SIZE = { width: 560, height: 360 };
const COLUMNS = 2;

/**
 * Returns the plot of a cut: its variable in the entries that pass all other cuts, and a line at each end of the cut; undefined
 * if it has none.
 */
export function modelOfPlot({ cut, edges = [], layers }: CutPlot): PlotModel | undefined {
  const parts = layers.map(({ sample = 'all other cuts', histogram }) => ({
    model: modelOfHistogram(histogram),
    label: sample,
  }));
  if (parts.length === 0) return undefined;
  const { model } = layered(parts, { norm: 'none', below: 'none' });
  if (model.kind !== 'bins') return undefined;
  const points = edges.length > 0 ? [linesAt(cut, edges)] : [];
  return { ...model, title: `${cut}: all other cuts`, points: [...(model.points ?? []), ...points] };
}

/** Lines from the top to the bottom of a plot. */
function linesAt(cut: string, edges: readonly number[]): Series {
  const nowhere = new Float64Array(edges.length).fill(Number.NaN);
  return {
    ...{ title: cut, x: Float64Array.from(edges), y: nowhere, dots: false, ink: 'time', dash: '5 4' },
    shapes: (_series: Series, ink: Colour, { box, x }: PlotFrame): Shape[] =>
      edges.map((edge) => ({
        ...{ kind: 'path', stroke: ink, width: 2, dash: '5 4' },
        d: `M${short(x.toPixel(edge))} ${short(box.top)}V${short(box.bottom)}`,
      })),
  };
}

/** Returns the plots of a cutflow as pictures, without those of cuts that have no variable. */
export function plotPictures(plots: readonly CutPlot[]): Picture[] {
  return plots.flatMap((plot) => {
    const model = modelOfPlot(plot);
    return model ? [{ title: model.title, svg: (place) => drawingSvg(plotPicture(model, SIZE), place) }] : [];
  });
}

/** Returns the plots of a cutflow as one SVG document, beside each other. */
export function plotsSvg(plots: readonly CutPlot[]): string {
  const pictures = plotPictures(plots);
  const columns = Math.min(COLUMNS, Math.max(1, pictures.length));
  const [width, height] = [columns * SIZE.width, Math.ceil(pictures.length / columns) * SIZE.height];
  const parts = pictures.map(({ svg }, i) =>
    svg({
      id: `p${i}-`,
      x: (i % columns) * SIZE.width,
      y: Math.floor(i / columns) * SIZE.height,
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">\n${parts.join('')}</svg>\n`;
}
