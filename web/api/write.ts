import type { Codec } from '../core/compression';
import type { CallOptions, EntryRange, EntrySelection, FileInfo, Histogram, SourceSpec } from './api';
import type { DoctorCost, NamedLink } from './doctor';
import type { TableRequest } from './export';
import type { TreeLayout } from './layout';
import type { Reading } from './reading';
import type { MergeJournal, Sink } from './sink';

/** An input of a merge: a file that the same reader has open, or a source that is opened when its turn comes. */
export type MergeInput =
  | { file: FileInfo }
  | {
      name: string;
      source: SourceSpec;
      /** Reads the file whole, if it is a small one of this machine. @internal */
      small?: (() => SmallFile | undefined) | undefined;
    };

/** A file in memory. @internal */
export interface SmallFile {
  /** They may be overwritten when the next file is read. */
  bytes: Uint8Array;
  /** See FileInfo. */
  validator: string;
}

/** Options of all files that are written. */
export interface WriteOptions extends CallOptions {
  /** Name that is stored in the new file. Default: that of the sink, or of the input. */
  name?: string | undefined;
  /**
   * Writes the same bytes for the same input: without dates, and with a UUID made from the content. Default: false.
   */
  reproducible?: boolean | undefined;
}

interface VerifyOption {
  /** Reads the new file back, and compares it with what was copied. The sink needs `written` for it. */
  verify?: boolean | undefined;
}

/** How much of a file is changed: see docs/features/writer.md. */
export type HealLevel = 'clusters' | 'order' | 'rebasket';

/** How a file is healed. */
export interface HealChoice {
  /** For `rebasket`: compressed bytes in a cluster. Default: 30,000,000. */
  clusterBytes?: number | undefined;
  /** Compresses all baskets again. Undefined copies baskets as they are stored, if possible. */
  codec?: Codec | undefined;
  /** A recorded reading of this file. In each cluster the branches that it used come first, in its order. */
  by?: Reading | undefined;
}

/** Options of `heal`. Defaults: `level` is "order"; `verify` is true if the sink has `written`. */
export interface HealOptions extends WriteOptions, VerifyOption, HealChoice {
  level?: HealLevel | undefined;
}

/** Entries of one tree. */
export interface ChosenEntries {
  /** Entries to copy. Default: all. */
  entries?: EntrySelection | undefined;
  /** Copies only entries for which this expression is not 0. It may use branches that are not copied. */
  cut?: string | undefined;
  /** Path of the tree. Default: the only tree that is copied. */
  entriesOf?: string | undefined;
}

/** The part of a file that is copied. In paths, * matches any characters and ? matches one. */
export interface Selection {
  /** Paths of trees, with all cycles, or "path;cycle" for one cycle. Default: all. */
  trees?: readonly string[] | undefined;
  /** Names of branches as `chooseBranches` takes them, for each copied tree. Default: all. */
  branches?: readonly string[] | undefined;
  /** Paths of other objects, in the same form. Default: all. Process ids that TRefs need are always kept. */
  objects?: readonly string[] | undefined;
}

/** The part of a file that is copied, and how its baskets are. */
export interface CopyChoice extends ChosenEntries {
  selection?: Selection | undefined;
  /** Compresses all baskets again; undefined copies them as they are stored. */
  codec?: Codec | undefined;
}

/** The part of a file that a skim copies, and its form. */
export interface SkimChoice extends CopyChoice {
  /** Converts trees to RNTuples. They are decoded; parts that an RNTuple cannot store are left out. */
  to?: 'rntuple' | undefined;
}

/** Options of a skim. Defaults: `selection` is everything; `verify` is false. */
export interface SkimOptions extends WriteOptions, VerifyOption, SkimChoice {}

/** Options of a salvage. Default: `verify` is true if the sink has `written`. */
export interface SalvageOptions extends WriteOptions, VerifyOption {}

/** How trees with different branches are merged. */
export interface SchemaOption {
  /**
   * How trees with different branches are merged. "strict", the default, refuses them. "filter" keeps the branches
   * that are the same in all files. "union" keeps the branches of all files, with zeros, empty texts and empty lists
   * where a file lacks a branch. RNTuples with different fields are refused, except with "filter".
   */
  schema?: 'strict' | 'filter' | 'union' | undefined;
}

/** Options of a merge. Defaults: `verify` is false; `choice` is everything. */
export interface MergeOptions extends WriteOptions, VerifyOption, SchemaOption {
  /** The part of each file that is merged: trees, branches, objects and entries. Entries are counted over all files. */
  choice?: CopyChoice | undefined;
}

/** The form of a tree that is exported as a ROOT file. */
export interface RootForm {
  /** For example `zstd:5`, the default, or `none`. */
  codec?: string | undefined;
  /** A TTree, the default, or an RNTuple. */
  format?: 'root' | 'rntuple' | undefined;
}

/** Options of a tree that is exported as a ROOT file. Default: `codec` is "zstd:5". */
export interface RootOptions extends WriteOptions, RootForm {}

/** A part of a tree that becomes a tree of a new file: branches or expressions, entries, and a cut. */
export type RootExportRequest = TableRequest;

/** Sizes of a file that was written, and notes on what it leaves out. */
export interface WrittenFile {
  bytes: number;
  keys: number;
  trees: number;
  /** Includes the pages of RNTuples. */
  baskets: number;
  /** Branches that were left out, and branches that were copied only because others need them. */
  notes: string[];
}

/** Sizes of a file that was skimmed, with what it leaves out. */
export interface SkimmedFile extends WrittenFile {
  /** With `to`: one line for each branch and each object that the new file does not have. */
  lost?: string[] | undefined;
}

/** A part of the input that the new file does not have. */
export interface Lost {
  /** Path of the key with its cycle; empty for the lists of the file itself. */
  path: string;
  why: string;
  /** In a tree: entries that are left out of all branches, and branches that are left out or caused these losses. */
  entries?: EntryRange[] | undefined;
  branches?: string[] | undefined;
}

/** Sizes of a file that was salvaged, and what was lost. */
export interface SalvagedFile extends WrittenFile {
  lost: Lost[];
}

/** A tree or RNTuple of a merged file. */
export interface MergedTree {
  path: string;
  entries: number;
  /** Number of inputs that have entries of it. */
  parts: number;
  /** Number of its baskets. For an RNTuple the number of its pages; a page that is used several times counts once. */
  baskets: number;
  /** Bytes of its baskets in the file. */
  basketBytes: number;
  /** Number of ranges that were read from the inputs for them. */
  reads: number;
  clusters: number;
  /** Number of clusters according to the inputs. */
  clustersClaimed: number;
}

/** The result of a merge. */
export interface Merged {
  bytes: number;
  /** The trees, followed by the RNTuples. */
  trees: MergedTree[];
  /** Number of sums of histograms, profiles and graphs, and number of other objects. Each cycle counts. */
  sums: number;
  objects: number;
  /** Changes that lose no value of the inputs, for example a dropped index of a tree. */
  notes: string[];
  /** Parts of the inputs that are missing in the output, or kept but not added. */
  leftOut: string[];
}

/** Sizes of a new file. */
export interface WrittenNew {
  bytes: number;
  /** Number of objects and trees. */
  keys: number;
}

export interface ExportedTree extends WrittenNew {
  /** Entries of the new tree or RNTuple. */
  entries: number;
}

/** Number of baskets, or of pages of an RNTuple, and their bytes in the file. */
export interface BasketSum {
  baskets: number;
  bytes: number;
}

/** The effect of writing on a tree or an RNTuple. Members with "after" are about the new file. */
export interface PlannedTree {
  path: string;
  kind: 'tree' | 'ntuple';
  entries: number;
  entriesAfter: number;
  /** Number of baskets of the copied branches, for all entries, without baskets in the tree's record. */
  baskets: number;
  bytes: number;
  basketsAfter: number;
  bytesAfter: number;
  /** Baskets of the input that are copied as they are stored, and baskets that are unpacked to make new ones. */
  whole: BasketSum;
  unpacked: BasketSum;
  /** Number of clusters according to the tree, and according to its baskets. */
  clustersClaimed: number;
  clustersTrue: number;
  /** Number of clusters in the new tree, and whether they differ from those of the input. */
  clustersAfter: number;
  clustersChange: boolean;
  /** How often, in reading order, a basket does not directly follow the previous one in the file. */
  seeksBefore: number;
  seeksAfter: number;
  /** Cost of reading a few of the copied branches, before and after; empty for an RNTuple. */
  costs: DoctorCost[];
  /** Entries along its baskets, before and after: see `PlanOptions.places`. @internal */
  strips?: { before: Float32Array; after: Float32Array } | undefined;
  /** Where its baskets or pages will lie: see `PlanOptions.layouts`. @internal */
  layoutAfter?: TreeLayout | undefined;
}

/** Cost of reading the input over a link, without decoding. */
export interface FetchCost {
  link: string;
  requests: number;
  /** Bytes that are read, including gaps that are read over. */
  bytes: number;
  ms: number;
}

/** The effect of writing a file. */
export interface WritePlan {
  /** Bytes of the records that are copied or unpacked. Metadata have already been read. */
  read: { bytes: number; links: FetchCost[] };
  /** Bytes of the new file. Exact unless `estimated`. */
  write: { bytes: number; estimated: boolean };
  /** The newest cycle of each tree. */
  trees: PlannedTree[];
  notes: string[];
}

export interface PlanOptions extends CallOptions {
  /**
   * Number of places in each tree, evenly spaced over its baskets, for which the entries are given as numbers from 0
   * to 1. Default: 0. @internal
   */
  places?: number | undefined;
  /**
   * Adds the layout that each tree will have. About 4 MB of baskets that are joined are then read, to estimate their
   * sizes. Default: false. @internal
   */
  layouts?: boolean | undefined;
  /** Links for which costs are given. Default: those of the doctor. */
  links?: readonly NamedLink[] | undefined;
}

/**
 * Writes ROOT files, in a worker if the reader has one. The sink is closed when the file is complete, and aborted
 * after a failure. All methods reject with XylemError; errors of a sink get the code IO.
 */
export interface WriteApi {
  /** @internal `RootHandle` and `mergeRoot` have these calls. */
  heal(file: FileInfo, sink: Sink, options?: HealOptions): Promise<WrittenFile>;
  /** @internal */
  skim(file: FileInfo, sink: Sink, options?: SkimOptions): Promise<SkimmedFile>;
  /** @internal */
  salvage(file: FileInfo, sink: Sink, options?: SalvageOptions): Promise<SalvagedFile>;
  /** @internal */
  merge(inputs: readonly MergeInput[], sink: Sink, options?: MergeOptions): Promise<Merged>;
  /** @internal */
  planHeal(file: FileInfo, options?: HealOptions & PlanOptions): Promise<WritePlan>;
  /** @internal */
  planSkim(file: FileInfo, options?: SkimOptions & PlanOptions): Promise<WritePlan>;
  /**
   * Returns what `mergeRoot` would write, without writing. Baskets that would only be copied are not read. A cut is
   * evaluated.
   */
  planMerge(inputs: readonly MergeInput[], options?: MergeOptions): Promise<Merged>;
  /** Writes a part of a tree, or expressions over it, as a tree of a new file. */
  exportTree(
    file: FileInfo,
    request: RootExportRequest,
    sink: Sink,
    options?: RootOptions,
  ): Promise<ExportedTree>;
  /** Writes a file with drawn histograms or profiles. Throws UNSUPPORTED for a profile of three axes. */
  histogram(
    histogram: Histogram | readonly Histogram[],
    sink: Sink,
    options?: CallOptions,
  ): Promise<WrittenNew>;
}

/** Functions that the writing thread calls in the thread of the sink. */
export interface WriteHost {
  write(at: number, bytes: Uint8Array): Promise<void>;
  /** The journal of a sink, if it has one. */
  begin?: MergeJournal['begin'] | undefined;
  /** Opens an input of a merge, by its index. */
  open(index: number): Promise<FileInfo>;
  /** Reads an input of a merge whole; undefined if it has to be opened. Only where the inputs are read in this thread. */
  small?: ((index: number) => SmallFile | undefined) | undefined;
  /** Opens all inputs of a merge as one chain. */
  openChain(): Promise<FileInfo>;
  /** Opens the written file; undefined if it cannot be read. */
  written(): Promise<FileInfo | undefined>;
  close(file: FileInfo): Promise<void>;
}

/** The part of a host that is needed if nothing is written. */
export type InputHost = Pick<WriteHost, 'open' | 'small' | 'openChain' | 'close'>;

/** Options as they are sent to the thread that writes. `writer` is xylem-write.wasm. */
export type WriteTask<Options> = Omit<Options, 'name'> & { writer: WebAssembly.Module; name: string };

/** Writes files, in some thread. */
export interface WriteWork {
  heal(file: FileInfo, host: WriteHost, task: WriteTask<HealOptions>): Promise<WrittenFile>;
  skim(file: FileInfo, host: WriteHost, task: WriteTask<SkimOptions>): Promise<SkimmedFile>;
  salvage(file: FileInfo, host: WriteHost, task: WriteTask<SalvageOptions>): Promise<SalvagedFile>;
  merge(names: readonly string[], host: WriteHost, task: WriteTask<MergeOptions>): Promise<Merged>;
  exportTree(
    file: FileInfo,
    host: WriteHost,
    task: WriteTask<RootOptions> & { request: RootExportRequest },
  ): Promise<ExportedTree>;
  histogram(
    histogram: Histogram | readonly Histogram[],
    host: WriteHost,
    task: WriteTask<CallOptions>,
  ): Promise<WrittenNew>;
  planHeal(file: FileInfo, task: WriteTask<HealOptions & PlanOptions>): Promise<WritePlan>;
  planSkim(file: FileInfo, task: WriteTask<SkimOptions & PlanOptions>): Promise<WritePlan>;
  planMerge(names: readonly string[], host: InputHost, task: WriteTask<MergeOptions>): Promise<Merged>;
}
