import type { PlainObject } from '../../../api/api';
import { pointsOf } from '../../../bins/stored-graph';
import type { Places } from '../../drawing/axes';
import { type Colour, type Shape, short } from '../../drawing/drawing';
import type { PlotFrame } from '../../drawing/frame';
import { type GraphModel, type Range, statNumber } from '../../model';
import { limitsOf } from '../functions';
import { label, number, record } from '../members';
import { type Follow, references } from '../references';
import { axis } from '../stored-axis';
import { type Colouring, colouredPanel } from './coloured';

/** Maximum number of bins, and of their corners, that are drawn. */
const MAX_BINS = 200_000;
const MAX_CORNERS = 4_000_000;

/** One bin: its outlines (several if it is made of several graphs), and its content. */
export interface Polygon {
  outlines: { x: Float64Array; y: Float64Array }[];
  content: number;
  box: [left: number, low: number, right: number, high: number];
}

/** Returns the bins of a TH2Poly or TProfile2Poly; undefined if their members do not fit together, or are too many. */
export function polygonsOf(object: PlainObject, follow: Follow = references(object)): Polygon[] | undefined {
  const items = record(object.fBins)?.arr;
  if (!Array.isArray(items) || items.length > MAX_BINS) return undefined;
  let corners = 0;
  const polygons: Polygon[] = [];
  for (const item of items) {
    const bin = follow(item);
    const shape = follow(bin?.fPoly);
    const graphs = record(shape?.fGraphs)?.arr;
    const parts = Array.isArray(graphs) ? graphs.map(follow) : [shape];
    const outlines = parts.flatMap((one) => {
      const points = one && pointsOf(one);
      return points === undefined ? [] : [points];
    });
    corners += outlines.reduce((sum, { x }) => sum + x.length, 0);
    if (bin === undefined || outlines.length === 0 || corners > MAX_CORNERS) return undefined;
    const ends: Polygon['box'] = [
      Number.POSITIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ];
    for (const { x, y } of outlines)
      for (let i = 0; i < x.length; i++) {
        const [at, height] = [x[i] ?? 0, y[i] ?? 0];
        ends[0] = Math.min(ends[0], at);
        ends[1] = Math.min(ends[1], height);
        ends[2] = Math.max(ends[2], at);
        ends[3] = Math.max(ends[3], height);
      }
    const content = number(bin.fAverage ?? bin.fContent);
    polygons.push({ outlines, content, box: ends });
  }
  return polygons;
}

/** Returns a plot of bins of any shape in the colours of their contents. */
export function polygonsModel(object: PlainObject): GraphModel | undefined {
  const polygons = polygonsOf(object);
  const x = axis(object.fXaxis);
  const y = axis(object.fYaxis);
  if (polygons === undefined || x === undefined || y === undefined) return undefined;
  const ends = (edges: Float64Array): Range => [edges[0] ?? 0, edges.at(-1) ?? 1];
  const [left, right] = ends(x.edges);
  const [low, high] = ends(y.edges);
  const middles = (k: 0 | 1, from: number, to: number) =>
    Float64Array.from([from, ...polygons.map(({ box }) => (box[k] + box[(k + 2) as 2 | 3]) / 2), to]);
  const [title = ''] = label(object.fTitle).split(';');
  return {
    kind: 'graph',
    title: title || label(object.fName),
    ...{ xTitle: x.title, yTitle: y.title },
    x: middles(0, left, right),
    y: middles(1, low, high),
    dots: false,
    limits: { low, high },
    right: {
      title: label(record(object.fZaxis)?.fTitle),
      ink: 'ink',
      panel: colouredPanel(
        Float64Array.from(polygons, ({ content }) => content),
        limitsOf(object),
        (frame, colours) => polygonShapes(polygons, frame, colours.of),
        (frame, at) => {
          const [x, y] = [frame.x.toValue(at.x), frame.y.toValue(at.y)];
          const index = polygons.findIndex((one) => isWithin(one, x, y));
          return index < 0 ? undefined : { index: index + 1, distance: 0 };
        },
      ),
    },
    note: (index) => noteOf(polygons[index - 1]),
    stats: [
      { label: 'Entries', value: statNumber(number(object.fEntries)) },
      { label: 'Bins', value: statNumber(polygons.length) },
    ],
  };
}

function noteOf(polygon: Polygon | undefined): string {
  if (polygon === undefined) return '';
  const [left, low, right, high] = polygon.box;
  const span = (from: number, to: number) => `${statNumber(from)} to ${statNumber(to)}`;
  return [`x ${span(left, right)}`, `y ${span(low, high)}`, statNumber(polygon.content)].join('\n');
}

function polygonShapes(polygons: readonly Polygon[], frame: PlotFrame, colourOf: Colouring['of']): Shape[] {
  // One path for all bins of a colour.
  const paths = new Map<Colour | undefined, string[]>();
  for (const { outlines, content } of polygons) {
    const fill = colourOf(content);
    const path = paths.get(fill) ?? [];
    paths.set(fill, [...path, outlinesPath(outlines, frame)]);
  }
  return [...paths].map(([fill, path]) => ({
    ...{ kind: 'path', d: path.join(''), stroke: 'grid', width: 0.5 },
    ...(fill && { fill }),
  }));
}

/** The outlines of a bin. */
export function outlinesPath(outlines: Polygon['outlines'], { x, y }: Places): string {
  const corner = (at: number, height = 0) => `${short(x.toPixel(at))} ${short(y.toPixel(height))}`;
  return outlines
    .map((outline) => `M${Array.from(outline.x, (at, i) => corner(at, outline.y[i])).join('L')}Z`)
    .join('');
}

/** Whether a place lies within a bin: how often its outline is crossed on the way there. */
export function isWithin({ outlines, box }: Polygon, x: number, y: number): boolean {
  if (x < box[0] || x > box[2] || y < box[1] || y > box[3]) return false;
  let inside = false;
  for (const outline of outlines) {
    const n = outline.x.length;
    for (let i = 0, j = n - 1; i < n; j = i++) {
      const [xi, yi, xj, yj] = [outline.x[i], outline.y[i], outline.x[j], outline.y[j]].map(Number) as [
        number,
        number,
        number,
        number,
      ];
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
  }
  return inside;
}
