import { argumentError } from '../base/errors';
import type { BasketResult, BasketTask } from '../core/basket-packer';
import type { Column } from '../core/columns';
import type { EncodeResult, EncodeTask } from '../core/encoder';
import type { Range } from '../io/source';
import type {
  ArraysRequest,
  ArraysResult,
  BranchInfo,
  CallOptions,
  DrawRequest,
  EntrySelection,
  FileId,
  FileInfo,
  ReaderApi,
  ScanRequest,
  SourceSpec,
  SummaryRequest,
  Table,
} from './api';
import type { TreeLayout } from './layout';
import type { FunctionRequest, FunctionValues } from './objects';
import type { FileRecords, RecordFields, WalkedRecords } from './records';
import type { Rows } from './rows';
import type { ProcessRequest, ProcessResult } from './selector';

export type {
  BasketForm,
  BasketPart,
  BasketRecipe,
  BasketResult,
  BasketTask,
  TrialRecipe,
} from '../core/basket-packer';
export type { EncodedChunk, EncodeResult, EncodeTask } from '../core/encoder';
export type { FunctionRequest, FunctionValues, GridAxis, ObjectOutcome } from './objects';
export type {
  FileRecord,
  FileRecords,
  RecordField,
  RecordFields,
  RecordKind,
  WalkedRecords,
} from './records';

/** Requests the next part of a tree's entries, for a caller that reads block by block: see `readChunks`. */
export interface BlockRequest {
  tree: string;
  branches: (number | string)[];
  entries?: EntrySelection | undefined;
  /** For each branch, the first entry to read, because the caller has the earlier ones. */
  starts: Float64Array;
  /** Number of uncompressed bytes in the block. It may be up to four times as large to end with a cluster. */
  maxBytes: number;
  /**
   * The rows will be used in chunks of at most `most`. If the block has more than `least` rows, its columns are divided
   * where chunks end, into parts of about `least` rows with their own memory.
   */
  parts?: { most: number; least: number } | undefined;
}

/** The values of one branch in a block. */
export interface BlockResult {
  branch: BranchInfo;
  /** The values of the chosen entries up to `end`, in consecutive columns. */
  columns: Column[];
  /** The entry after the last one read: where the last basket or page ends. */
  end: number;
}

/** A scan that can return values in the form of the core. */
export interface RowsRequest extends ScanRequest {
  /**
   * Expressions that are used instead of `columns`; the answer has their rows in `packed`. Requires `maxBytes`. Throws
   * UNSUPPORTED for expressions that depend on the position of a file in a chain, unless `placed`.
   */
  packed?: readonly PackedSource[] | undefined;
  /**
   * Whether these expressions may depend on the position of a file in a chain, because the results of files are not added.
   * Default: false.
   */
  placed?: boolean | undefined;
  /** Names of the first of these expressions, which the cut may use. */
  names?: readonly string[] | undefined;
}

/**
 * An expression, and the one to take in trees that lack a name in it; null: the tree then has no values of it. Or the index of a
 * branch, whose path may not be a valid expression.
 */
export type PackedSource =
  | string
  | { text: string; otherwise: string | null; branch?: undefined }
  | { text: string; branch: number; otherwise?: undefined };

export interface PackedTable extends Table {
  /** If requested: the rows, task by task. */
  packed?: PackedRows[] | undefined;
  /** With `packed`: for each file, identified by its first entry, the number of entries that were read. */
  read?: { first: number; file: string; entries: number }[] | undefined;
}

/** Rows of a task. Their entries are relative to the first entry of their own tree. */
export interface PackedRows extends Rows {
  /** Number of its entry 0 in a chain, name of the file, and path of its tree. */
  first: number;
  file: string;
  tree: string;
  /** For each expression that has values, whether it has lists. */
  lists: boolean[];
  /** Indices of expressions that the tree lacks, and of those of them that have no values. */
  absent: number[];
  without: number[];
}

/** The call that reads: `summarize` or `draw`. */
export type PlannedRequest = { summarize: SummaryRequest } | { draw: DrawRequest };

/** A reading whose reads are planned. */
export interface PlannedReading {
  request: PlannedRequest;
  /** Whether workers would read the file themselves, as they do with local files in Node. */
  local: boolean;
}

/** The reads of one pass over a file. */
export interface PlannedPass {
  /** Offset and length of each read, task by task. */
  reads: Float64Array;
  /** Bytes that are wanted; the others are between them. */
  wanted: number;
}

export interface LayoutOptions extends CallOptions {
  /** Whether `TreeLayout.orders` is found. For it the first basket of each branch of objects is read. */
  orders?: boolean | undefined;
}

export interface ReopenOptions extends CallOptions {
  /**
   * The file as it was opened in a worker that was lost. It gets the same id. Throws FILE_CHANGED if the file has
   * changed. Default: an unused id.
   */
  as?: FileInfo | undefined;
}

export interface BytesOptions extends CallOptions {
  into?: Uint8Array<ArrayBuffer> | undefined;
  again?: boolean | undefined;
}

export interface RecoverOptions extends CallOptions {
  /** The streamer infos of another file that replace the file's own. */
  classes?: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * All calls of the engine: those of a reader, and internal ones, which return records and bytes as they are stored.
 * Internal calls may change with each version.
 */
export interface EngineApi extends ReaderApi {
  open(source: SourceSpec, options?: ReopenOptions): Promise<FileInfo>;
  /** Returns the positions of the baskets of a tree. `path` as for `tree`. Reads no basket, except for `orders`. */
  layout(file: FileId, path: string, options?: LayoutOptions): Promise<TreeLayout>;
  /**
   * Plans a reading, and returns its passes over the file, which are not made. Where a cut is evaluated first, all entries
   * are taken to pass. Throws UNSUPPORTED for several files.
   */
  plannedReads(file: FileId, reading: PlannedReading, options?: CallOptions): Promise<PlannedPass[]>;
  /** Returns the records that the file's header and lists contain. Baskets of trees are not in any list. */
  records(file: FileId, options?: CallOptions): Promise<FileRecords>;
  /**
   * Walks through the records in ranges of the file, each of which begins with a record; without ranges, through the
   * whole file. Reads at most these ranges. Records longer than 1 MB are skipped.
   */
  walk(file: FileId, ranges?: Range[], options?: CallOptions): Promise<WalkedRecords>;
  /**
   * Returns the fields of the record that begins at byte `at`, as they are stored, with their bytes; of the file header at
   * byte 0. Reads some hundred bytes, of lists at most 256 kB. Damage is not an error: a field may have any value.
   */
  fields(file: FileId, at: number, options?: CallOptions): Promise<RecordFields>;
  /**
   * Returns the stored bytes of ranges of the file, one after another. They are read with few requests and not cached,
   * because they will be copied. The result is in `into` if it is large enough and the reader works in this thread.
   * `again`: the bytes turned out to be damaged, so they are also requested if they are in memory. Throws CORRUPT if a
   * range is outside of the file.
   */
  bytes(file: FileId, ranges: Range[], options?: BytesOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads ranges of the file together, so that the next calls find them in memory. Throws the errors of reading. */
  readAhead(file: FileId, ranges: Range[], options?: CallOptions): Promise<void>;
  /** Returns values of stored functions over their ranges, one result for each request. */
  functionValues(requests: FunctionRequest[], options?: CallOptions): Promise<FunctionValues[]>;
  /** Returns values of branches as columns. */
  arrays(file: FileId, request: ArraysRequest, options?: CallOptions): Promise<ArraysResult[]>;
  /** Returns values of expressions row by row, as TTree::Scan does. */
  scan(file: FileId, request: RowsRequest, options?: CallOptions): Promise<PackedTable>;
  /**
   * Runs user code, a selector, over the entries in the decode threads. The result is plain data that can be added;
   * `processedOf` converts it to histograms.
   */
  process(file: FileId, request: ProcessRequest, options?: CallOptions): Promise<ProcessResult>;
  /** Reads whole baskets and pages. Throws the errors of reading any of the branches. */
  readBlock(file: FileId, request: BlockRequest, options?: CallOptions): Promise<BlockResult[]>;
  /** Encodes columns as Parquet or text, for `exportTree`. Transfers the bytes of the task. */
  encode(task: EncodeTask, options?: CallOptions): Promise<EncodeResult>;
  /**
   * Makes baskets of a ROOT file that is written, in workers if there are any. Transfers the bytes of the task. Throws
   * CORRUPT and COMPRESSION for damaged records, and UNSUPPORTED if a basket does not say where its entries begin.
   */
  makeBaskets(task: BasketTask, options?: CallOptions): Promise<BasketResult>;
  /**
   * Replaces the keys and streamer infos of a file by those that a walk through its records finds, because its own
   * lists are damaged. `classes` is the record of streamer infos of another file, which is used instead. Throws the
   * errors of reading.
   */
  recover(file: FileId, options?: RecoverOptions): Promise<FileInfo>;
}

/** Returns the reader with its internal calls. Throws ARGUMENT for an object that is not a reader of xylem. */
export function engineOf<R extends ReaderApi>(reader: R): R & EngineApi {
  if (isEngine(reader)) return reader;
  throw argumentError('This reader was not made by xylem.');
}

function isEngine<R extends ReaderApi>(reader: R): reader is R & EngineApi {
  return 'readBlock' in reader;
}
