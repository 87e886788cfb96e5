import type { BranchInfo, CallOptions, KeyInfo, TreeInfo } from '../../../api/api';
import { histogramIfAny } from '../../../bins/stored-histogram';
import { readObjects } from '../../../model/read-objects';
import { branchesOfQuery } from '../../../query/compile/branches-of-query';
import { type ReadCost, readCost } from '../../../reads/read-cost';
import { severalFiles } from '../../../verbs/trees';
import type { VerbFile } from '../../../verbs/verb';
import { drawnTiles, referenceDraws, type TreeDraw, treeDraws, unionDraws } from './drawn-tiles';
import { checkWallBytes, checkWallSize, wallBatches, wallRows } from './items';
import type { WallItem } from './judged';
import { storedTiles } from './stored-tiles';
import { tileFilter } from './tile';

export interface WallWishes extends CallOptions {
  patterns: readonly string[];
  /** Only what has these words in its name or title. */
  filter: string | undefined;
  limit: number;
}

/** The plots of a file, and those of its reference. */
export interface BothWalls {
  items: WallItem[];
  references?: WallItem[] | undefined;
}

/** Reads the stored objects of a wall, and those of a reference that are compared with them, or that only it has. */
export async function readStored(
  file: VerbFile,
  reference: VerbFile | undefined,
  wishes: WallWishes,
): Promise<BothWalls> {
  const { own, other } = await storedRows(file, reference, wishes);
  const compared = reference !== undefined;
  const items = await readKeys(file, own, compared, wishes);
  return { items, references: reference && (await readKeys(reference, other, compared, wishes)) };
}

/** Returns the keys of a wall, and those of its reference. */
export async function storedRows(
  file: VerbFile,
  reference: VerbFile | undefined,
  { patterns, filter = '' }: Pick<WallWishes, 'patterns' | 'filter'>,
) {
  for (const one of [file, reference]) if (one?.isChain) throw severalFiles(one.info.name);
  const all = patterns.length > 0 ? patterns : ['**'];
  return wallRows(await file.keys(), (await reference?.keys()) ?? [], all, filter);
}

/** Reads objects, neighbours together, in the order of the file's lists. */
async function readKeys(
  file: VerbFile,
  keys: readonly KeyInfo[],
  compared: boolean,
  wishes: WallWishes,
): Promise<WallItem[]> {
  checkWallSize(keys.length, wishes.limit);
  checkWallBytes(keys);
  const items = new Map<string, WallItem>();
  let done = 0;
  for (const batch of wallBatches(keys)) {
    const outcomes = await readObjects(file.reader, file.info.id, batch, { signal: wishes.signal });
    const names = batch.map(({ path }) => path);
    const tiles = await storedTiles(file.reader, names, outcomes);
    for (const [i, tile] of tiles.entries()) {
      const histogram = compared ? histogramIfAny(outcomes[i]?.object) : undefined;
      items.set(tile.name, { tile, histogram });
    }
    done += batch.length;
    wishes.onProgress?.({
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
  { file, tree, cut }: WallTree,
  reference: WallTree | undefined,
  wishes: WallWishes,
): Promise<BothWalls> {
  const { draws } = await chosenDraws({ file, tree, cut }, reference, wishes);
  checkWallSize(draws.length, wishes.limit);
  const items = await drawTogether(file, tree, draws, reference !== undefined, wishes);
  if (reference === undefined) return { items };
  const wanted = referenceDraws(draws, (i) => items[i]?.histogram?.axes);
  return { items, references: await drawTogether(reference.file, reference.tree, wanted, true, wishes) };
}

/** A tree of which branches and expressions are drawn. */
interface WallTree {
  file: VerbFile;
  tree: string;
  cut?: string | undefined;
}

/** Returns the drawings of a tree and of a reference, and what is known of both trees. */
async function chosenDraws(
  { file, tree, cut }: WallTree,
  reference: WallTree | undefined,
  { patterns, filter = '' }: Pick<WallWishes, 'patterns' | 'filter'>,
): Promise<{ draws: TreeDraw[]; info: TreeInfo; other: TreeInfo | undefined }> {
  const { info } = await file.tree(tree);
  const other = reference && (await reference.file.tree(reference.tree)).info;
  const all = other ? unionDraws({ own: info, other }, patterns, cut) : treeDraws(info, patterns, cut);
  return { draws: all.filter(tileFilter(filter)), info, other };
}

/** Returns what a wall of stored objects reads of a file and its reference. */
export async function storedCost(
  file: VerbFile,
  reference: VerbFile | undefined,
  wishes: Pick<WallWishes, 'patterns' | 'filter'>,
): Promise<ReadCost> {
  const { own, other } = await storedRows(file, reference, wishes);
  const keys = [...own, ...other];
  const bytes = keys.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  return { bytes, requests: [own, other].reduce((sum, some) => sum + wallBatches(some).length, 0) };
}

/** Returns what a wall over a tree reads of it and of that of its reference. */
export async function treeCost(
  own: WallTree,
  reference: WallTree | undefined,
  wishes: Pick<WallWishes, 'patterns' | 'filter'>,
): Promise<ReadCost> {
  const { draws, info, other } = await chosenDraws(own, reference, wishes);
  const cost = await costOf(own.file, info, draws, own.cut);
  if (reference === undefined || other === undefined) return cost;
  const more = await costOf(reference.file, other, draws, own.cut);
  return { bytes: cost.bytes + more.bytes, requests: cost.requests + more.requests };
}

async function costOf(
  file: VerbFile,
  info: TreeInfo,
  draws: readonly TreeDraw[],
  cut: string | undefined,
): Promise<ReadCost> {
  const named = draws.flatMap(({ name }) => {
    const branch = info.branches.find(({ path }) => path === name);
    return branch && cut === undefined ? [branch] : branchesIn(info, name, cut);
  });
  return await readCost(file, info, [...new Set(named)], [0, info.entries]);
}

/** Returns the branches of an expression; none if it is mistaken, because then nothing is read for it. */
function branchesIn(info: TreeInfo, expr: string, cut: string | undefined): BranchInfo[] {
  try {
    return branchesOfQuery(info, expr, cut);
  } catch {
    return [];
  }
}

async function drawTogether(
  file: VerbFile,
  tree: string,
  draws: TreeDraw[],
  compared: boolean,
  { signal, onProgress }: WallWishes,
): Promise<WallItem[]> {
  if (draws.length === 0) return [];
  const request = { tree, draws: draws.map(({ draw }) => draw) };
  const outcomes = await file.reader.drawAll(file.info.id, request, { signal, onProgress });
  return drawnTiles(draws, outcomes).map((tile, i) => {
    const outcome = outcomes[i];
    return { tile, histogram: compared && outcome?.kind === 'histogram' ? outcome : undefined };
  });
}
