import { overBudget } from '../../../base/data-errors';
import { drawingSvg } from '../../../plot/drawing/drawing';
import { titledDrawing } from '../../../plot/titled-drawing';
import type { Tile } from './tile';
import { type PageHead, type PageTile, wallPage } from './wall-page';
import {
  axesOfWall,
  hasRatio,
  plainTitle,
  TILE,
  tileHeight,
  tileSvg,
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
 * Writes a wall as one HTML file that loads nothing else: small plots, each with a large one. Throws BUDGET for a
 * page too large for browsers.
 */
export async function wallHtml(
  tiles: readonly JudgedTile[],
  head: PageHead,
  look: WallLook,
): Promise<string> {
  const parts: string[] = [];
  let length = 0;
  const legend = wallLegend(tiles);
  const shown = { ...head, legend: legend && drawingSvg(legend, { id: 'legend-' }) };
  for await (const part of wallPage(shown, pageTiles(tiles, look))) {
    length += part.length;
    if (length > MAX_LENGTH) {
      throw overBudget(
        `The page of these ${tiles.length} plots has more than ${MAX_LENGTH / 1024 / 1024} MiB.`,
        'Choose fewer by a pattern.',
      );
    }
    parts.push(part);
  }
  return parts.join('');
}

function* pageTiles(tiles: readonly JudgedTile[], look: WallLook): Generator<PageTile> {
  const axes = axesOfWall(tiles, look);
  const size = { width: TILE.width, height: tileHeight(tiles) };
  for (const [i, tile] of tiles.entries()) {
    const { name, entries, model, why, state, notes } = tile;
    const texts = { name, title: plainTitle(tile), entries, why, state, notes };
    const smallSvg = () => tileSvg(tile, size, look, axes, { id: `s${i}-` });
    if (tile.picture) {
      yield { ...texts, small: smallSvg(), large: drawingSvg(tile.picture, { id: `l${i}-` }) };
      continue;
    }
    if (!model) {
      yield { ...texts, small: '' };
      continue;
    }
    const { log } = look;
    const large = { width: 860, height: hasRatio(model) ? 640 : 520 };
    yield {
      ...texts,
      small: smallSvg(),
      large: drawingSvg(titledDrawing(model, large, { log, stats: true }), { id: `l${i}-` }),
    };
  }
}
