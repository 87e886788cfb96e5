import { colourScale } from './colour-scale';
import { cellsOf, colourIndex, contentRange } from './map-cells';
import type { MapModel } from './model';
import { type Frame, frameOf, n, svgDocument, text } from './svg-frame';
import { axisTicks } from './ticks';

/** More cells than this along an axis are finer than the picture. */
const maxCells = 400;

/** A two-dimensional histogram as an SVG document with its scale of colours beside it. */
export function mapSvg(model: MapModel, size: { width: number; height: number }, log: boolean): string {
  const cells = cellsOf(model, maxCells);
  const [low, high] = contentRange(cells.values, log);
  const axis = (edges: Float64Array, title: string, labels: string[] | undefined) => ({
    range: [edges[0] ?? 0, edges.at(-1) ?? 1] as [number, number],
    log: false,
    title,
    names: labels && { edges, labels },
  });
  const x = axis(model.xEdges, model.xTitle, model.xLabels);
  const y = axis(model.yEdges, model.yTitle, model.yLabels);
  const frame = frameOf(size.width, size.height, x, y, 92);
  const scale = colourScale(false);
  const colour = (index: number) => {
    const hex = [0, 1, 2].map((part) => (scale[index * 3 + part] ?? 0).toString(16).padStart(2, '0'));
    return `#${hex.join('')}`;
  };

  // One path for all the cells of a colour, neighbours of a row as one rectangle: small and seamless.
  const paths = new Map<number, string[]>();
  const nx = cells.xEdges.length - 1;
  for (let row = 0; row < cells.yEdges.length - 1; row++) {
    const top = frame.y.scale(cells.yEdges[row + 1] ?? 0);
    const tall = frame.y.scale(cells.yEdges[row] ?? 0) - top;
    for (let at = 0; at < nx; ) {
      const index = colourIndex(cells.values[row * nx + at] ?? 0, low, high, log);
      let end = at + 1;
      while (end < nx && colourIndex(cells.values[row * nx + end] ?? 0, low, high, log) === index) end++;
      if (index >= 0) {
        const left = frame.x.scale(cells.xEdges[at] ?? 0);
        const right = frame.x.scale(cells.xEdges[end] ?? 0);
        const path = paths.get(index) ?? [];
        path.push(`M${n(left)} ${n(top)}H${n(right)}v${n(tall)}H${n(left)}Z`);
        paths.set(index, path);
      }
      at = end;
    }
  }
  const drawn = [...paths].map(([index, path]) => `<path d="${path.join('')}" fill="${colour(index)}"/>`);
  const content = [
    `<g shape-rendering="crispEdges">${drawn.join('\n')}</g>`,
    colourBar(frame, colour, low, high, log),
  ];
  return svgDocument(size, model.title, frame, content);
}

function colourBar(
  frame: Frame,
  colour: (index: number) => string,
  low: number,
  high: number,
  log: boolean,
): string {
  const left = frame.right + 16;
  const tall = frame.bottom - frame.top;
  const parts: string[] = [];
  for (let i = 0; i < 64; i++) {
    const y = frame.bottom - ((i + 1) / 64) * tall;
    parts.push(
      `<rect x="${n(left)}" y="${n(y)}" width="12" height="${n(tall / 64 + 0.5)}" fill="${colour(i * 4 + 3)}"/>`,
    );
  }
  const ticks = axisTicks(low, high, Math.max(2, Math.round(tall / 55)), log);
  ticks.values.forEach((value, i) => {
    const share = log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    parts.push(text(left + 18, frame.bottom - share * tall + 4.5, ticks.labels[i] ?? '', 'font-size="12"'));
  });
  return parts.join('\n');
}
