import type { CallOptions } from '../../../../api/api';
import type { TreeLayout } from '../../../../api/layout';
import type { Selection } from '../../../../api/write';
import { internal, unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import type { PrimitiveArray } from '../../../../core/columns';
import type { TapeValue } from '../../../../core/tape';
import type { Range } from '../../../../io/source';
import type { EntryChoice } from '../../../../model/entry-choice';
import { cyclePath } from '../../../../model/keys';
import { editTree } from '../encode/tree-edit';
import type { BranchPlan, ObjectCodec, ObjectData, TreePlan } from '../encode/types';
import type { Directory } from '../file/file-writer';
import type { Records } from '../file/records';
import { checkClaims } from './claims';
import { type ClusterRanges, clusterRanges, type OrderedLayout, readingOrder, withWindows } from './clusters';
import type { Input, InputKey } from './input';
import { refuseBaskets } from './nested-trees';
import { branchesElsewhere, refuseOtherFiles } from './other-files';
import { type BranchSelection, layoutOf, selectBranches, withoutBranches } from './selection';

export type BasketOrder = 'file' | 'clusters';

/** The record of a basket, and the index of its tree. */
export interface BasketPiece extends Range {
  tree: number;
}

/** A tree that is copied with all its baskets. */
export interface TreeJob {
  key: InputKey;
  directory: Directory;
  /** The layout of the copied baskets. */
  layout: OrderedLayout;
  /** The whole tree. `branches` are the copied branches; undefined for all. */
  source: TreeLayout;
  branches: BranchSelection | undefined;
  /** New clusters, if the tree does not describe the true ones. */
  clusters: ClusterRanges | undefined;
  /** The copied entries; undefined for all. */
  chosen: EntryChoice | undefined;
  /** The tree's record: its key, and the tree as data. */
  header: Uint8Array;
  data: ObjectData;
}

/** A part of a tree that is copied. */
export interface TreePart {
  /** The copied entries; undefined for all. */
  chosen?: EntryChoice | undefined;
  /** Indices of branches that are left out, together with all that need them. */
  without?: ReadonlySet<number> | undefined;
}

interface TreeChoice {
  trueClusters: boolean;
  selection?: Selection | undefined;
  part?: ((tree: InputKey, layout: TreeLayout) => TreePart | undefined) | undefined;
  firstBranches?: ((tree: InputKey, layout: TreeLayout) => readonly number[] | undefined) | undefined;
  /** Set if trees that cannot be written are left out. Then each tree is tested before others are written. */
  refused?: unknown;
}

/**
 * Reads the layout of a tree for a copy. Throws the errors of reading, CORRUPT for a tree that claims more than its
 * baskets have, UNSUPPORTED for a part of a tree, and NOT_FOUND.
 */
export async function treeJob(
  input: Input,
  key: InputKey,
  directory: Directory,
  { trueClusters: setClusters, selection, part: partOf, firstBranches: firstOf, refused: trial }: TreeChoice,
  { codec, records }: { codec: ObjectCodec; records: Records },
  options: CallOptions,
): Promise<TreeJob> {
  const source = await input.reader.layout(input.id, cyclePath(key), options);
  const { lost } = source.tree;
  if (lost) {
    throw unsupported(
      `"${key.path}" cannot be copied: ${lost.failed} of its ${lost.total} branches cannot be read.`,
      undefined,
      { path: key.path },
    );
  }
  checkClaims(source);
  const place = [{ offset: key.offset, length: key.storedBytes }];
  const record = await input.reader.bytes(input.id, place, options);
  const header = record.slice(0, records.readKey(record).keylen);
  const data = codec.read(record);
  refuseBaskets(key.path, data.fUserInfo);
  const { chosen, without } = partOf?.(key, source) ?? {};
  const branches = without
    ? withoutBranches(source.tree, data, without)
    : selectBranches(source.tree, data, selection?.branches);
  const kept = branches ? layoutOf(source, branches.kept) : source;
  const firstBranches = firstOf?.(key, source);
  const layout: OrderedLayout = { ...(setClusters ? withWindows(kept) : kept), firstBranches };
  const clusters = setClusters ? trueClusters(layout) : undefined;
  const job = {
    ...{ key, directory, layout, source, branches, header, data },
    clusters: clusters && canSay(data, clusters),
    chosen,
  };
  if (job.chosen && referencesOf(job)) throw noReferences(key.path);
  if (job.chosen)
    refuseOtherFiles(key.path, branchesElsewhere(layout.tree), 'entries of them cannot be left out');
  // A record that can be read cannot always be written.
  if (trial) treeObject({ ...job, data: codec.read(record) }, (offset) => offset, codec);
  return job;
}

/** Returns the clusters, if the version of the tree has members for them. */
export function canSay(data: ObjectData, clusters: ClusterRanges): ClusterRanges | undefined {
  const needed = clusters.end.length > 0 ? data.fNClusterRange : data.fAutoFlush;
  return needed === undefined ? undefined : clusters;
}

/** Returns the true clusters of a tree that claims others. A tree with a single cluster is not changed. */
export function trueClusters({
  clusterStart,
  trueStart,
  tree,
  autoFlush,
}: TreeLayout): ClusterRanges | undefined {
  const same = clusterStart.length === trueStart.length && trueStart.every((at, i) => at === clusterStart[i]);
  return same || trueStart.length < 2 ? undefined : clusterRanges(trueStart, tree.entries, autoFlush);
}

/** Returns the baskets of trees in the file, each once, in the order in which they are written. */
export function basketPieces(layouts: readonly OrderedLayout[], order: BasketOrder): BasketPiece[] {
  const taken = new Set<number>();
  const pieces: BasketPiece[] = [];
  for (const [tree, layout] of layouts.entries()) {
    const { offset, storedBytes } = layout;
    const indices = order === 'clusters' ? readingOrder(layout) : offset.keys();
    for (const i of indices) {
      const at = offset[i] ?? 0;
      if (at <= 0 || taken.has(at)) continue;
      taken.add(at);
      pieces.push({ offset: at, length: storedBytes[i] ?? 0, tree });
    }
  }
  if (order === 'file') pieces.sort((a, b) => a.offset - b.offset);
  return pieces;
}

/** Returns the new position of a basket. Throws INTERNAL if it was not written. */
export function placeIn(places: ReadonlyMap<number, number>, offset: number): number {
  const at = places.get(offset);
  if (at !== undefined) return at;
  throw internal(`The record at byte ${offset} was not written.`);
}

/**
 * Returns the branch that finds objects of TRefs in a tree. It is not a column and not in the layout. Undefined if it
 * has no baskets.
 */
export function referencesOf({ data }: Pick<TreeJob, 'data'>): BranchPlan | undefined {
  const branch = data.fBranchRef as Partial<Record<string, TapeValue>> | null | undefined;
  if (!branch) return undefined;
  const used = Number(branch.fWriteBasket ?? 0);
  const numbers = (name: string): number[] => {
    const list = branch[name];
    return ArrayBuffer.isView(list) ? Array.from(list as PrimitiveArray, Number).slice(0, used) : [];
  };
  const [seek, bytes, first] = [numbers('fBasketSeek'), numbers('fBasketBytes'), numbers('fBasketEntry')];
  const inFile = seek.flatMap((at, i) => (at > 0 ? [i] : []));
  if (inFile.length === 0) return undefined;
  const chosen = (list: readonly number[]): number[] => inFile.map((i) => list[i] ?? 0);
  return {
    seek: chosen(seek),
    bytes: chosen(bytes),
    firstEntry: chosen(first),
    entries: Number(branch.fEntries),
    totalBytes: Number(branch.fTotBytes),
    storedBytes: Number(branch.fZipBytes),
  };
}

/**
 * Returns the object of a tree with its baskets at new positions. `placed` maps old positions to new ones. `made` are
 * new values of all branches if the baskets were made again.
 */
export function treeObject(
  job: TreeJob,
  placed: (offset: number) => number,
  codec: ObjectCodec,
  made?: readonly (BranchPlan | undefined)[],
): Uint8Array<ArrayBuffer> {
  const { source, layout, branches, clusters, chosen, header, data } = job;
  const references = referencesOf(job);
  const plan: TreePlan = {
    branches: source.tree.branches.map((_, branch) =>
      branches?.kept.has(branch) === false ? null : (made?.[branch] ?? branchPlan(source, branch, placed)),
    ),
    entries: layout.tree.entries,
    dropIndex: chosen !== undefined,
    ...(references && { branchRef: { ...references, seek: references.seek.map(placed) } }),
    ...(clusters && {
      clusters: { end: clusters.end, size: clusters.size },
      autoFlush: clusters.autoFlush,
    }),
  };
  return codec.write(editTree(data, plan), header.length);
}

function noReferences(path: string): XylemError {
  return unsupported(
    `"${path}" has a table of references (TBranchRef), which lists entries: none can be left out.`,
    'Copy all entries.',
    { path },
  );
}

/** Returns new positions for the baskets of a branch. Those in the tree's own record stay there. */
function branchPlan(
  { tree, basketStart, offset, storedBytes, firstEntry, entries }: TreeLayout,
  index: number,
  placed: (offset: number) => number,
): BranchPlan | undefined {
  const branch = tree.branches[index];
  const seek: number[] = [];
  const bytes: number[] = [];
  const first: number[] = [];
  let end = 0;
  for (let i = basketStart[index] ?? 0; i < (basketStart[index + 1] ?? 0); i++) {
    const at = offset[i] ?? 0;
    if (at <= 0) continue;
    seek.push(placed(at));
    bytes.push(storedBytes[i] ?? 0);
    first.push(firstEntry[i] ?? 0);
    end = (firstEntry[i] ?? 0) + (entries[i] ?? 0);
  }
  if (!branch || seek.length === 0) return undefined;
  return {
    seek,
    bytes,
    firstEntry: first,
    entries: branch.entries,
    end,
    totalBytes: branch.totalBytes - (branch.embeddedBytes ?? 0),
    storedBytes: bytes.reduce((sum, length) => sum + length, 0),
  };
}

/**
 * Returns the new positions of copied records, by their old ones. Throws INTERNAL for a record that is not in the
 * pieces.
 */
export function placesOf(
  pieces: readonly { offset: number }[],
  copied: readonly { at: number }[],
): Map<number, number> {
  const places = new Map<number, number>();
  for (let i = 0; i < copied.length; i++) {
    const [piece, own] = [pieces[i], copied[i]];
    if (!piece || !own) throw internal('More records were copied than there are.');
    places.set(piece.offset, own.at);
  }
  return places;
}

/** Returns a copied tree by its index. Throws INTERNAL. */
export function jobAt(jobs: readonly TreeJob[], tree: number): TreeJob {
  const job = jobs[tree];
  if (job) return job;
  throw internal(`There is no tree ${tree} to copy.`);
}
