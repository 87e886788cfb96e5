import type { BranchInfo, PartialNote, TreeInfo } from '../api/api';
import { toXylemError } from '../base/errors';
import { firstAbove, firstAtLeast } from '../base/search';
import { type Core, codeOf, sentence } from '../core/core';
import type { Schema } from '../core/decoder';
import type { ClassRecord, CoreFile } from '../core/file-core';
import {
  type BasketTable,
  type BranchTable,
  CoreTree,
  type DecodePlan,
  type TreeTable,
} from '../core/tree-core';
import type { ByteReader, ReadOptions } from '../io/fetch/reader';
import { branchInfos, findBranch } from './branch-table';
import type { DataModel, TreeHome } from './data-model';
import { ofBranch } from './data-model';
import type { EntryBounds, EntryChoice } from './entry-choice';
import { layoutOfTree, type ModelLayout } from './layout';
import { DecodeUnitList, type DecodeUnitNumbers } from './slice-list';

/** A TTree of an open file: its branch table, baskets and decode plans. */
export class TreeModel implements DataModel {
  readonly #tree: CoreTree;
  readonly #compress: ArrayLike<number>;
  readonly info: TreeInfo;
  readonly reader: ByteReader;
  readonly core: Core;
  readonly knownEntries = Number.POSITIVE_INFINITY;

  constructor(
    file: CoreFile,
    record: Uint8Array,
    path: string,
    readonly home: TreeHome,
    readonly key: string,
    /** Size in bytes of the decompressed record. */
    objectBytes: number,
  ) {
    this.reader = home.reader;
    this.core = file.core;
    this.#tree = new CoreTree(file, record);
    const table = this.#tree.describe();
    const { name, title, className, entries, totalBytes, storedBytes } = table;
    this.#compress = table.branches.compress;
    const branches = branchInfos(table.branches, 'TTree', (parent, branch) => `${parent.path}/${branch}`);
    const embedded = countEmbedded(branches, table.branches, record.length / Math.max(1, objectBytes));
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
      totalBytes: totalBytes + embedded.totalBytes,
      storedBytes: storedBytes + embedded.storedBytes,
      branches,
      ...((table.aliasNames?.length ?? 0) > 0 && { aliases }),
      ...(friends.length > 0 && { friends }),
      ...(table.lost && { lost: lostOf(table, path, branches.length) }),
    };
  }

  branch(which: number | string): BranchInfo {
    return findBranch(this.info, which);
  }

  plan(branch: BranchInfo): DecodePlan {
    return ofBranch(this.info, branch, () => this.#tree.plan(branch.index));
  }

  classSchema(name: string): Schema | null {
    return this.#tree.file.classSchema(name);
  }

  classes(): ClassRecord[] {
    return this.#tree.file.types();
  }

  rawPlan(branch: BranchInfo): DecodePlan {
    return ofBranch(this.info, branch, () => this.#tree.rawPlan(branch.index));
  }

  /** Does nothing, because the tree's own record lists all baskets. */
  async prepare(): Promise<void> {}

  /** Returns the baskets of a branch with chosen entries, in entry order. */
  units(branch: BranchInfo, choice: EntryChoice): DecodeUnitList {
    const table = this.#tree.baskets(branch.index);
    const whole = choice.contiguous && table.ordered;
    const { numbers, numberOf } = whole ? contiguousBaskets(table, choice) : chosenBaskets(table, choice);
    const headOf = (index: number): Uint8Array => this.#tree.detach(branch.index, numberOf(index));
    return new DecodeUnitList(numbers, choice, { kind: 'Basket', numberOf, headOf });
  }

  /** See `TreeLayout.orders`. */
  async orders(options: ReadOptions): Promise<Uint8Array> {
    const found = new Uint8Array(this.info.branches.length);
    const chosen = this.info.branches.flatMap(({ index, kind, baskets, otherFile }) => {
      if (kind !== 'object' || baskets === 0 || otherFile !== undefined) return [];
      const { seek, nbytes } = this.#tree.baskets(index);
      return [{ index, offset: seek[0] ?? 0, length: nbytes[0] ?? 0 }];
    });
    const stored = chosen.filter(({ offset }) => offset > 0);
    const bytes = await this.reader.read(stored, { purpose: 'how collections are streamed', ...options });
    const records = new Map(stored.map(({ index }, i) => [index, bytes[i]]));
    for (const { index } of chosen) {
      const record = records.get(index) ?? this.#tree.detach(index, 0);
      try {
        found[index] = this.#tree.orders(index, record);
      } catch (thrown) {
        const { code } = toXylemError(thrown);
        // A branch that needs another one, or whose class is not known, is not decoded by itself.
        if (code === 'ABORTED' || code === 'CORE_LOST' || code === 'BUDGET') throw thrown;
      }
    }
    return found;
  }

  layout(): ModelLayout {
    return layoutOfTree(this.info, this.#tree.layout(), this.#compress);
  }

  close(): void {
    this.#tree.close();
  }
}

function lostOf(
  { lost = 0, lostStatus = 0, lostWhy = '' }: TreeTable,
  path: string,
  read: number,
): PartialNote {
  const code = codeOf(lostStatus);
  const text = `${lost} of ${read + lost} branches of "${path}" cannot be read: ${lostWhy}`;
  return { failed: lost, total: read + lost, errors: [{ code, message: sentence(text), where: { path } }] };
}

/** Adds the baskets in the tree's own record to the bytes of their branches, and returns their sums. */
function countEmbedded(
  branches: readonly BranchInfo[],
  { embeddedBytes }: BranchTable,
  share: number,
): { totalBytes: number; storedBytes: number } {
  const sum = { totalBytes: 0, storedBytes: 0 };
  for (const branch of branches) {
    const bytes = embeddedBytes?.[branch.index] ?? 0;
    if (bytes === 0) continue;
    const stored = Math.round(bytes * Math.min(1, share));
    branch.embeddedBytes = bytes;
    branch.totalBytes += bytes;
    branch.storedBytes += stored;
    sum.totalBytes += bytes;
    sum.storedBytes += stored;
  }
  return sum;
}

/** Some baskets of a table as units, and their numbers. */
interface ChosenBaskets {
  numbers: DecodeUnitNumbers;
  numberOf: (index: number) => number;
}

/** Returns the baskets of one span of entries, as views of the table except for the first and the last. */
function contiguousBaskets(table: BasketTable, { from, to }: EntryChoice): ChosenBaskets {
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
  const bounds: EntryBounds[] = [];
  for (let i = firstEndingBehind(table, choice.from); i < table.first.length; i++) {
    const first = table.first[i] ?? 0;
    if (first >= choice.to) break;
    const one = choice.bounds(first, table.end[i] ?? 0);
    if (!one) continue;
    chosen.push(i);
    bounds.push(one);
  }
  const of = (list: Float64Array): Float64Array => Float64Array.from(chosen, (i) => list[i] ?? 0);
  const first = of(table.first);
  const numbers = {
    first,
    from: Float64Array.from(bounds, ({ from }, i) => from - (first[i] ?? 0)),
    to: Float64Array.from(bounds, ({ to }, i) => to - (first[i] ?? 0)),
    rows: Float64Array.from(bounds, ({ rows }) => rows),
    offset: of(table.seek),
    size: of(table.nbytes),
  };
  return { numbers, numberOf: (index) => chosen[index] ?? 0 };
}

function firstEndingBehind(table: BasketTable, entry: number): number {
  return firstAbove(table.end, entry);
}

/** Returns the index of the first basket that begins at or after an entry. Baskets are in order. */
function firstBeginningAt(table: BasketTable, entry: number): number {
  return firstAtLeast(table.first, entry);
}
