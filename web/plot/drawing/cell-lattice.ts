import type { Colour, Shape } from './drawing';
import { pathSteps } from './short-path';

/** A row of cells of one colour: its first column, its row, and how many cells it has. */
type Run = readonly [column: number, row: number, cells: number];

/** Cells of a map whose edges are equally spaced in pixels. */
export interface Lattice {
  x: { first: number; step: number };
  y: { first: number; step: number };
  paths: { fill: Colour; runs: Run[] }[];
}

interface Cell {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Returns the cells of paths of rectangles; undefined if there is another shape, or if widths or heights differ. */
export function cellLattice(shapes: readonly Shape[]): Lattice | undefined {
  const paths: { fill: Colour; cells: Cell[] }[] = [];
  for (const shape of shapes) {
    if (shape.kind !== 'path' || !shape.crisp || shape.stroke || !shape.fill) return undefined;
    const cells = cellsOf(shape.d);
    if (cells === undefined || shape.opacity !== undefined || shape.fillOpacity !== undefined)
      return undefined;
    paths.push({ fill: shape.fill, cells });
  }
  const all = paths.flatMap(({ cells }) => cells);
  const x = spacing(all.map(({ left, right }) => [left, right]));
  const y = spacing(all.map(({ top, bottom }) => [top, bottom]));
  if (x === undefined || y === undefined) return undefined;
  const runs = (cells: readonly Cell[]): Run[] =>
    cells.map(({ left, right, top }) => [
      Math.round((left - x.first) / x.step),
      Math.round((top - y.first) / y.step),
      Math.round((right - left) / x.step),
    ]);
  if (all.some(({ top, bottom }) => Math.round((bottom - top) / y.step) !== 1)) return undefined;
  return { x, y, paths: paths.map(({ fill, cells }) => ({ fill, runs: runs(cells) })) };
}

/** Writes cells as lines of width 1 through their middles, in units of cells. The middle of row 0 is at 0. */
export function latticePath(runs: readonly Run[]): string {
  let [x, y] = [0, 0];
  return runs
    .map(([column, row, cells], i) => {
      const [dx, dy] = [column - x, row - y];
      [x, y] = [column + cells, row];
      return `${i === 0 ? 'M' : 'm'}${dx}${dy < 0 ? '' : ' '}${dy}h${cells}`;
    })
    .join('');
}

/** Returns the rectangles of a path; undefined if it has another figure. */
function cellsOf(d: string): Cell[] | undefined {
  const steps = pathSteps(d);
  if (steps === undefined || steps.length === 0 || steps.length % 5 !== 0) return undefined;
  const cells: Cell[] = [];
  for (let i = 0; i < steps.length; i += 5) {
    const five = steps.slice(i, i + 5);
    if (five.map(({ command }) => command).join('') !== 'MLLLz') return undefined;
    const [[left = 0, top = 0] = [], [right = 0, one] = [], [two, bottom = 0] = [], [three, four] = []] =
      five.map(({ numbers }) => numbers);
    if (one !== top || two !== right || three !== left || four !== bottom) return undefined;
    cells.push({ left, right, top, bottom });
  }
  return cells;
}

/** Returns the step of equally spaced edges; undefined if one is off by more than coordinates are rounded. */
function spacing(spans: readonly (readonly [number, number])[]): { first: number; step: number } | undefined {
  let [first, last, narrowest] = [
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ];
  for (const [from, to] of spans) {
    first = Math.min(first, from);
    last = Math.max(last, to);
    narrowest = Math.min(narrowest, to - from);
  }
  const count = Math.round((last - first) / narrowest);
  if (!(narrowest > 0.5) || !(count >= 1)) return undefined;
  const step = (last - first) / count;
  const isOff = (edge: number) =>
    Math.abs((edge - first) / step - Math.round((edge - first) / step)) * step > 0.05;
  return spans.some(([from, to]) => isOff(from) || isOff(to)) ? undefined : { first, step };
}
