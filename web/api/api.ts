import type { ErrorRecord } from '../base/errors';
import type { Column, DType, PrimitiveArray } from '../core/columns';
import type { ClassRecord, ElementRecord } from '../core/file-core';
import type { ByteSource, Range } from '../io/source';
import type { ReadRecord, TraceSummary } from '../io/trace';
import type { CheckReport } from './check-report';
import type { TreeLayout } from './layout';
import type { FileRecords, WalkedRecords } from './records';

export type { TreeLayout } from './layout';
export type { FileRecord, FileRecords, RecordKind, WalkedRecords } from './records';

/** What to open: a file, or several whose trees are read as one. */
export type SourceSpec = FileSource | ChainSource;

/**
 * A chain: the trees of the same name of several files, as one tree; entries are numbered over all.
 * Keys, objects and classes are those of the first file. The other files are opened when a tree is
 * asked for. One that cannot be opened is left out: `TreeInfo.partial` names it.
 */
export interface ChainSource {
  kind: 'chain';
  files: ChainPart[];
}

export interface ChainPart {
  source: FileSource;
  /** Path of the tree in this file, where it is not the one that is asked for. */
  tree?: string | undefined;
}

/** One file: its bytes, or what lies within another from a byte on. */
export type FileSource = WholeSource | { kind: 'within'; outer: WholeSource; offset: number };

/** `path` works in Node only; `source` only where the engine runs in-process. */
export type WholeSource =
  | {
      kind: 'url';
      url: string;
      /** Sent with each request; never stored or shown. */
      headers?: Record<string, string>;
      credentials?: RequestCredentials;
      /** In place of the global fetch, or of node:http (tokens, signed URLs, proxies); called in the thread that opens the file. */
      fetch?: typeof fetch;
      /** `none`: what is read of this file is kept in memory only. */
      cache?: 'none';
    }
  | { kind: 'blob'; blob: Blob; name: string }
  | { kind: 'buffer'; buffer: ArrayBuffer; name: string }
  | { kind: 'path'; path: string }
  | { kind: 'source'; source: ByteSource };

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
  /** The server could not be reached: only what is kept on this machine is there, unchecked. */
  offline?: boolean | undefined;
  /** What was mended or is missing: "never closed; keys recovered by walking the records". */
  notes: string[];
  /** Names of all files, of a chain. */
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
  /** Bytes of the record in the file, and of the object when decompressed. */
  storedBytes: number;
  objectBytes: number;
  offset: number;
}

/** `number`: can be histogrammed; `string`: most frequent values; `group`: only holds others. */
export type BranchKind = 'number' | 'string' | 'object' | 'group';

export interface BranchInfo {
  /** Position in TreeInfo.branches, depth first. */
  index: number;
  /** Index of the parent, or -1. */
  parent: number;
  depth: number;
  /** Names from the tree down joined by "/"; may occur twice in a tree, the index is the identity. */
  path: string;
  name: string;
  title: string;
  /** C++ type, e.g. "float", "std::vector<float>", "double[3]". */
  typeName: string;
  kind: BranchKind;
  entries: number;
  baskets: number;
  /** Uncompressed and compressed bytes of all baskets, with their key headers, as ROOT counts. */
  totalBytes: number;
  storedBytes: number;
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
  /** Names that stand for expressions (TTree::SetAlias). */
  aliases?: Record<string, string> | undefined;
  /** Trees beside it (TTree::AddFriend): how they are called, and the file, "" where it is the same one. */
  friends?: { name: string; tree: string; file: string }[] | undefined;
  /** Of a chain: the files that could not be opened. Its entries are those of the others. */
  partial?: PartialNote | undefined;
}

export interface Progress {
  /** What is being done, for people: "Reading Muon_pt". */
  label: string;
  bytesDone: number;
  bytesTotal: number;
  entriesDone: number;
  entriesTotal: number;
  /** A histogram of what has come so far. */
  partial?: Histogram;
  /** What a query has filled so far. */
  filled?: FilledHistogram;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Half-open range of entries. */
export type EntryRange = [from: number, to: number];

/** A random part of the entries, the same for the same seed, whatever is read of it. */
export interface EntrySample {
  /** Above 0, at most 1. */
  fraction: number;
  /** A whole number from 0 to 2^32 - 1. Default 0. */
  seed?: number;
  /** Only of these entries. */
  within?: EntryRange;
}

/**
 * Which entries: a range, a list of ranges or of entries (ascending, none twice), or a sample. Only
 * baskets that hold a chosen entry are read.
 */
export type EntrySelection = EntryRange | readonly EntryRange[] | Float64Array | EntrySample;

export interface DrawRequest {
  tree: string;
  /** Index in TreeInfo.branches, or a path. */
  branch: number | string;
  /** Number of bins, 1 to 100,000. Default 100. */
  bins?: number;
  /** Half-open axis range [low, high); default: all finite values fit, edges rounded to nice numbers. */
  range?: [low: number, high: number] | undefined;
  entries?: EntrySelection | undefined;
}

/** Baskets (of a chain, also files) that could not be read, named; a result that has them is partial and says so. */
export interface PartialNote {
  failed: number;
  total: number;
  errors: ErrorRecord[];
}

export interface Histogram {
  kind: 'histogram';
  title: string;
  bins: number;
  low: number;
  high: number;
  /** Length `bins`. */
  counts: Float64Array;
  underflow: number;
  overflow: number;
  /** Values that are NaN; they are in no bin. */
  nan: number;
  /** Number of values seen (under- and overflow included, NaN not). */
  values: number;
  /** Tree entries read. */
  entries: number;
  /** Of the values within the range, as ROOT gives them; NaN when there are none. */
  mean: number;
  stdDev: number;
  /** Over all finite values, also those outside the range. NaN when there are none. */
  min: number;
  max: number;
  /** All values are integers, so bins are aligned to them where there are few. */
  integer: boolean;
  partial?: PartialNote | undefined;
}

export interface Frequencies {
  kind: 'frequencies';
  title: string;
  /** Strings seen, and how many differ (at least: counting stops at 100,000 different ones). */
  values: number;
  distinct: number;
  entries: number;
  /** Most frequent first, at most 100. */
  top: { value: string; count: number }[];
  partial?: PartialNote | undefined;
}

export type DrawResult = Histogram | Frequencies;

export interface SummaryRequest {
  tree: string;
  /** Default: all branches of numbers. */
  branches?: (number | string)[] | undefined;
  entries?: EntrySelection | undefined;
  /** Also zeroes, distinct values and equal branches; then of texts, too. */
  details?: boolean | undefined;
}

/** What the values of a branch are beyond their moments. */
export interface ValueDetails {
  /** Numbers that are 0; texts without characters. */
  zeros: number;
  /** How many differ (-0 is 0, all NaN are one): exact, or an estimate with a standard error of 0.8 %. */
  distinct: number;
  distinctExact: boolean;
  /** All values are equal. */
  constant: boolean;
  /** Path of the first branch with the same values in the same lists, by 64-bit checksums. */
  duplicateOf?: string | undefined;
}

/** What the numbers of a branch are like, all elements of arrays counted one by one. */
export interface BranchSummary {
  branch: BranchInfo;
  /** Tree entries read. */
  entries: number;
  /** Number of values, without NaNs; those that are infinite are counted on their own, too. */
  values: number;
  nans: number;
  infinities: number;
  /** Of the finite values; NaN when there are none. */
  min: number;
  max: number;
  sum: number;
  mean: number;
  stdDev: number;
  /** All are whole numbers. */
  integer: boolean;
  /** Where they were asked for and there are values. Of texts `values` counts them. */
  details?: ValueDetails | undefined;
  /** Why the branch, or some of its entries, could not be read. */
  error?: ErrorRecord | undefined;
}

/**
 * A tree beside the one that is read, as TTree::AddFriend makes it: expressions may name its branches,
 * "friend.branch", or "branch" where the tree itself has none of that name.
 */
export interface FriendTree {
  /** An open file, or a chain of them. */
  file: FileId;
  tree: string;
  /** How it is called; by default as the tree. */
  alias?: string | undefined;
  /**
   * Expressions whose values, truncated to whole numbers, are equal in entries that belong together
   * (TTree::BuildIndex). Without: by the index that the tree was written with, else by entry number.
   * An entry without a partner has no values of the friend.
   */
  index?: [major: string, minor?: string] | undefined;
}

/** TTree::Draw: what to fill a histogram with. */
export interface QueryRequest {
  tree: string;
  /**
   * One to three expressions, "y:x" is y over x, and behind ">>" a histogram: "pt>>h(50,0,100)". With
   * nothing but ">>name" the entries that pass are listed.
   */
  expr: string;
  /** Selects and weighs: what it is 0 for does not count. */
  cut?: string | undefined;
  /** "prof" averages y in bins of x; "norm" divides by the sum of weights. Others are left alone. */
  option?: string | undefined;
  /** Axes, x first, where the expression does not say; missing ranges are found from the values. */
  axes?: { bins?: number | undefined; range?: [low: number, high: number] | undefined }[] | undefined;
  entries?: EntrySelection | undefined;
  /** Beside those that the tree itself names. */
  friends?: FriendTree[] | undefined;
}

/** A histogram of one to three axes, filled as TH1 fills, or a profile. */
export interface FilledHistogram {
  kind: 'filled';
  title: string;
  /** Name behind ">>"; "htemp" without. */
  name: string;
  profile: boolean;
  /** x first; those that have bins. */
  axes: { title: string; bins: number; low: number; high: number }[];
  /** What is averaged, of a profile. */
  valueTitle?: string | undefined;
  /**
   * Sums of weights of each cell with under- and overflow (cell 0 and bins+1 of each axis), x running
   * fastest; of weight times value in a profile.
   */
  sums: Float64Array;
  /** Sums of squared weights; of weight times squared value in a profile. */
  squares: Float64Array;
  /** Of a profile: sums of weights, and of their squares. */
  weights?: Float64Array | undefined;
  weights2?: Float64Array | undefined;
  /** Fills, wherever they went (TH1::GetEntries); tree entries of which something passed and that were read. */
  fills: number;
  passed: number;
  entries: number;
  /** Fills with a NaN among the coordinates; they count as overflow. */
  nan: number;
  /** Of what lies in the range of all axes: sum of weights, effective entries, mean and standard deviation by coordinate. */
  weight: number;
  effective: number;
  mean: number[];
  stdDev: number[];
  /** Covariance of the first two coordinates; 0 with one. */
  covariance: number;
  partial?: PartialNote | undefined;
}

/** Entries that pass a cut, in order. */
export interface EntryNumbers {
  kind: 'entries';
  name: string;
  numbers: Float64Array;
  /** Entries that were looked at. */
  entries: number;
  partial?: PartialNote | undefined;
}

export type QueryOutcome = FilledHistogram | Frequencies | EntryNumbers;

/** TTree::Scan: values of expressions, entry by entry. */
export interface TableRequest {
  tree: string;
  /** Expressions, divided by colons. */
  columns: string;
  cut?: string | undefined;
  entries?: EntrySelection | undefined;
  friends?: FriendTree[] | undefined;
  /** At most so many entries that pass; reading stops there. Default 1,000. */
  limit?: number | undefined;
}

/** One value of a table's cell. */
export type TableValue = number | bigint | string;

export interface Table {
  columns: {
    title: string;
    kind: 'number' | 'integer' | 'string';
    list: boolean;
    /** Of the values of a branch that stands alone; else f64. */
    dtype: DType;
    /** It may have no value in some entries: NaN, or an empty text. */
    missing: boolean;
  }[];
  /** Numbers of the entries that passed. */
  entries: Float64Array;
  /** By column, then by row: a value, or a list where the column loops. */
  values: (TableValue | TableValue[])[][];
  /** Where to go on: the first entry that was not looked at; undefined at the end. */
  next?: number | undefined;
  partial?: PartialNote | undefined;
}

export interface ReadRequest {
  tree: string;
  branches: (number | string)[];
  entries?: EntrySelection | undefined;
  /**
   * Instead of values, the uncompressed bytes of each entry (a list of u8), also of branches that
   * cannot be decoded. Fields of an RNTuple have none and fail with UNSUPPORTED.
   */
  raw?: boolean | undefined;
  /**
   * Of a range, read no more than the first entries that hold about so many uncompressed bytes, up
   * to a place where baskets end: columns then have fewer rows than asked for, all the same number.
   */
  maxBytes?: number | undefined;
}

/** One branch's values for the entries asked for, in their order, or why they cannot be had. */
export interface ReadResult {
  branch: BranchInfo;
  column?: Column | undefined;
  error?: ErrorRecord | undefined;
}

export type { CheckCounts, CheckReport, CheckRule, Finding, Severity } from './check-report';

/** A class as a file's streamer infos describe it, and its base classes and members in order. */
export type ClassInfo = ClassRecord;
export type MemberInfo = ElementRecord;

/** Plain data of a stored object: `_typename`, then ROOT's member names. */
export type PlainValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | PlainValue[]
  | PrimitiveArray
  | { [member: string]: PlainValue };
export type PlainObject = { _typename: string; [member: string]: PlainValue };

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
 * Everything a page or a program can ask of xylem. Two implementations: the engine itself
 * (in-process), and a client that talks to the engine in a worker. All methods reject with
 * XylemError only; an aborted call rejects with code ABORTED.
 */
export interface ReaderApi {
  open(source: SourceSpec, options?: CallOptions): Promise<FileInfo>;
  /** All keys of all directories and cycles, parents before children, in file order. */
  keys(file: FileId, options?: CallOptions): Promise<KeyInfo[]>;
  /** `path` may end in ";cycle"; default is the highest cycle. */
  tree(file: FileId, path: string, options?: CallOptions): Promise<TreeInfo>;
  /** Where the baskets of a tree lie; nothing of them is read. `path` as for `tree`. */
  layout(file: FileId, path: string, options?: CallOptions): Promise<TreeLayout>;
  /** The records that the file's header and lists name; the baskets of trees are in no list. */
  records(file: FileId, options?: CallOptions): Promise<FileRecords>;
  /**
   * Walks the records that begin within ranges of the file, each of which starts with one; without
   * ranges, the whole file. Reads at most these ranges; records longer than 1 MB are stepped over.
   */
  walk(file: FileId, ranges?: Range[], options?: CallOptions): Promise<WalkedRecords>;
  /**
   * The object at a path, with ROOT's member names. One whose class is not described, or that has a
   * member of a form that is not known, has the members before it, `$error` (why, text) and `$bytes`
   * (the whole object, uncompressed).
   */
  object(file: FileId, path: string, options?: CallOptions): Promise<PlainObject>;
  /** The classes that the file describes, in its order; a class may occur in several versions. */
  types(file: FileId, options?: CallOptions): Promise<ClassInfo[]>;
  read(file: FileId, request: ReadRequest, options?: CallOptions): Promise<ReadResult[]>;
  summarize(file: FileId, request: SummaryRequest, options?: CallOptions): Promise<BranchSummary[]>;
  draw(file: FileId, request: DrawRequest, options?: CallOptions): Promise<DrawResult>;
  /** TTree::Draw. Errors of an expression have its text, and where in it, in `where`. */
  query(file: FileId, request: QueryRequest, options?: CallOptions): Promise<QueryOutcome>;
  /** TTree::Scan. */
  table(file: FileId, request: TableRequest, options?: CallOptions): Promise<Table>;
  /**
   * Reads the whole file and tells what is wrong with it: keys, records, objects, and all baskets,
   * decompressed and decoded. Damage is in the report and never thrown.
   */
  check(file: FileId, options?: CallOptions): Promise<CheckReport>;
  /** Bytes, requests and time of all reads of this file so far. */
  traceSummary(file: FileId): Promise<TraceSummary>;
  /** Each read of this file so far, in the order in which they ended. */
  trace(file: FileId): Promise<ReadRecord[]>;
  /** The persistent cache; undefined when this reader has none. */
  cacheInfo(): Promise<CacheInfo | undefined>;
  /** Drops what the persistent cache has of a file (its key in CacheInfo), or of all files. */
  clearCache(file?: string): Promise<void>;
  /**
   * Bounds the persistent cache, for all sessions that share it and from now on; what was used longest
   * ago and does not fit is dropped. 0 keeps nothing; without a number the default holds again.
   */
  limitCache(maxBytes?: number): Promise<void>;
  /**
   * Fetches the whole file into the persistent cache, so that it can be opened without its server.
   * Until that is done, and when it fails, the file is read from where it lies. Rejects with BUDGET
   * when it does not fit, and with ARGUMENT for a file that was not read over the network.
   */
  keepOffline(file: FileId, options?: CallOptions): Promise<void>;
  close(file: FileId): Promise<void>;
}
