import type { KeyInfo, Progress } from '../../../api/api';
import { histogramIfAny } from '../../../bins/stored-histogram';
import { readObjects } from '../../../model/read-objects';
import {
  drawnTiles,
  referenceDraws,
  type TreeDraw,
  treeDraws,
  unionDraws,
} from '../../../plot/wall/drawn-tiles';
import { checkWallBytes, checkWallSize, wallBatches, wallRows } from '../../../plot/wall/items';
import type { WallItem } from '../../../plot/wall/judged';
import { storedTiles } from '../../../plot/wall/stored-tiles';
import { tileFilter } from '../../../plot/wall/tile';
import { severalFiles } from '../../../verbs/trees';
import type { OpenFile } from '../../context';

export interface WallWishes {
  patterns: readonly string[];
  /** Only what has these words in its name or title. */
  filter: string | undefined;
  limit: number;
  onProgress: (progress: Progress) => void;
}

/** The plots of a file, and those of its reference. */
export interface BothWalls {
  items: WallItem[];
  references?: WallItem[] | undefined;
}

/** Reads the stored objects of a wall, and those of a reference that are compared with them, or that only it has. */
export async function readStored(
  file: OpenFile,
  reference: OpenFile | undefined,
  wishes: WallWishes,
): Promise<BothWalls> {
  const { filter = '' } = wishes;
  for (const one of [file, reference]) if (one?.isChain) throw severalFiles(one.info.name);
  const patterns = wishes.patterns.length > 0 ? wishes.patterns : ['**'];
  const { own, other } = wallRows(await file.keys(), (await reference?.keys()) ?? [], patterns, filter);
  const compared = reference !== undefined;
  const items = await readKeys(file, own, compared, wishes);
  return { items, references: reference && (await readKeys(reference, other, compared, wishes)) };
}

/** Reads objects, neighbours together, in the order of the file's lists. */
async function readKeys(
  file: OpenFile,
  keys: readonly KeyInfo[],
  compared: boolean,
  wishes: WallWishes,
): Promise<WallItem[]> {
  checkWallSize(keys.length, wishes.limit);
  checkWallBytes(keys);
  const items = new Map<string, WallItem>();
  let done = 0;
  for (const batch of wallBatches(keys)) {
    const outcomes = await readObjects(file.reader, file.info.id, batch);
    const names = batch.map(({ path }) => path);
    const tiles = await storedTiles(file.reader, names, outcomes);
    for (const [i, tile] of tiles.entries()) {
      const histogram = compared ? histogramIfAny(outcomes[i]?.object) : undefined;
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

/**
 * Draws branches and expressions of a tree in one pass, and the same of the tree of a reference: its histograms have the axes
 * of the first.
 */
export async function readTree(
  { file, tree, cut }: { file: OpenFile; tree: string; cut: string | undefined },
  reference: { file: OpenFile; tree: string } | undefined,
  wishes: WallWishes,
): Promise<BothWalls> {
  const { patterns, filter = '', limit } = wishes;
  const { info } = await file.tree(tree);
  const other = reference && (await reference.file.tree(reference.tree)).info;
  const all = other ? unionDraws({ own: info, other }, patterns, cut) : treeDraws(info, patterns, cut);
  const draws = all.filter(tileFilter(filter));
  checkWallSize(draws.length, limit);
  const items = await drawTogether(file, tree, draws, reference !== undefined, wishes);
  if (reference === undefined) return { items };
  const wanted = referenceDraws(draws, (i) => items[i]?.histogram?.axes);
  return { items, references: await drawTogether(reference.file, reference.tree, wanted, true, wishes) };
}

async function drawTogether(
  file: OpenFile,
  tree: string,
  draws: TreeDraw[],
  compared: boolean,
  { onProgress }: WallWishes,
): Promise<WallItem[]> {
  if (draws.length === 0) return [];
  const request = { tree, draws: draws.map(({ draw }) => draw) };
  const outcomes = await file.reader.drawAll(file.info.id, request, { onProgress });
  return drawnTiles(draws, outcomes).map((tile, i) => {
    const outcome = outcomes[i];
    return { tile, histogram: compared && outcome?.kind === 'histogram' ? outcome : undefined };
  });
}
