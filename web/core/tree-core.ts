import { abortError } from '../base/errors';
import type { Schema } from './decoder';
import type { CoreFile } from './file-core';
import { parse } from './file-core';
import { readTexts, type Texts } from './tape';

/** The branch table: each list has one member for each branch, depth first. */
export interface BranchTable {
  names: string[];
  titles: string[];
  types: string[];
  parents: Int32Array;
  depths: Int32Array;
  baskets: Int32Array;
  kinds: Uint8Array;
  entries: Float64Array;
  totalBytes: Float64Array;
  storedBytes: Float64Array;
  compress: Float64Array;
  /**
   * Number of bytes of baskets in the tree's own record, which the sums above do not include. Undefined if there are
   * none.
   */
  embeddedBytes?: Float64Array;
  /**
   * For each branch, the file that contains its baskets, or "" for the tree's own file. Undefined if all are in the
   * tree's own file.
   */
  otherFiles?: string[];
}

export interface TreeTable {
  name: string;
  title: string;
  className: string;
  entries: number;
  totalBytes: number;
  storedBytes: number;
  /** Aliases of TTree::SetAlias. An RNTuple has none. */
  aliasNames?: string[];
  aliasTexts?: string[];
  /** Friends of TTree::AddFriend. */
  friendNames?: string[];
  friendTrees?: string[];
  friendFiles?: string[];
  /** Names of the attribute sets of an RNTuple; undefined if there are none. */
  attributeSets?: string[];
  /**
   * Number of branches of the tree's record that could not be read; status and message of the first failure.
   */
  lost?: number;
  lostStatus?: number;
  lostWhy?: string;
  branches: BranchTable;
}

/** Reads the table of a tree or RNTuple from a tape. */
export function parseTable(tape: Uint8Array): TreeTable {
  type Lists = 'aliasNames' | 'aliasTexts' | 'friendNames' | 'friendTrees' | 'friendFiles';
  type BranchTexts = Record<'names' | 'titles' | 'types', Texts> & { otherFiles?: Texts };
  type Raw = { branches: BranchTexts } & { [list in Lists]?: Texts };
  const table = parse<
    Omit<TreeTable, keyof Raw> & { branches: Omit<BranchTable, keyof Raw['branches']> } & Raw
  >(tape);
  const { names, titles, types, otherFiles, ...columns } = table.branches;
  const { aliasNames, aliasTexts, friendNames, friendTrees, friendFiles, ...rest } = table;
  const lists = { aliasNames, aliasTexts, friendNames, friendTrees, friendFiles };
  const read = Object.entries(lists).flatMap(([name, texts]) => (texts ? [[name, readTexts(texts)]] : []));
  return {
    ...rest,
    ...Object.fromEntries(read),
    branches: {
      ...columns,
      names: readTexts(names),
      titles: readTexts(titles),
      types: readTexts(types),
      ...(otherFiles && { otherFiles: readTexts(otherFiles) }),
    },
  };
}

/** Baskets of a branch in entry order. `seek` is 0 for a basket in the tree's own record. */
export interface BasketTable {
  first: Float64Array;
  end: Float64Array;
  /** Number of entries of each basket. */
  entries: Float64Array;
  seek: Float64Array;
  /**
   * Stored size in bytes. For a basket in the tree's own record (`seek` 0): the size of the buffer that
   * `detach` returns.
   */
  nbytes: Float64Array;
  /** Whether each basket begins at or after the end of the previous one. */
  ordered: boolean;
}

/** Locations of all baskets of all branches: see xy_tree_layout. */
export interface BasketPlaces {
  basketStart: Uint32Array;
  offset: Float64Array;
  stored: Float64Array;
  first: Float64Array;
  entries: Float64Array;
}

export interface TreePlaces extends BasketPlaces, BranchSettings {
  basketSize: Float64Array;
  autoFlush: number;
  autoSave: number;
  flushedBytes: number;
  /** fTotBytes and fZipBytes of the tree. */
  totBytes: number;
  zipBytes: number;
  clusterRangeEnd: Float64Array;
  clusterSize: Float64Array;
}

/** Numbers that the record of a TTree has for each branch, beside the places of its baskets. */
export interface BranchSettings {
  /** fEntryOffsetLen. */
  offsetLength: Float64Array;
  splitLevel: Float64Array;
  /** fType and fStreamerType of a TBranchElement; -100 for branches of other classes. */
  elementType: Float64Array;
  streamerType: Float64Array;
  /** How many leaves of the tree's own list (fLeaves) belong to the branch, and how many that list has. */
  leafCount: Float64Array;
  leaves: number;
}

/** A program that decodes a branch without its file. Plain data for a worker. */
export interface DecodePlan {
  plan: Uint8Array;
  /** Index of a branch whose values the decoder also needs; -1 if there is none. */
  counter: number;
  schema: Schema;
}

/** A tree in the core. It must be closed before its file. */
export class CoreTree {
  /** 0 if it is closed. */
  #pointer: number;
  readonly #plans = new Map<number, DecodePlan>();

  constructor(
    readonly file: CoreFile,
    record: Uint8Array,
  ) {
    const input = file.core.input(record);
    this.#pointer = file.core.make((x, ctx) => x.xy_tree_create(ctx, file.pointer, input, record.length));
  }

  /** Its address in the core. Throws ABORTED if it was closed while it was being read. */
  get pointer(): number {
    if (this.#pointer === 0) throw abortError();
    return this.#pointer;
  }

  describe(): TreeTable {
    return parseTable(this.file.core.call((x, ctx) => x.xy_tree_describe(ctx, this.pointer)));
  }

  baskets(branch: number): BasketTable {
    return parse<BasketTable>(
      this.file.core.call((x, ctx) => x.xy_tree_branch_baskets(ctx, this.pointer, branch)),
    );
  }

  layout(): TreePlaces {
    return parse<TreePlaces>(this.file.core.call((x, ctx) => x.xy_tree_layout(ctx, this.pointer)));
  }

  /**
   * Returns the orders of the members of collections of objects in a basket: 1 object-wise, 2 member-wise, 3 both, 0 no
   * such collection. Throws the errors of decoding.
   */
  orders(branch: number, basket: Uint8Array): number {
    const { core } = this.file;
    const at = core.input(basket);
    return core.call((x, ctx) => x.xy_tree_orders(ctx, this.pointer, branch, at, basket.length))[0] ?? 0;
  }

  /** Returns a basket of the tree's own record in a form that a decoder accepts. */
  detach(branch: number, basket: number): Uint8Array {
    return this.file.core.call((x, ctx) => x.xy_tree_detach(ctx, this.pointer, branch, basket));
  }

  /** Returns the plan of a branch. It is created once. */
  plan(branch: number): DecodePlan {
    const { pointer } = this;
    const plan =
      this.#plans.get(branch) ??
      parse<DecodePlan>(this.file.core.call((x, ctx) => x.xy_plan(ctx, pointer, branch)));
    this.#plans.set(branch, plan);
    return plan;
  }

  /** Returns a plan that produces the bytes of each entry, for any branch. */
  rawPlan(branch: number): DecodePlan {
    return parse<DecodePlan>(this.file.core.call((x, ctx) => x.xy_raw_plan(ctx, this.pointer, branch)));
  }

  close(): void {
    const pointer = this.#pointer;
    this.#pointer = 0;
    if (pointer !== 0) this.file.free((x) => x.xy_tree_destroy(pointer));
  }
}
