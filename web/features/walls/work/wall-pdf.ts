import type { Drawing } from '../../../plot/drawing/drawing';
import { type PlacedDrawing, pageContent, type Resources } from '../../pdf/work/content';
import { pdfFile } from '../../pdf/work/file';
import type { Tile } from './tile';
import {
  axesOfWall,
  GAP,
  HEADING,
  headOf,
  TILE,
  tileDrawing,
  tileHeight,
  type WallLook,
  wallHeading,
} from './wall-svg';

/** A4, in points. */
const PAGE = { width: 595, height: 842 };

/**
 * Writes plots as a PDF of lines and text, in columns on A4 pages. `missing` counts characters that the standard PDF
 * fonts lack; each is written as a question mark.
 */
export async function wallPdf(
  tiles: readonly Tile[],
  { title, columns, ...look }: WallLook & { title: string; columns: number },
): Promise<{ file: Uint8Array; missing: number }> {
  const resources: Resources = { fonts: [], opacities: [], missing: 0 };
  const axes = axesOfWall(tiles, look);
  const stepX = TILE.width + GAP;
  const wide = GAP + columns * stepX;
  const scale = PAGE.width / wide;
  // Choose the number of rows whose height is nearest to the usual one, then let them fill the page.
  const room = PAGE.height / scale - HEADING;
  const rows = Math.max(1, Math.round(room / (TILE.head + tileHeight(tiles) + GAP)));
  const stepY = room / rows;
  const height = stepY - TILE.head - GAP;
  const onPage = rows * columns;
  const count = Math.max(1, Math.ceil(tiles.length / onPage));
  const pages = Array.from({ length: count }, (_, page) => {
    const placed: PlacedDrawing[] = [{ drawing: wallHeading(title, tiles, wide), x: 0, y: 0 }];
    for (const [i, tile] of tiles.slice(page * onPage, (page + 1) * onPage).entries()) {
      const [x, y] = [GAP + (i % columns) * stepX, HEADING + Math.floor(i / columns) * stepY];
      const size = { width: TILE.width, height };
      const drawing: Drawing = tile.picture ?? tileDrawing(tile, size, look, axes);
      placed.push({ drawing: headOf(tile), x, y }, { drawing, x, y: y + TILE.head, size });
    }
    return { ...PAGE, scale, content: pageContent(placed, resources) };
  });
  return { file: await pdfFile(pages, title, resources), missing: resources.missing };
}
