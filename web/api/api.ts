import type { ErrorRecord } from '../base/errors';
import type { Column, DType } from '../core/columns';
import type { ExactSummary } from '../core/sums/exact-summary';
import type { ServerTrouble } from '../io/source';
import type { ReadRecord, TraceSummary } from '../io/trace';
import type { CheckOptions, CheckReport } from './check-report';
import type { DrawAllRequest, DrawOutcome, DrawRequest, DrawResult, Histogram, RulesOfRoot } from './drawing';
import type { ClassInfo, PlainObject } from './objects';
import type { SourceSpec } from './sources';

export type { Compression } from '../core/encoder';
export type { ExactSummary } from '../core/sums/exact-summary';
export type { ExactSums } from '../core/sums/exact-sums';
export type {
  AxisRequest,
  AxisRule,
  DrawAllRequest,
  DrawnTogether,
  DrawOutcome,
  DrawRequest,
  DrawResult,
  EntryNumbers,
  Frequencies,
  Histogram,
  ProfileErrors,
  RulesOfRoot,
} from './drawing';
export type { TreeLayout } from './layout';
export type { ClassInfo, MemberInfo, PlainObject, PlainValue } from './objects';
export type {
  ChainPart,
  ChainSource,
  FileSource,
  PlainSource,
  ReplicatedSource,
  RequestOptions,
  SourceSpec,
  UrlSource,
  WholeSource,
} from './sources';

/** Identifies an open file in a ReaderApi. */
export type FileId = number;

export interface FileInfo {
  id: FileId;
  /** File name or URL, for display. */
  name: string;
  title: string;
  /** Size in bytes: ROOT's fEND. */
  size: number;
  /** ROOT version that wrote the file, for example "6.40/02". */
  rootVersion: string;
  /** Default compression, for example "zlib 1", "none". */
  compression: string;
  /** ISO 8601 in the local time of the writer, as ROOT stores it. */
  created: string;
  modified: string;
  uuid: string;
  /**
   * Identifies this content among others of the same name: an ETag, a Last-Modified, or "mtime" and milliseconds since
   * 1970.
   */
  validator?: string | undefined;
  /**
   * Set if the server could not be reached: only the bytes cached on this machine are available, and they are not
   * checked.
   */
  offline?: boolean | undefined;
  /** Repairs and missing parts, for example "never closed; keys recovered by walking the records". */
  notes: string[];
  /** Names of all files, for a chain. */
  files?: string[] | undefined;
}

export type KeyKind = 'directory' | 'tree' | 'ntuple' | 'histogram' | 'graph' | 'object';

/** One key of the file. Keys of all directories are listed. `path` has no leading slash. */
export interface KeyInfo {
  path: string;
  name: string;
  title: string;
  className: string;
  cycle: number;
  kind: KeyKind;
  /** Size of the record in the file, and of the decompressed object, in bytes. */
  storedBytes: number;
  objectBytes: number;
  offset: number;
}

/** `number`: can be drawn as a histogram. `string`: has most frequent values. `group`: only contains other branches. */
export type BranchKind = 'number' | 'string' | 'object' | 'group';

export interface BranchInfo {
  /** Index in TreeInfo.branches, depth first. */
  index: number;
  /** Index of the parent, or -1 for a branch of the tree itself. */
  parent: number;
  depth: number;
  /** Names from the tree down, joined by "/". A path may occur twice in a tree; `index` is unique. */
  path: string;
  name: string;
  title: string;
  /**
   * The documentation of the branch or field: its title, unless that is only a name or a list of leaves such as
   * "pt[n]/F", which ROOT writes by itself.
   */
  documentation?: string | undefined;
  /** The unit in brackets at the end of the documentation: "GeV" of "transverse momentum (GeV)". */
  unit?: string | undefined;
  /** C++ type, for example "float", "std::vector<float>", "double[3]". */
  typeName: string;
  kind: BranchKind;
  entries: number;
  baskets: number;
  /**
   * Uncompressed and compressed bytes of all baskets with their keys, as in ROOT. For a field of an RNTuple they
   * include the bytes of its subfields; for a branch they do not include those of its sub-branches.
   */
  totalBytes: number;
  storedBytes: number;
  /**
   * Uncompressed bytes of the baskets in the tree's own record; undefined if there are none. ROOT does not count them.
   * Here, `totalBytes` includes them, and `storedBytes` includes their part of the compressed record.
   */
  embeddedBytes?: number | undefined;
  /** The file with the baskets of the branch (TBranch::SetFile); undefined if they are in the tree's own file. */
  otherFile?: string | undefined;
}

export interface TreeInfo {
  path: string;
  name: string;
  title: string;
  kind: 'TTree' | 'RNTuple';
  className: string;
  entries: number;
  totalBytes: number;
  storedBytes: number;
  branches: BranchInfo[];
  /** Names for expressions (TTree::SetAlias). */
  aliases?: Record<string, string> | undefined;
  /** Friends of the tree (TTree::AddFriend): their names, and the file; "" for the same file. */
  friends?: { name: string; tree: string; file: string }[] | undefined;
  /** Names of the attribute sets of an RNTuple; undefined if it has none. They are listed, but not read or copied. */
  attributeSets?: string[] | undefined;
  /** For a chain: the first entry of each file that could be opened, ascending. */
  fileStarts?: number[] | undefined;
  /** For a chain: the files that could not be opened. Their entries are not counted. */
  partial?: PartialNote | undefined;
  /** Branches of the tree's record that could not be read. They are not in `branches`. */
  lost?: PartialNote | undefined;
}

export interface Progress {
  /** Description of the current step, for display: "Reading Muon_pt". */
  label: string;
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
  /** The histogram of the values so far. */
  partial?: Histogram;
  /**
   * The requests for which the call waits, reported every second: the number of planned and running ones, and `trouble`
   * if the server does not answer or refuses them.
   */
  requests?: { left: number; trouble?: ServerTrouble | undefined } | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Range of entries [from, to). */
export type EntryRange = [from: number, to: number];

/** A random sample of the entries. It is the same for the same seed, whichever part of it is read. */
export interface EntrySample {
  /** Fraction of the entries: above 0, at most 1. */
  fraction: number;
  /** An integer from 0 to 2^32 - 1. Default: 0. */
  seed?: number;
  /** Only entries in this range. Default: all. */
  within?: EntryRange;
}

/**
 * The chosen entries: a range, a list of ranges or of entries (ascending, without duplicates), or a sample. Only
 * baskets with a chosen entry are read.
 */
export type EntrySelection = EntryRange | readonly EntryRange[] | Float64Array | EntrySample;

/** Baskets (for a chain, also files) that could not be read, by name. A result with a PartialNote is incomplete. */
export interface PartialNote {
  failed: number;
  total: number;
  errors: ErrorRecord[];
}

export interface SummaryRequest {
  tree: string;
  /** Default: all branches of numbers. */
  branches?: (number | string)[] | undefined;
  entries?: EntrySelection | undefined;
  /** Also counts zeros and distinct values, and finds branches with equal values. Includes branches of strings. */
  details?: boolean | undefined;
  /**
   * Returns also `BranchSummary.exact`; `details` are then left out.
   * @internal
   */
  exact?: boolean | undefined;
}

/** Statistics of the numbers of a branch. Each element of an array counts as a value. */
export interface BranchSummary {
  branch: BranchInfo;
  /** Number of tree entries that were read. */
  entries: number;
  /** Number of values without NaN. Infinite values are included, and also counted separately. */
  values: number;
  nans: number;
  infinities: number;
  /** Minimum and maximum of the finite values; NaN if there are none. */
  min: number;
  max: number;
  sum: number;
  mean: number;
  stdDev: number;
  /** Whether all values are integers. */
  integer: boolean;
  /** Additional results, if requested and if there are values. For strings, `values` is their number. */
  details?:
    | {
        /** Number of zeros, or of empty strings. */
        zeros: number;
        /**
         * Number of distinct values (-0 equals 0, and all NaN are equal): exact, or an estimate with a standard error
         * of 0.8 %.
         */
        distinct: number;
        distinctExact: boolean;
        /** Whether all values are equal. */
        constant: boolean;
        /** Path of the first branch with the same values in the same lists, by 64-bit checksums. */
        duplicateOf?: string | undefined;
      }
    | undefined;
  /**
   * If requested: figures that add up, to the same bits in any order of files and clusters.
   * @internal
   */
  exact?: ExactSummary | undefined;
  /** Set if the branch has fewer entries than were requested. The results are for the entries that it has. */
  missing?: ErrorRecord | undefined;
  /** The reason why the branch, or some of its entries, could not be read. */
  error?: ErrorRecord | undefined;
}

/**
 * A friend of the tree, as with TTree::AddFriend. Expressions can use its branches as "friend.branch", or as "branch"
 * if the tree itself has no branch with this name.
 */
export interface FriendTree {
  /** An open file, or a chain of them. */
  file: FileId;
  tree: string;
  /** Its name in expressions. Default: the name of the tree. */
  alias?: string | undefined;
  /**
   * Expressions by which entries are matched: their values, truncated to integers, are equal (TTree::BuildIndex).
   * Default: the index that is stored with the tree, otherwise the entry number. An entry without a matching one has no
   * values of the friend.
   */
  index?: [major: string, minor?: string] | undefined;
}

/** The entries for which expressions are computed, and the rules for computing them. */
export interface ExpressionRules {
  /** Selects entries, or elements of them: those with the value 0 are left out. In a drawing it is also the weight. */
  cut?: string | undefined;
  entries?: EntrySelection | undefined;
  rootVersion?: RulesOfRoot | undefined;
  /**
   * Seed of the random numbers of `rndm`: an integer of at least 0. The same seed gives the same numbers. Default: 1.
   */
  seed?: number | undefined;
}

/** Expressions over a tree of an open file. */
export interface TreeExpressions extends ExpressionRules {
  tree: string;
  /** Friends in addition to those that are stored in the tree. */
  friends?: FriendTree[] | undefined;
}

/** Values of expressions, one row for each entry or, as in TTree::Scan, one row for each instance. */
export interface ScanRequest extends TreeExpressions {
  /** Expressions, separated by colons. */
  columns: string;
  /** Maximum number of rows. Reading stops there. Default: 1,000, or no limit if `maxBytes` is given. */
  limit?: number | undefined;
  /**
   * Approximate size of the values in memory, in bytes, after which reading stops at the end of a basket, so that no
   * basket is decoded twice. The caller continues at `Table.next`.
   */
  maxBytes?: number | undefined;
  /**
   * "entry" (default): one row for each entry in which the cut is true for at least one element; several values form a
   * list. "instance": as TTree::Scan. An entry has as many rows as its longest column, and missing values are null. If
   * the cut loops over an array, all columns loop with it, up to the shortest, and only instances for which it is true
   * have rows.
   */
  by?: 'entry' | 'instance' | undefined;
  /**
   * Counts all rows instead of returning them: see `Table.counted`. Throws UNSUPPORTED for expressions that depend on
   * the position of a file in a chain (Entry$, Entries$, random numbers).
   */
  count?: boolean | undefined;
}

/** One value of a table. */
export type TableValue = number | bigint | string;

export interface Table {
  columns: {
    title: string;
    kind: 'number' | 'integer' | 'string';
    list: boolean;
    /** The type of the branch if the column is a branch, otherwise f64. */
    dtype: DType;
    /** Whether some entries may have no value: NaN, or an empty string. */
    missing: boolean;
    /**
     * Reason why some entries may have null, also instead of a list: the friend of the column does not have these
     * entries.
     */
    lacking?: string | undefined;
  }[];
  /** Numbers of the entries that passed the cut. */
  entries: Float64Array;
  /** With `by: "instance"` and a loop: the number of each row within its entry. */
  instances?: Float64Array | undefined;
  /** By column, then by row: a value, a list if the column loops, or null if an instance or a friend has no value. */
  values: (TableValue | TableValue[] | null)[][];
  /** The entry to continue at: the first one that is not completely in the table. Undefined at the end. */
  next?: number | undefined;
  /** If requested: the number of rows, and of entries with rows. */
  counted?: { rows: number; entries: number } | undefined;
  partial?: PartialNote | undefined;
}

export interface ArraysRequest {
  tree: string;
  branches: (number | string)[];
  entries?: EntrySelection | undefined;
  /**
   * Returns the uncompressed bytes of each entry (a list of u8) instead of values, also for branches that cannot be
   * decoded. Throws UNSUPPORTED for fields of an RNTuple, whose entries have no separate bytes.
   */
  raw?: boolean | undefined;
}

/** The values of one branch for the chosen entries, in order, or the reason why they cannot be read. */
export interface ArraysResult {
  branch: BranchInfo;
  column?: Column | undefined;
  /**
   * Set if the column has fewer rows than entries were requested, because the branch has fewer entries than its tree.
   */
  missing?: ErrorRecord | undefined;
  error?: ErrorRecord | undefined;
}

export type { CheckOptions, CheckReport, CheckRule, Finding, Severity } from './check-report';

/** The persistent cache of compressed bytes, shared by all files and sessions. */
export interface CacheInfo {
  /** "IndexedDB", or the path of a folder. */
  place: string;
  bytes: number;
  maxBytes: number;
  /** Largest first. `used` is the time of the last read, in ms since 1970. */
  files: { key: string; name: string; bytes: number; used: number }[];
  /** The reason why nothing more is stored; undefined if bytes are stored. */
  notice?: string | undefined;
}

/**
 * All calls of xylem for a page or a program. Implemented by the engine itself, and by a client that calls the engine
 * in a worker. All methods reject only with XylemError; an aborted call rejects with the code ABORTED.
 */
export interface ReaderApi {
  /**
   * Starts the decode workers, which otherwise start with the first large piece of work. For a page that is about to
   * let the user choose a file. Resolves when one of them is ready, or immediately if there are none.
   */
  warm(): Promise<void>;
  open(source: SourceSpec, options?: CallOptions): Promise<FileInfo>;
  /** Returns all keys of all directories and cycles in file order, parents before children. */
  keys(file: FileId, options?: CallOptions): Promise<KeyInfo[]>;
  /** Returns a tree. `path` may end in ";cycle"; default is the highest cycle. */
  tree(file: FileId, path: string, options?: CallOptions): Promise<TreeInfo>;
  /**
   * Returns the object at a path with ROOT's member names. If its class is not described, or a member has an unknown
   * form, the object has the members before that one, `$error` (the reason, text) and `$bytes` (the whole object,
   * uncompressed).
   */
  object(file: FileId, path: string, options?: CallOptions): Promise<PlainObject>;
  /** Returns the classes that the file describes, in its order. A class may have several versions. */
  types(file: FileId, options?: CallOptions): Promise<ClassInfo[]>;
  summarize(file: FileId, request: SummaryRequest, options?: CallOptions): Promise<BranchSummary[]>;
  /**
   * Fills a histogram of expressions, as TTree::Draw does. A branch is the simplest expression. `where` of an error
   * contains the text of the expression and the position in it.
   */
  draw(file: FileId, request: DrawRequest, options?: CallOptions): Promise<DrawResult>;
  /**
   * Fills any number of histograms of one tree together. Each basket or page is fetched and decoded once for all of
   * them. The results are in the order of the requests; the result of an invalid request is an error.
   */
  drawAll(file: FileId, request: DrawAllRequest, options?: CallOptions): Promise<DrawOutcome[]>;
  /**
   * Reads the whole file and reports damage: keys, records, objects, and all baskets, decompressed and decoded. Damage
   * is in the report and is never thrown.
   */
  check(file: FileId, options?: CheckOptions): Promise<CheckReport>;
  /** Returns bytes, requests and time of all reads of this file so far. */
  traceSummary(file: FileId): Promise<TraceSummary>;
  /** Returns all reads of this file so far, in the order in which they ended. */
  trace(file: FileId): Promise<ReadRecord[]>;
  /** Returns the state of the persistent cache; undefined if this reader has none. */
  cacheInfo(): Promise<CacheInfo | undefined>;
  /** Deletes the cached bytes of a file (its key in CacheInfo), or of all files. */
  clearCache(file?: string): Promise<void>;
  /**
   * Sets the limit of the persistent cache in bytes, for all sessions that share it. If it is exceeded, the least
   * recently used bytes are deleted. 0 stores nothing; without a number, the default is restored.
   */
  limitCache(maxBytes?: number): Promise<void>;
  /**
   * Fetches the whole file into the persistent cache, so that it can be opened without its server. Until this is
   * complete, and if it fails, the file is read from its source. Rejects with BUDGET if the file does not fit, and with
   * ARGUMENT for a file that was not read over the network.
   */
  keepOffline(file: FileId, options?: CallOptions): Promise<void>;
  close(file: FileId): Promise<void>;
}
