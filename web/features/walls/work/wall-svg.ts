import { formatCount } from '../../../base/format';
import {
  type Drawing,
  drawingSvg,
  escapeXml,
  lineInk,
  PALETTE,
  type Shape,
  type SvgPlace,
  TEXT_SIZE,
} from '../../../plot/drawing/drawing';
import { fittedTitle, readableLatex } from '../../../plot/drawing/latex';
import { reasonShapes } from '../../../plot/drawing/reason';
import type { AnyPlot, LogAxes } from '../../../plot/model';
import { type PlotDrawing, plotDrawing } from '../../../plot/plot-drawing';
import type { PlotWindow } from '../../../plot/ranges';
import { type CommonAxes, commonAxes, onCommonAxes, ownAxes } from './common-axes';
import type { Tile } from './tile';

export interface WallLook {
  /** Logarithmic axes; for a map, `y` is the colour scale. */
  log: LogAxes;
  sameAxes: boolean;
}

/** Size of a plot of a wall, and of its heading, in CSS pixels. */
export const TILE = { width: 320, height: 230, head: 38 } as const;
/** Height of a plot with a ratio below it. */
const RATIO_HEIGHT = 300;
export const GAP = 12;
/** Height of the heading of the whole wall. */
export const HEADING = 48;

/** Returns the shared axes of a wall, if `sameAxes` is set. */
export function axesOfWall(tiles: readonly Tile[], { log, sameAxes }: WallLook): CommonAxes | undefined {
  if (!sameAxes) return undefined;
  return commonAxes(tiles.flatMap(({ model }) => (model ? [ownAxes(model, log)] : [])));
}

export function hasRatio(model: AnyPlot | undefined): boolean {
  return model !== undefined && model.kind !== 'map' && model.below !== undefined;
}

/** Returns the height of the plots of a wall. */
export function tileHeight(tiles: readonly Tile[]): number {
  return tiles.some(({ model }) => hasRatio(model)) ? RATIO_HEIGHT : TILE.height;
}

/** Returns a tile as a part of a document: its picture, scaled, or its plot. */
export function tileSvg(
  tile: Tile,
  size: { width: number; height: number },
  look: WallLook,
  axes: CommonAxes | undefined,
  place: SvgPlace,
): string {
  if (tile.picture) return drawingSvg(tile.picture, { ...place, size });
  return drawingSvg(tileDrawing(tile, size, look, axes), place);
}

/** Draws a plot of a wall without its heading, or the reason why it cannot be drawn. */
export function tileDrawing(
  tile: Tile,
  size: { width: number; height: number },
  { log }: WallLook,
  axes: CommonAxes | undefined,
): PlotDrawing {
  const { model } = tile;
  if (!model)
    return {
      ...size,
      frames: [],
      title: tile.name,
      shapes: reasonShapes(tile.why ?? 'There is no plot.', { left: 12, top: 30, width: size.width - 24 }),
    };
  const shown = small(model);
  const placed: { model: AnyPlot; window?: PlotWindow | undefined } = axes
    ? onCommonAxes(shown, axes, log)
    : { model: shown };
  const free = axes !== undefined;
  return plotDrawing(placed.model, size, { log, window: placed.window, free });
}

/** Removes the axis titles, for which small plots have no room. */
function small(model: AnyPlot): AnyPlot {
  return { ...model, yTitle: '' };
}

/** Returns one SVG document with the plots in rows and columns. */
export function wallSvg(
  tiles: readonly Tile[],
  { title, columns, ...look }: WallLook & { title: string; columns: number },
): string {
  const axes = axesOfWall(tiles, look);
  const across = Math.max(1, Math.min(columns, tiles.length));
  const height = tileHeight(tiles);
  const [stepX, stepY] = [TILE.width + GAP, TILE.head + height + GAP];
  const wide = GAP + across * stepX;
  const tall = HEADING + Math.ceil(tiles.length / across) * stepY;
  const parts = tiles.map((tile, i) => {
    const x = GAP + (i % across) * stepX;
    const y = HEADING + Math.floor(i / across) * stepY;
    const place = { id: `p${i}-`, x, y: y + TILE.head };
    const plot = tileSvg(tile, { width: TILE.width, height }, look, axes, place);
    return drawingSvg(headOf(tile), { id: `h${i}-`, x, y }) + plot;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}" role="img">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${wide}" height="${tall}" fill="${PALETTE.paper}"/>`,
    drawingSvg(wallHeading(title, tiles, wide), { id: 'top-', x: 0, y: 0 }),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

/** Draws the heading of the whole wall: title, number of plots, and which line is the reference. */
export function wallHeading(title: string, tiles: readonly Tile[], width: number): Drawing {
  const plots = tiles.length;
  const count = `${formatCount(plots)} ${plots === 1 ? 'plot' : 'plots'}`;
  const shapes: Shape[] = [
    { kind: 'text', x: GAP, y: 28, text: fittedTitle(title, (width - 140) / 18), size: 18, bold: true },
    { kind: 'text', x: width - GAP, y: 28, text: count, anchor: 'end', fill: 'faint' },
    ...(hasReference(tiles) ? legendShapes(GAP, HEADING - 6) : []),
  ];
  return { width, height: HEADING, title, shapes };
}

function hasReference(tiles: readonly Tile[]): boolean {
  return tiles.some((tile) => 'verdict' in tile);
}

/** Returns the legend as a drawing of its own; undefined if nothing is compared. */
export function wallLegend(tiles: readonly Tile[]): Drawing | undefined {
  if (!hasReference(tiles)) return undefined;
  return { width: 210, height: 20, title: 'Legend', shapes: legendShapes(6, 14) };
}

function legendShapes(left: number, y: number): Shape[] {
  const entry = (x: number, ink: number, text: string): Shape[] => [
    { kind: 'path', d: `M${x} ${y - 4}h16`, stroke: lineInk(ink), width: 3 },
    { kind: 'text', x: x + 22, y, text },
  ];
  return [...entry(left, 0, 'this file'), ...entry(left + 84, 1, 'the reference')];
}

export function headOf(tile: Tile): Drawing {
  return { width: TILE.width, height: TILE.head, title: tile.name, shapes: heading(tile) };
}

/** Draws the name of a plot, and below it its title if that says more. */
function heading({ name, title }: Tile): Shape[] {
  const room = (TILE.width - 12) / TEXT_SIZE;
  const shapes: Shape[] = [{ kind: 'text', x: 6, y: 14, text: fittedPath(name, room), bold: true }];
  if (title !== '' && title !== name) {
    shapes.push({ kind: 'text', x: 6, y: 31, text: fittedTitle(title, room), fill: 'faint', latex: true });
  }
  return shapes;
}

/** Shortens a path at its beginning, because its end says more. */
function fittedPath(name: string, room: number): string {
  if (fittedTitle(name, room) === name) return name;
  const letters = [...name];
  let from = Math.max(1, letters.length - Math.ceil(room * 3));
  while (from < letters.length) {
    const text = `…${letters.slice(from).join('')}`;
    if (fittedTitle(text, room) === text) return text;
    from++;
  }
  return '…';
}

/** Returns the title as plain text; empty if it only repeats the name. */
export function plainTitle({ name, title }: Tile): string {
  const plain = readableLatex(title);
  return plain === name ? '' : plain;
}
