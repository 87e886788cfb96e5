import { XylemError } from '../base/errors';
import type { CoreFile } from '../core/file-core';
import { type BasketTable, CoreTree, type DecodePlan } from '../core/tree-core';
import type { Reader } from '../io/reader';
import type { Range } from '../io/source';
import type { BranchInfo, TreeInfo } from './api';
import { branchInfos, findBranch } from './branch-table';
import { type DataModel, type TreeHome, type WantedEntries, type WantedPiece, wantedOf } from './data-model';
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
      const first = table.first[i] ?? 0;
      if (first >= choice.to) break;
      const wanted = wantedOf(choice, first, first, table.end[i] ?? 0);
      if (!wanted) continue;
      const offset = table.seek[i] ?? 0;
      const piece = new BasketPiece(i, first, wanted, offset, table.nbytes[i] ?? 0);
      if (offset === 0) piece.head = () => this.#tree.detach(branch.index, i);
      pieces.push(piece);
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

/** There may be many thousands of them, of which few are ever named. */
class BasketPiece implements WantedPiece {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly spans: (() => Float64Array) | undefined;
  readonly ranges: Range[];
  head: (() => Uint8Array) | undefined;

  /** A basket without a place in the file (`origin` 0) lies in the tree's own record. */
  constructor(
    readonly number: number,
    readonly first: number,
    { from, to, rows, spans }: WantedEntries,
    readonly origin: number,
    length: number,
  ) {
    this.from = from;
    this.to = to;
    this.rows = rows;
    this.spans = spans;
    this.ranges = origin === 0 ? [] : [{ offset: origin, length }];
    this.head = undefined;
  }

  get name(): string {
    return `Basket ${this.number}`;
  }
}

function firstEndingBehind(table: BasketTable, entry: number): number {
  let low = 0;
  let high = table.end.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((table.end[middle] ?? 0) > entry) high = middle;
    else low = middle + 1;
  }
  return low;
}
