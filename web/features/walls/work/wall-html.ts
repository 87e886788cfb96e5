import { overBudget } from '../../../base/data-errors';
import { drawingSvg } from '../../../plot/drawing/drawing';
import type { PlotFrame } from '../../../plot/drawing/frame';
import type { Stretch } from '../../../plot/drawing/short-path';
import { createSvgSheet, type SheetPart, type SvgSheet } from '../../../plot/drawing/svg-sheet';
import { titledDrawing } from '../../../plot/titled-drawing';
import type { CommonAxes } from './common-axes';
import type { Tile } from './tile';
import { type PageHead, type PageTile, wallPage } from './wall-page';
import {
  axesOfWall,
  hasRatio,
  plainTitle,
  TILE,
  tileDrawing,
  tileHeight,
  type WallLook,
  wallLegend,
} from './wall-svg';

/** A tile with the result of a comparison. */
export interface JudgedTile extends Tile {
  state?: string | undefined;
  notes?: readonly string[] | undefined;
}

/** Limit on the characters of a page. */
const MAX_LENGTH = 256 * 1024 * 1024;

/**
 * Writes a wall as one HTML file that loads nothing else: small plots, each with a large one that shares its contents.
 * Throws BUDGET for a page too large for browsers.
 */
export async function wallHtml(
  tiles: readonly JudgedTile[],
  head: PageHead,
  look: WallLook,
): Promise<string> {
  const sheet = createSvgSheet();
  const axes = axesOfWall(tiles, look);
  const size = { width: TILE.width, height: tileHeight(tiles) };
  let left = MAX_LENGTH;
  const limited = (text: string): string => {
    left -= text.length;
    if (left >= 0) return text;
    throw overBudget(
      `The page of these ${tiles.length} plots has more than ${MAX_LENGTH / 1024 / 1024} MiB.`,
      'Choose fewer by a pattern.',
    );
  };
  const drawn = tiles.map((tile) => {
    const pictures = picturesOf(tile, size, look, axes, sheet);
    for (const part of [pictures?.svg, pictures?.copy]) if (part) limited(sheet.text(part));
    return { tile, pictures };
  });
  left = MAX_LENGTH;
  const pageTiles = drawn.map(({ tile, pictures }): PageTile => {
    const { name, entries, why, state, notes } = tile;
    return {
      ...{ name, title: plainTitle(tile), entries, why, state, notes },
      small: pictures ? sheet.text(pictures.svg) : '',
      large: pictures?.copy && sheet.text(pictures.copy),
    };
  });
  const legend = wallLegend(tiles);
  const shown = { ...head, legend: legend && drawingSvg(legend, { id: 'legend-' }) };
  const parts: string[] = [];
  for await (const part of wallPage(shown, pageTiles, sheet)) parts.push(limited(part));
  return parts.join('');
}

/** Draws a plot small and large; undefined if there is none. */
function picturesOf(
  tile: Tile,
  size: { width: number; height: number },
  look: WallLook,
  axes: CommonAxes | undefined,
  sheet: SvgSheet,
): { svg: SheetPart; copy: SheetPart | undefined } | undefined {
  const { model, picture } = tile;
  if (picture) return sheet.addPicture(picture);
  if (!model) return undefined;
  const small = tileDrawing(tile, size, look, axes);
  const large = titledDrawing(
    model,
    { width: 860, height: hasRatio(model) ? 640 : 520 },
    { log: look.log, stats: true },
  );
  return sheet.add(small, { drawing: large, stretch: (i) => stretchOf(small.frames[i], large.frames[i]) });
}

/** Returns how the places of one frame become those of another one with the same axes. */
function stretchOf(from: PlotFrame | undefined, to: PlotFrame | undefined): Stretch | undefined {
  if (!from || !to) return undefined;
  const along = (axis: 'x' | 'y') => {
    const [low, high] = from[axis].spec.range;
    const pixels = (frame: PlotFrame) => [frame[axis].toPixel(low), frame[axis].toPixel(high)] as const;
    const [[a, b], [c, d]] = [pixels(from), pixels(to)];
    const scale = (d - c) / (b - a);
    return { scale, offset: c - scale * a };
  };
  const stretch = { x: along('x'), y: along('y') };
  const numbers = [stretch.x, stretch.y].flatMap(({ scale, offset }) => [scale, offset]);
  return numbers.every(Number.isFinite) ? stretch : undefined;
}
