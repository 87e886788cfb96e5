import { XylemError } from '../base/errors';
import type { CoreFile } from '../core/file-core';
import { type BasketTable, CoreTree, type DecodePlan, type TreeTable } from '../core/tree-core';
import type { Reader } from '../io/reader';
import type { BranchInfo, BranchKind, EntryRange, TreeInfo } from './api';

const KINDS: BranchKind[] = ['number', 'string', 'object', 'group'];

/** A basket that holds wanted entries. */
export interface WantedBasket {
  /** Index in the branch's table. */
  index: number;
  /** Place in the file; `offset` 0 for one in the tree's own record. */
  offset: number;
  length: number;
  /** Number of its first entry in the tree. */
  first: number;
  /** Wanted entries, counted from the basket's first. */
  from: number;
  to: number;
}

/** A tree of an open file: its branch table, baskets and decode plans. */
export class TreeModel {
  readonly #tree: CoreTree;
  readonly #table: TreeTable;
  readonly info: TreeInfo;

  constructor(
    file: CoreFile,
    record: Uint8Array,
    path: string,
    readonly reader: Reader,
  ) {
    this.#tree = new CoreTree(file, record);
    this.#table = this.#tree.describe();
    const { name, title, className, entries, totalBytes, storedBytes } = this.#table;
    const branches = branchInfos(this.#table);
    this.info = { path, name, title, kind: 'TTree', className, entries, totalBytes, storedBytes, branches };
  }

  /**
   * The branch of an index or a path; where no path is equal, a name that occurs once.
   * Throws NOT_FOUND with a suggestion.
   */
  branch(which: number | string): BranchInfo {
    const { branches } = this.info;
    if (typeof which === 'number') {
      const branch = branches[which];
      if (branch) return branch;
    } else {
      const exact = branches.find((branch) => branch.path === which);
      if (exact) return exact;
      const named = branches.filter((branch) => branch.name === which);
      if (named.length === 1 && named[0]) return named[0];
    }
    throw new XylemError({
      code: 'NOT_FOUND',
      message: `There is no branch "${which}" in the tree "${this.info.path}".`,
      where: { path: this.info.path },
      fix: suggestion(String(which), branches),
    });
  }

  /** How to decode a branch. Throws UNSUPPORTED or NO_STREAMER with what stopped it. */
  plan(branch: BranchInfo): DecodePlan {
    try {
      return this.#tree.plan(branch.index);
    } catch (thrown) {
      throw thrown instanceof XylemError ? thrown.at({ path: `${this.info.path}/${branch.path}` }) : thrown;
    }
  }

  /** The baskets of a branch that hold entries of the range, in entry order. */
  baskets(branch: BranchInfo, [from, to]: EntryRange): WantedBasket[] {
    const table = this.#tree.baskets(branch.index);
    const wanted: WantedBasket[] = [];
    for (let i = firstEndingBehind(table, from); i < table.first.length; i++) {
      const first = Number(table.first[i]);
      const end = Number(table.end[i]);
      if (first >= to) break;
      wanted.push({
        index: i,
        offset: Number(table.seek[i]),
        length: table.nbytes[i] ?? 0,
        first,
        from: Math.max(0, from - first),
        to: Math.min(end, to) - first,
      });
    }
    return wanted;
  }

  /** The bytes of a basket that lies in the tree's own record. */
  embedded(branch: BranchInfo, basket: WantedBasket): Uint8Array {
    return this.#tree.detach(branch.index, basket.index);
  }

  /** Clips a range to the entries that a branch has; all of them without one. Throws ARGUMENT. */
  entryRange(branch: BranchInfo, range: EntryRange | undefined): EntryRange {
    if (!range) return [0, branch.entries];
    const [from, to] = range;
    if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from) {
      throw new XylemError({
        code: 'ARGUMENT',
        message: `The entry range ${from}:${to} is not valid.`,
        fix: 'Give two whole numbers A:B with 0 ≤ A ≤ B; entries A to B-1 are read.',
      });
    }
    return [Math.min(from, branch.entries), Math.min(to, branch.entries)];
  }

  close(): void {
    this.#tree.close();
  }
}

function branchInfos(table: TreeTable): BranchInfo[] {
  const b = table.branches;
  const paths: string[] = [];
  return b.names.map((name, index) => {
    const parent = b.parents[index] ?? -1;
    const path = parent < 0 ? name : `${paths[parent]}/${name}`;
    paths.push(path);
    return {
      index,
      parent,
      depth: b.depths[index] ?? 0,
      path,
      name,
      title: b.titles[index] ?? '',
      typeName: b.types[index] ?? '',
      kind: KINDS[b.kinds[index] ?? 2] ?? 'object',
      entries: Math.max(0, b.entries[index] ?? 0),
      baskets: b.baskets[index] ?? 0,
      totalBytes: b.totalBytes[index] ?? 0,
      storedBytes: b.storedBytes[index] ?? 0,
    };
  });
}

function firstEndingBehind(table: BasketTable, entry: number): number {
  let low = 0;
  let high = table.end.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Number(table.end[middle]) > entry) high = middle;
    else low = middle + 1;
  }
  return low;
}

function suggestion(which: string, branches: BranchInfo[]): string {
  const wanted = which.toLowerCase();
  const near = branches.find((branch) => branch.path.toLowerCase().includes(wanted));
  return near ? `Did you mean "${near.path}"?` : 'List the tree to see its branches.';
}
