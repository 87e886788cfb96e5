import { XylemError } from '../base/errors';
import type { CoreFile } from '../core/file-core';
import { type BasketTable, CoreTree, type DecodePlan } from '../core/tree-core';
import type { Reader } from '../io/reader';
import type { BranchInfo, TreeInfo } from './api';
import { branchInfos, findBranch } from './branch-table';
import { type DataModel, type TreeHome, type WantedPiece, wantedOf } from './data-model';
import type { EntryChoice } from './entry-choice';
import { layoutOfTree, type ModelLayout } from './layout';

/** A TTree of an open file: its branch table, baskets and decode plans. */
export class TreeModel implements DataModel {
  readonly #tree: CoreTree;
  readonly #compress: ArrayLike<number>;
  readonly info: TreeInfo;
  readonly reader: Reader;
  readonly knownEntries = Number.POSITIVE_INFINITY;

  constructor(
    file: CoreFile,
    record: Uint8Array,
    path: string,
    readonly home: TreeHome,
    readonly key: string,
  ) {
    this.reader = home.reader;
    this.#tree = new CoreTree(file, record);
    const table = this.#tree.describe();
    const { name, title, className, entries, totalBytes, storedBytes } = table;
    this.#compress = table.branches.compress;
    const branches = branchInfos(table.branches, (parent, branch) => `${parent.path}/${branch}`);
    const aliases = Object.fromEntries(
      (table.aliasNames ?? []).map((alias, i) => [alias, table.aliasTexts?.[i] ?? '']),
    );
    const friends = (table.friendNames ?? []).map((friend, i) => ({
      name: friend,
      tree: table.friendTrees?.[i] || friend,
      file: table.friendFiles?.[i] ?? '',
    }));
    this.info = {
      path,
      name,
      title,
      kind: 'TTree',
      className,
      entries,
      totalBytes,
      storedBytes,
      branches,
      ...((table.aliasNames?.length ?? 0) > 0 && { aliases }),
      ...(friends.length > 0 && { friends }),
    };
  }

  branch(which: number | string): BranchInfo {
    return findBranch(this.info, which);
  }

  plan(branch: BranchInfo): DecodePlan {
    return this.#at(branch, () => this.#tree.plan(branch.index));
  }

  rawPlan(branch: BranchInfo): DecodePlan {
    return this.#at(branch, () => this.#tree.rawPlan(branch.index));
  }

  /** The tree's own record tells of all baskets. */
  async prepare(): Promise<void> {}

  /** The baskets of a branch that hold chosen entries, in entry order. */
  pieces(branch: BranchInfo, choice: EntryChoice): WantedPiece[] {
    const table = this.#tree.baskets(branch.index);
    const pieces: WantedPiece[] = [];
    for (let i = firstEndingBehind(table, choice.from); i < table.first.length; i++) {
      const first = Number(table.first[i]);
      const end = Number(table.end[i]);
      if (first >= choice.to) break;
      const wanted = wantedOf(choice, first, first, end);
      if (!wanted) continue;
      const offset = Number(table.seek[i]);
      // A basket without a place in the file lies in the tree's own record.
      const embedded = offset === 0;
      pieces.push({
        name: `Basket ${i}`,
        first,
        ...wanted,
        ranges: embedded ? [] : [{ offset, length: table.nbytes[i] ?? 0 }],
        head: embedded ? () => this.#tree.detach(branch.index, i) : undefined,
        origin: offset,
      });
    }
    return pieces;
  }

  layout(): ModelLayout {
    return layoutOfTree(this.info, this.#tree.layout(), this.#compress);
  }

  close(): void {
    this.#tree.close();
  }

  #at<T>(branch: BranchInfo, run: () => T): T {
    try {
      return run();
    } catch (thrown) {
      throw thrown instanceof XylemError ? thrown.at({ path: `${this.info.path}/${branch.path}` }) : thrown;
    }
  }
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
