import type { TreeLayout } from '../../../../api/layout';
import { internal, unsupported } from '../../../../base/data-errors';
import type { XylemError } from '../../../../base/errors';
import type { Members } from '../../../../bins/object-values';
import { clustersOf } from '../../../../reads/layout-stats';
import type { BranchPlan, ObjectData, TreePlan } from '../encode/types';
import { clusterRanges } from '../input/clusters';
import { type BranchData, branchesOf, structureOf, widenLimits } from './tree-structure';

/** The baskets of a branch, of all parts so far. */
interface Column {
  structure: string;
  branch: Members;
  seek: number[];
  bytes: number[];
  firstEntry: number[];
  entries: number;
  totalBytes: number;
  storedBytes: number;
  /** New fCompress, if baskets are compressed again. */
  compress: number | undefined;
}

/** A tree of one file, which is appended to the trees of others. */
export interface TreePart {
  /** Name of its file, for messages. */
  file: string;
  data: ObjectData;
  /** The merged branches, in the order of the layout. */
  branches: readonly BranchData[];
  layout: TreeLayout;
}

/** A basket in the output. */
export interface PlacedBasket {
  seek: number;
  bytes: number;
  /** Uncompressed bytes, including the key. */
  totalBytes: number;
}

/** Baskets of empty values, for entries of the chain. */
export interface ZeroPlan {
  seek: number[];
  bytes: number[];
  firstEntry: number[];
  entries: number;
  /** Uncompressed bytes, including the keys. */
  totalBytes: number;
  /** Set if fCompress has to be 0. */
  compress: 0 | undefined;
}

/** A part whose baskets were made again: new values for all branches of the tree. */
export interface MadePart {
  plans: readonly (BranchPlan | undefined)[];
  entries: number;
  /** First entries of its clusters. */
  starts: ArrayLike<number>;
  /** Number of ranges that are read for it. */
  reads: number;
}

/** Trees that are joined to one: the record of the first, with the baskets of all. */
export class TreeChain {
  readonly tree: ObjectData;
  readonly #columns = new Map<string, Column>();
  /** All branches of the record, including those that are left out. */
  readonly #all: readonly BranchData[];
  /** Whether parts may lack branches. */
  readonly #isUnion: boolean;
  readonly #file: string;
  readonly #autoFlush: number;
  /** First entries of the clusters of all parts. */
  readonly starts: number[] = [];
  #entries = 0;
  /** Whether entries of a part are left out. */
  #isChosen = false;
  /** Number of entries of the parts in their files, some of which may be left out. */
  sourceEntries = 0;
  parts = 0;
  baskets = 0;
  /** Bytes of the baskets in the file. */
  bytes = 0;
  /** Number of ranges that are read for the parts. */
  reads = 0;
  /** Number of clusters according to the records of the parts. */
  clustersClaimed = 0;

  /** `isUnion`: the record may have more branches than the part, and parts may lack some. */
  constructor({ file, data, branches, layout }: TreePart, isUnion = false) {
    this.tree = data;
    this.#file = file;
    this.#autoFlush = layout.autoFlush;
    this.#all = branchesOf(data);
    this.#isUnion = isUnion;
    for (const { path, branch } of isUnion ? this.#all : branches) {
      const structure = structureOf(branch);
      const none = { seek: [], bytes: [], firstEntry: [], entries: 0, totalBytes: 0, storedBytes: 0 };
      this.#columns.set(path, { structure, branch, ...none, compress: undefined });
    }
  }

  get entries(): number {
    return this.#entries;
  }

  /**
   * Checks that the record of the first part describes the baskets of this one, before any of them is copied. Throws
   * UNSUPPORTED with the first difference.
   */
  check(part: TreePart): void {
    const { tree } = part.layout;
    for (const { path, entries: own, baskets } of tree.branches)
      if (baskets > 0 && own !== tree.entries)
        throw refused(part, `has ${own} entries of ${path}, and ${tree.entries} of the tree`);
    const { branches } = part;
    const given = new Set(branches.map(({ path }) => path));
    const without = new Set(this.#isUnion ? this.missing(part).map(({ path }) => path) : []);
    const missing = [...this.#columns.keys()].find((path) => !given.has(path) && !without.has(path));
    if (missing !== undefined) throw refused(part, `has no branch ${missing}, which ${this.#file} has`);
    for (const { path, branch } of branches) {
      const column = this.#columns.get(path);
      if (!column) throw refused(part, `has a branch ${path}, which ${this.#file} does not have`);
      // A record that is like the first one is the first one.
      if (column.branch !== branch && column.structure !== structureOf(branch))
        throw refused(part, `has another type or leaves of ${path} than ${this.#file}`);
    }
  }

  /**
   * Appends a part that was checked. `placed` maps the old position of a basket to its new one. `written` are the
   * baskets from the tree's record, by their index in the layout.
   */
  append(
    { branches, layout }: TreePart,
    placed: (offset: number) => number,
    written: ReadonlyMap<number, PlacedBasket>,
  ): void {
    const { tree } = layout;
    for (const [index, { path, branch }] of branches.entries()) {
      const column = this.#columns.get(path);
      const info = tree.branches[index];
      if (!column || !info) throw internal(`Branch ${path} was not checked.`);
      this.#appendBaskets(column, layout, index, placed, written);
      column.entries += info.entries;
      column.totalBytes += info.totalBytes - (info.embeddedBytes ?? 0);
      if (column.branch !== branch) widenLimits(column.branch, branch);
    }
    const starts = clustersOf(layout);
    this.#end(layout, starts.length > 0 ? starts : layout.trueStart, tree.entries);
  }

  /** Appends the baskets of a branch of a part. */
  #appendBaskets(
    column: Column,
    { basketStart, offset, storedBytes, firstEntry, entries }: TreeLayout,
    index: number,
    placed: (offset: number) => number,
    written: ReadonlyMap<number, PlacedBasket>,
  ): void {
    const stop = numberAt(basketStart, index + 1);
    for (let i = numberAt(basketStart, index); i < stop; i++) {
      // Readers treat two baskets with the same first entry as damage.
      if (numberAt(entries, i) === 0) continue;
      const own = written.get(i);
      const bytes = own?.bytes ?? numberAt(storedBytes, i);
      column.seek.push(own?.seek ?? placed(numberAt(offset, i)));
      column.bytes.push(bytes);
      column.firstEntry.push(this.#entries + numberAt(firstEntry, i));
      column.storedBytes += bytes;
      column.totalBytes += own?.totalBytes ?? 0;
      this.baskets++;
      this.bytes += bytes;
    }
  }

  /** Appends a part that was checked and whose baskets were made again. */
  appendMade({ branches, layout }: TreePart, { plans, entries, starts, reads }: MadePart): void {
    const base = this.#entries;
    for (const [index, { path, branch }] of branches.entries()) {
      const column = this.#columns.get(path);
      const plan = plans[layout.tree.branches[index]?.index ?? -1];
      if (!column || !plan) throw internal(`Branch ${path} was not checked.`);
      for (const [i, seek] of plan.seek.entries()) {
        column.seek.push(seek);
        column.bytes.push(numberAt(plan.bytes, i));
        column.firstEntry.push(base + numberAt(plan.firstEntry, i));
      }
      column.entries += plan.entries;
      column.totalBytes += plan.totalBytes;
      column.storedBytes += plan.storedBytes;
      // If ROOT would take any basket for a compressed one, the branch has to say that nothing is compressed.
      if (column.compress !== 0) column.compress = plan.compress ?? column.compress;
      if (column.branch !== branch) widenLimits(column.branch, branch);
      this.baskets += plan.seek.length;
      this.bytes += plan.storedBytes;
    }
    this.reads += reads;
    this.#isChosen ||= entries < layout.tree.entries;
    this.#end(layout, starts, entries);
  }

  /** Returns the top-level branches that a part lacks, with their sub-branches. */
  missing({ branches }: TreePart): BranchData[] {
    const tops = new Set(branches.map(({ top }) => top));
    return this.#all.filter(({ path, top }) => !tops.has(top) && this.#columns.has(path));
  }

  /** Appends baskets to a branch that the last part lacks. */
  appendZeros(path: string, zeros: ZeroPlan): void {
    const column = this.#columns.get(path);
    if (!column) throw internal(`Branch ${path} was not checked.`);
    for (const [i, seek] of zeros.seek.entries()) {
      column.seek.push(seek);
      column.bytes.push(numberAt(zeros.bytes, i));
      column.firstEntry.push(numberAt(zeros.firstEntry, i));
    }
    const bytes = zeros.bytes.reduce((sum, size) => sum + size, 0);
    column.entries += zeros.entries;
    column.totalBytes += zeros.totalBytes;
    column.storedBytes += bytes;
    column.compress = zeros.compress ?? column.compress;
    this.baskets += zeros.seek.length;
    this.bytes += bytes;
  }

  #end({ clusterStart, tree }: TreeLayout, starts: ArrayLike<number>, entries: number): void {
    this.clustersClaimed += clusterStart.length;
    for (let i = 0; i < starts.length; i++) this.starts.push(this.#entries + numberAt(starts, i));
    this.#entries += entries;
    this.sourceEntries += tree.entries;
    this.parts++;
  }

  /** Returns the new values for the record of the first part. */
  plan(): TreePlan {
    const { end, size, autoFlush } = clusterRanges(this.starts, this.#entries, this.#autoFlush);
    return {
      branches: this.#all.map(({ path }): BranchPlan | null => {
        const column = this.#columns.get(path);
        if (!column) return null;
        const { seek, bytes, firstEntry, entries, totalBytes, storedBytes, compress } = column;
        return { seek, bytes, firstEntry, entries, totalBytes, storedBytes, compress, dropEmbedded: true };
      }),
      entries: this.#entries,
      // Old versions of TTree have no ranges of clusters.
      ...(this.tree.fNClusterRange !== undefined && { clusters: { end, size }, autoFlush }),
      dropIndex: this.parts > 1 || this.#isChosen,
    };
  }

  get clusters(): number {
    return this.starts.length;
  }
}

/**
 * Returns an element of a list of baskets. Throws INTERNAL if there is none, so that a missing number never becomes a
 * position.
 */
function numberAt(list: ArrayLike<number>, index: number): number {
  const value = list[index];
  if (value !== undefined) return value;
  throw internal(`A list of ${list.length} baskets has no number ${index}.`);
}

function refused({ file, layout }: TreePart, message: string, fix?: string): XylemError {
  return unsupported(
    `${layout.tree.path} of ${file} ${message}.`,
    fix ?? 'Leave the file out, or merge files whose trees have the same branches.',
    { path: layout.tree.path },
  );
}
