import type { Progress } from '../../../api/api';
import { readObjects } from '../../../model/read-objects';
import { drawnTiles, referenceDraws, type TreeDraw, treeDraws } from '../../../plot/wall/drawn-tiles';
import { checkWallBytes, checkWallSize, wallBatches, wallKeys } from '../../../plot/wall/items';
import { drawnBins, storedBins, type WallItem } from '../../../plot/wall/judged';
import { storedTiles } from '../../../plot/wall/stored-tiles';
import { tileFilter } from '../../../plot/wall/tile';
import type { OpenFile } from '../../context';

export interface WallWishes {
  patterns: readonly string[];
  /** Only what has these words in its name or title. */
  filter: string | undefined;
  limit: number;
  onProgress: (progress: Progress) => void;
  /** The bins are compared with those of another file. */
  compared: boolean;
  /** The file is the reference: what a path names may be missing in it. */
  isReference?: boolean | undefined;
}

/** Reads the stored objects of a wall, neighbours together, in the order of the file's lists. */
export async function readStored(file: OpenFile, wishes: WallWishes): Promise<WallItem[]> {
  const { patterns, filter, limit } = wishes;
  const isWanted = tileFilter(filter ?? '');
  const all = wallKeys(await file.keys(), patterns.length > 0 ? patterns : ['**'], wishes.isReference);
  const keys = all.filter(({ path, title }) => isWanted({ name: path, title }));
  checkWallSize(keys.length, limit);
  checkWallBytes(keys);
  const items = new Map<string, WallItem>();
  let done = 0;
  for (const batch of wallBatches(keys)) {
    const outcomes = await readObjects(file.reader, file.info.id, batch);
    const names = batch.map(({ path }) => path);
    const tiles = await storedTiles(file.reader, names, outcomes);
    for (const [i, tile] of tiles.entries()) {
      const histogram = wishes.compared ? storedBins(outcomes[i]?.object) : undefined;
      items.set(tile.name, { tile, histogram });
    }
    done += batch.length;
    wishes.onProgress({
      label: 'Reading objects',
      bytesDone: 0,
      bytesTotal: 0,
      entriesDone: done,
      entriesTotal: keys.length,
    });
  }
  return keys.flatMap(({ path }) => items.get(path) ?? []);
}

/** The plots of a tree: what was asked, and their items. */
export interface TreeWall {
  draws: TreeDraw[];
  items: WallItem[];
}

/** Draws branches and expressions of a tree in one pass. */
export async function readTree(
  file: OpenFile,
  tree: string,
  cut: string | undefined,
  wishes: WallWishes,
): Promise<TreeWall> {
  const { info } = await file.tree(tree);
  const isWanted = tileFilter(wishes.filter ?? '');
  const draws = treeDraws(info, wishes.patterns, cut).filter(isWanted);
  checkWallSize(draws.length, wishes.limit);
  return drawTogether(file, tree, draws, wishes);
}

/** Draws the same of the tree of a reference: a histogram with the axes of the first one. */
export async function readReferenceTree(
  file: OpenFile,
  tree: string,
  { draws, items }: TreeWall,
  wishes: WallWishes,
): Promise<WallItem[]> {
  const wanted = referenceDraws(draws, (i) => items[i]?.histogram?.axes);
  return (await drawTogether(file, tree, wanted, wishes)).items;
}

async function drawTogether(
  file: OpenFile,
  tree: string,
  draws: TreeDraw[],
  { compared, onProgress }: WallWishes,
): Promise<TreeWall> {
  if (draws.length === 0) return { draws, items: [] };
  const request = { tree, draws: draws.map(({ draw }) => draw) };
  const outcomes = await file.reader.drawAll(file.info.id, request, { onProgress });
  const items = drawnTiles(draws, outcomes).map((tile, i) => ({
    tile,
    histogram: compared ? drawnBins(outcomes[i]) : undefined,
  }));
  return { draws, items };
}
