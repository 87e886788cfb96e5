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
  RequestOptions,
  SourceSpec,
  UrlSource,
  WholeSource,
} from './sources';

/** Identifies an open file within one ReaderApi. */
export type FileId = number;

export interface FileInfo {
  id: FileId;
  /** File name or URL, for people. */
  name: string;
  title: string;
  /** Size in bytes: ROOT's fEND. */
  size: number;
  /** Version of ROOT that wrote the file, e.g. "6.40/02". */
  rootVersion: string;
  /** Default compression, e.g. "zlib 1", "none". */
  compression: string;
  /** ISO 8601 in the writer's local time, as ROOT stores it. */
  created: string;
  modified: string;
  uuid: string;
  /** Tells this content from another of the same name: an ETag, a Last-Modified, or "mtime" and milliseconds since 1970. */
  validator?: string | undefined;
  /** The server could not be reached: only the bytes cached on this machine are available, unchecked. */
  offline?: boolean | undefined;
  /** Repairs and missing parts: "never closed; keys recovered by walking the records". */
  notes: string[];
  /** Names of all files, for a chain. */
  files?: string[] | undefined;
}

export type KeyKind = 'directory' | 'tree' | 'ntuple' | 'histogram' | 'graph' | 'object';

/** One key of the file. Directories of any depth are listed; `path` has no leading slash. */
export interface KeyInfo {
  path: string;
  name: string;
  title: string;
  className: string;
  cycle: number;
  kind: KeyKind;
  /** Bytes of the record in the file, and of the decompressed object. */
  storedBytes: number;
  objectBytes: number;
  offset: number;
}

/** `number`: can be histogrammed; `string`: most frequent values; `group`: only holds others. */
export type BranchKind = 'number' | 'string' | 'object' | 'group';

export interface BranchInfo {
  /** Position in TreeInfo.branches, depth first. */
  index: number;
  /** Index of the parent, or -1 for a branch of the tree itself. */
  parent: number;
  depth: number;
  /** Names from the tree down joined by "/"; may occur twice in a tree, so the index is the identity. */
  path: string;
  name: string;
  title: string;
  /** C++ type, e.g. "float", "std::vector<float>", "double[3]". */
  typeName: string;
  kind: BranchKind;
  entries: number;
  baskets: number;
  /**
   * Uncompressed and compressed bytes of all baskets, with their key headers, as ROOT counts. Of a field of an RNTuple, the
   * bytes of its subfields are included; of a branch, those of its sub-branches are not.
   */
  totalBytes: number;
  storedBytes: number;
  /**
   * Uncompressed bytes of the baskets that lie in the tree's own record; undefined when there are none. ROOT
   * does not count them; here totalBytes includes them, and storedBytes includes their part of the compressed
   * record.
   */
  embeddedBytes?: number | undefined;
  /** The file that has the baskets of the branch (TBranch::SetFile); undefined when it is the tree's own. */
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
  /** Friends of the tree (TTree::AddFriend): their names, and the file, "" when it is the same one. */
  friends?: { name: string; tree: string; file: string }[] | undefined;
  /** Names of the attribute sets of an RNTuple that has any: they are listed, and neither read nor copied. */
  attributeSets?: string[] | undefined;
  /** For a chain: the first entry of each file that could be opened, ascending. */
  fileStarts?: number[] | undefined;
  /** For a chain: the files that could not be opened. Its entries are those of the others. */
  partial?: PartialNote | undefined;
  /** Branches of the tree's record that could not be read: they are not among `branches`. */
  lost?: PartialNote | undefined;
}

export interface Progress {
  /** The running step, for people: "Reading Muon_pt". */
  label: string;
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
  /** The histogram of what has come so far. */
  partial?: Histogram;
  /**
   * The requests that the call waits for, each second: the number of those that are planned or under way, and `trouble`
   * while their server does not answer, or refuses.
   */
  requests?: { left: number; trouble?: ServerTrouble | undefined } | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Half-open range of entries. */
export type EntryRange = [from: number, to: number];

/** A random part of the entries, the same for the same seed, whatever part of it is read. */
export interface EntrySample {
  /** Above 0, at most 1. */
  fraction: number;
  /** A whole number from 0 to 2^32 - 1. Default 0. */
  seed?: number;
  /** Only of these entries. */
  within?: EntryRange;
}

/**
 * The chosen entries: a range, a list of ranges or of entries (ascending, without duplicates), or a sample.
 * Only baskets that hold a chosen entry are read.
 */
export type EntrySelection = EntryRange | readonly EntryRange[] | Float64Array | EntrySample;

/**
 * Baskets (for a chain, also files) that could not be read, by name; a result that has them is incomplete and
 * says so.
 */
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
  /** Also counts zeros and distinct values, and finds equal branches; then for texts, too. */
  details?: boolean | undefined;
  /**
   * Returns also `BranchSummary.exact`; `details` are then left out.
   * @internal
   */
  exact?: boolean | undefined;
}

/** Statistics of the numbers of a branch; all elements of arrays count one by one. */
export interface BranchSummary {
  branch: BranchInfo;
  /** Tree entries read. */
  entries: number;
  /** Number of values, without NaNs; infinite ones are also counted separately. */
  values: number;
  nans: number;
  infinities: number;
  /** Minimum of the finite values; NaN when there are none. */
  min: number;
  max: number;
  sum: number;
  mean: number;
  stdDev: number;
  /** All values are whole numbers. */
  integer: boolean;
  /** Facts beyond the moments. Present when requested and there are values. For texts, `values` is their number. */
  details?:
    | {
        /** Number of zeros; for texts, of empty ones. */
        zeros: number;
        /** Number of different values (-0 is 0, all NaN are one): exact, or an estimate with a standard error of 0.8 %. */
        distinct: number;
        distinctExact: boolean;
        /** All values are equal. */
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
  /** The reason why the branch, or some of its entries, could not be read. */
  /** Says that the branch counts fewer entries than were asked for; the figures are of those that it has. */
  missing?: ErrorRecord | undefined;
  error?: ErrorRecord | undefined;
}

/**
 * A friend of the tree, as TTree::AddFriend makes it: expressions may name its branches, "friend.branch", or
 * "branch" when the tree itself has no branch of that name.
 */
export interface FriendTree {
  /** An open file, or a chain of them. */
  file: FileId;
  tree: string;
  /** Its name in expressions; by default that of the tree. */
  alias?: string | undefined;
  /**
   * Expressions whose values, truncated to whole numbers, are equal in entries that belong together
   * (TTree::BuildIndex). Without them: by the index that the tree was written with, else by entry number. An
   * entry without a partner has no values of the friend.
   */
  index?: [major: string, minor?: string] | undefined;
}

/** The entries for which expressions are computed, and the rules that they follow. */
export interface ExpressionRules {
  /** Selects entries, or elements of them, and in a drawing also weighs: those for which it is 0 do not count. */
  cut?: string | undefined;
  entries?: EntrySelection | undefined;
  rootVersion?: RulesOfRoot | undefined;
  /** Start of the random numbers of `rndm`: a whole number of at least 0. The same seed gives the same numbers. Default 1. */
  seed?: number | undefined;
}

/** Expressions over a tree of an open file. */
export interface TreeExpressions extends ExpressionRules {
  tree: string;
  /** Trees beside those that the tree itself names. */
  friends?: FriendTree[] | undefined;
}

/** Values of expressions, one row for each entry or, as in TTree::Scan, one row for each instance. */
export interface ScanRequest extends TreeExpressions {
  /** Expressions, divided by colons. */
  columns: string;
  /** Maximum number of rows; reading stops there. Default 1,000, or none where `maxBytes` is given. */
  limit?: number | undefined;
  /**
   * For a caller that goes on at `Table.next`: reading stops after about this many bytes of values in memory, where
   * baskets end, so that none is decoded twice.
   */
  maxBytes?: number | undefined;
  /**
   * "entry", the default: a row for each entry for which the cut is true anywhere; several values are a list.
   * "instance": as TTree::Scan. An entry has as many rows as its longest column, and a column without a value
   * there is null; when the cut loops over an array, all columns loop with it, up to the shortest, and only
   * instances for which it is true have rows.
   */
  by?: 'entry' | 'instance' | undefined;
  /**
   * Counts all rows in place of returning them: see `Table.counted`. Throws UNSUPPORTED for what depends on the place of
   * a file in a chain (Entry$, Entries$, random numbers).
   */
  count?: boolean | undefined;
}

/** One value of a table's cell. */
export type TableValue = number | bigint | string;

export interface Table {
  columns: {
    title: string;
    kind: 'number' | 'integer' | 'string';
    list: boolean;
    /** The type of the branch when the column is a branch; else f64. */
    dtype: DType;
    /** Some entries may have no value: NaN, or an empty text. */
    missing: boolean;
    /** Why some entries may have null, also in place of a list: the friend of the column has no such entries. */
    lacking?: string | undefined;
  }[];
  /** Numbers of the entries that passed. */
  entries: Float64Array;
  /** When something loops, by instance: the number of each row within its entry. */
  instances?: Float64Array | undefined;
  /** By column, then by row: a value, a list when the column loops, or null when an instance or a friend has none. */
  values: (TableValue | TableValue[] | null)[][];
  /** The entry to continue at: the first one that is not completely in the table; undefined at the end. */
  next?: number | undefined;
  /** If requested: the number of rows, and of entries that have any. */
  counted?: { rows: number; entries: number } | undefined;
  partial?: PartialNote | undefined;
}

export interface ArraysRequest {
  tree: string;
  branches: (number | string)[];
  entries?: EntrySelection | undefined;
  /**
   * Returns the uncompressed bytes of each entry in place of values (a list of u8), also for branches that
   * cannot be decoded. Fields of an RNTuple have none and fail with UNSUPPORTED.
   */
  raw?: boolean | undefined;
}

/** One branch's values for the chosen entries, in their order, or the reason why they cannot be read. */
export interface ArraysResult {
  branch: BranchInfo;
  column?: Column | undefined;
  /** Why the column has fewer rows than entries were asked for: the branch counts fewer entries than its tree. */
  missing?: ErrorRecord | undefined;
  error?: ErrorRecord | undefined;
}

export type { CheckOptions, CheckReport, CheckRule, Finding, Severity } from './check-report';

/** The persistent cache of compressed bytes, which all files and sessions share. */
export interface CacheInfo {
  /** "IndexedDB", or the path of a folder. */
  place: string;
  bytes: number;
  maxBytes: number;
  /** Largest first. `used` is when it was read last, in ms since 1970. */
  files: { key: string; name: string; bytes: number; used: number }[];
  /** Why nothing (more) is kept, when that is so. */
  notice?: string | undefined;
}

/**
 * All calls of xylem for a page or a program. Two implementations: the engine itself (in-process), and a
 * client that calls the engine in a worker. All methods reject with XylemError only; an aborted call rejects
 * with code ABORTED.
 */
export interface ReaderApi {
  /**
   * Starts the workers that decode, which otherwise the first large work starts: for a page in which a person is about to
   * choose a file. Resolves when one of them is ready, and at once where there are none.
   */
  warm(): Promise<void>;
  open(source: SourceSpec, options?: CallOptions): Promise<FileInfo>;
  /** All keys of all directories and cycles, parents before children, in file order. */
  keys(file: FileId, options?: CallOptions): Promise<KeyInfo[]>;
  /** `path` may end in ";cycle"; default is the highest cycle. */
  tree(file: FileId, path: string, options?: CallOptions): Promise<TreeInfo>;
  /**
   * The object at a path, with ROOT's member names. An object whose class is not described, or that has a
   * member of an unknown form, has the members before it, `$error` (the reason, text) and `$bytes` (the whole
   * object, uncompressed).
   */
  object(file: FileId, path: string, options?: CallOptions): Promise<PlainObject>;
  /** The classes that the file describes, in its order; a class may occur in several versions. */
  types(file: FileId, options?: CallOptions): Promise<ClassInfo[]>;
  summarize(file: FileId, request: SummaryRequest, options?: CallOptions): Promise<BranchSummary[]>;
  /**
   * Fills a histogram of expressions as TTree::Draw does; a branch is the simplest expression. An error in an
   * expression has its text, and the place in it, in `where`.
   */
  draw(file: FileId, request: DrawRequest, options?: CallOptions): Promise<DrawResult>;
  /**
   * Fills any number of histograms of one tree together: each basket or page is fetched and decoded once for all of them.
   * The results are in the order of the requests; one that is mistaken has its error there.
   */
  drawAll(file: FileId, request: DrawAllRequest, options?: CallOptions): Promise<DrawOutcome[]>;
  /**
   * Reads the whole file and reports damage: keys, records, objects, and all baskets, decompressed and
   * decoded. Damage is in the report and never thrown.
   */
  check(file: FileId, options?: CheckOptions): Promise<CheckReport>;
  /** Bytes, requests and time of all reads of this file so far. */
  traceSummary(file: FileId): Promise<TraceSummary>;
  /** Each read of this file so far, in the order in which they ended. */
  trace(file: FileId): Promise<ReadRecord[]>;
  /** The persistent cache; undefined when this reader has none. */
  cacheInfo(): Promise<CacheInfo | undefined>;
  /** Drops the cached bytes of a file (its key in CacheInfo), or of all files. */
  clearCache(file?: string): Promise<void>;
  /**
   * Sets the limit of the persistent cache, for all sessions that share it and from now on; the least
   * recently used bytes beyond it are dropped. 0 keeps nothing; without a number the default is restored.
   */
  limitCache(maxBytes?: number): Promise<void>;
  /**
   * Fetches the whole file into the persistent cache, so that it can be opened without its server. Until that
   * is done, and when it fails, the file is read from its source. Rejects with BUDGET when it does not fit,
   * and with ARGUMENT for a file that was not read over the network.
   */
  keepOffline(file: FileId, options?: CallOptions): Promise<void>;
  close(file: FileId): Promise<void>;
}
