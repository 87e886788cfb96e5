import { XylemError } from '../base/errors';
import type { Core } from '../core/core';
import type { CoreFile } from '../core/file-core';
import { type BasketTable, CoreTree, type DecodePlan } from '../core/tree-core';
import type { Reader } from '../io/reader';
import type { BranchInfo, TreeInfo } from './api';
import { branchInfos, findBranch } from './branch-table';
import type { DataModel, TreeHome } from './data-model';
import type { EntryChoice, EntryHull } from './entry-choice';
import { layoutOfTree, type ModelLayout } from './layout';
import { PieceList, type PieceNumbers } from './piece-list';

/** A TTree of an open file: its branch table, baskets and decode plans. */
export class TreeModel implements DataModel {
  readonly #tree: CoreTree;
  readonly #compress: ArrayLike<number>;
  readonly info: TreeInfo;
  readonly reader: Reader;
  readonly core: Core;
  readonly knownEntries = Number.POSITIVE_INFINITY;

  constructor(
    file: CoreFile,
    record: Uint8Array,
    path: string,
    readonly home: TreeHome,
    readonly key: string,
  ) {
    this.reader = home.reader;
    this.core = file.core;
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
  pieces(branch: BranchInfo, choice: EntryChoice): PieceList {
    const table = this.#tree.baskets(branch.index);
    const whole = choice.solid && table.ordered;
    const { numbers, numberOf } = whole ? solidBaskets(table, choice) : chosenBaskets(table, choice);
    const headOf = (index: number): Uint8Array => this.#tree.detach(branch.index, numberOf(index));
    return new PieceList(numbers, choice, { kind: 'Basket', numberOf, headOf });
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

/** Some baskets of a table as pieces, and which. */
interface ChosenBaskets {
  numbers: PieceNumbers;
  numberOf: (index: number) => number;
}

/** Those of one span of entries: parts of the table, but for the first and the last. */
function solidBaskets(table: BasketTable, { from, to }: EntryChoice): ChosenBaskets {
  const start = firstEndingBehind(table, from);
  const end = Math.max(start, firstBeginningAt(table, to));
  const first = table.first.subarray(start, end);
  const ends = table.entries.slice(start, end);
  const rows = ends.slice();
  const starts = new Float64Array(first.length);
  const last = first.length - 1;
  if (last >= 0) {
    starts[0] = Math.max(0, from - (first[0] ?? 0));
    ends[last] = Math.min(ends[last] ?? 0, to - (first[last] ?? 0));
    rows[last] = ends[last] ?? 0;
    rows[0] = (rows[0] ?? 0) - (starts[0] ?? 0);
  }
  const offset = table.seek.subarray(start, end);
  const size = table.nbytes.subarray(start, end);
  return {
    numbers: { first, from: starts, to: ends, rows, offset, size },
    numberOf: (index) => start + index,
  };
}

function chosenBaskets(table: BasketTable, choice: EntryChoice): ChosenBaskets {
  const chosen: number[] = [];
  const hulls: EntryHull[] = [];
  for (let i = firstEndingBehind(table, choice.from); i < table.first.length; i++) {
    const first = table.first[i] ?? 0;
    if (first >= choice.to) break;
    const hull = choice.hull(first, table.end[i] ?? 0);
    if (!hull) continue;
    chosen.push(i);
    hulls.push(hull);
  }
  const of = (list: Float64Array): Float64Array => Float64Array.from(chosen, (i) => list[i] ?? 0);
  const first = of(table.first);
  const numbers = {
    first,
    from: Float64Array.from(hulls, ({ from }, i) => from - (first[i] ?? 0)),
    to: Float64Array.from(hulls, ({ to }, i) => to - (first[i] ?? 0)),
    rows: Float64Array.from(hulls, ({ rows }) => rows),
    offset: of(table.seek),
    size: of(table.nbytes),
  };
  return { numbers, numberOf: (index) => chosen[index] ?? 0 };
}

function firstEndingBehind(table: BasketTable, entry: number): number {
  return firstAbove(table.end, entry);
}

/** Of baskets in order. */
function firstBeginningAt(table: BasketTable, entry: number): number {
  return firstAbove(table.first, entry - 1);
}

/** The first of ascending numbers that is above another. */
function firstAbove(numbers: Float64Array, limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
