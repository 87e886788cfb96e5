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
  EntrySelection,
  FileId,
  FileInfo,
  ReaderApi,
  ScanRequest,
  SourceSpec,
  Table,
} from './api';
import type { TreeLayout } from './layout';
import type { FunctionRequest, FunctionValues } from './objects';
import type { FileRecords, WalkedRecords } from './records';
import type { Rows } from './rows';
import type { ProcessRequest, ProcessResult } from './selector';

export type { BasketForm, BasketPart, BasketRecipe, BasketResult, BasketTask } from '../core/basket-packer';
export type { EncodedChunk, EncodeResult, EncodeTask } from '../core/encoder';
export type { FunctionRequest, FunctionValues, GridAxis, ObjectOutcome } from './objects';
export type { FileRecord, FileRecords, RecordKind, WalkedRecords } from './records';

/** The next part of a tree's entries, for a caller that reads block by block: see `readChunks`. */
export interface BlockRequest {
  tree: string;
  branches: (number | string)[];
  entries?: EntrySelection | undefined;
  /** For each branch the first entry to read, because the caller has those before. */
  starts: Float64Array;
  /** Number of uncompressed bytes of the block; it has up to four times as many to end with a cluster. */
  maxBytes: number;
}

/** The values of one branch in a block. */
export interface BlockResult {
  branch: BranchInfo;
  /** The values of the chosen entries up to `end`, in columns that follow each other. */
  columns: Column[];
  /** The entry after the last one read: where the last basket or page ends. */
  end: number;
}

/** A scan that may ask for values as the core makes them. */
export interface RowsRequest extends ScanRequest {
  /**
   * Expressions, in place of `columns`: the answer has `packed` rows of them. Needs `maxBytes`. Throws UNSUPPORTED for what
   * depends on the place of a file in a chain.
   */
  packed?: readonly string[] | undefined;
}

export interface PackedTable extends Table {
  /** If requested: rows of one task after another. */
  packed?: PackedRows[] | undefined;
  /** Where `packed` was requested: of each file, which its first entry identifies, the number of entries that were read. */
  read?: { first: number; file: string; entries: number }[] | undefined;
}

/** Rows of a task; their entries are counted from the first of their own tree. */
export interface PackedRows extends Rows {
  /** The number of its entry 0 in a chain; name of the file, and path of its tree. */
  first: number;
  file: string;
  tree: string;
  /** Whether each expression has lists. */
  lists: boolean[];
}

export interface ReopenOptions extends CallOptions {
  /**
   * The file as a worker had it that was lost: it has the same id again. Throws FILE_CHANGED where it is another one now.
   * Default: an id that no other file has.
   */
  as?: FileInfo | undefined;
}

export interface RecoverOptions extends CallOptions {
  /** The record of streamer infos of another file, which is taken in place of the file's own. */
  classes?: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * All calls of the engine: those of a reader, and those that only xylem's own code makes, because they give records and
 * bytes as they are stored. They may change with each version.
 */
export interface EngineApi extends ReaderApi {
  open(source: SourceSpec, options?: ReopenOptions): Promise<FileInfo>;
  /** Places of the baskets of a tree; reads no basket. `path` as for `tree`. */
  layout(file: FileId, path: string, options?: CallOptions): Promise<TreeLayout>;
  /** The records that the file's header and lists name; the baskets of trees are in no list. */
  records(file: FileId, options?: CallOptions): Promise<FileRecords>;
  /**
   * Walks the records that begin within ranges of the file, each of which starts with one; without ranges,
   * the whole file. Reads at most these ranges; records longer than 1 MB are stepped over.
   */
  walk(file: FileId, ranges?: Range[], options?: CallOptions): Promise<WalkedRecords>;
  /**
   * The bytes of ranges of the file as they are stored, one after another. They are read with few requests, and not
   * kept, because they are to be copied. The result lies in `into` where that has room for it and the reader works in
   * this thread. With `again`, because they turned out to be damaged, the source is asked also for what is in memory.
   * Throws CORRUPT when a range lies outside of the file.
   */
  bytes(
    file: FileId,
    ranges: Range[],
    options?: CallOptions & { into?: Uint8Array<ArrayBuffer> | undefined; again?: boolean | undefined },
  ): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads ranges of the file together, so that the calls that come next find them in memory. Throws the errors of reading. */
  readAhead(file: FileId, ranges: Range[], options?: CallOptions): Promise<void>;
  /** Values of stored functions over their ranges, one result for each request. */
  functionValues(requests: FunctionRequest[], options?: CallOptions): Promise<FunctionValues[]>;
  /** Values of branches as columns. */
  arrays(file: FileId, request: ArraysRequest, options?: CallOptions): Promise<ArraysResult[]>;
  /** Values of expressions, row by row, as TTree::Scan gives them. */
  scan(file: FileId, request: RowsRequest, options?: CallOptions): Promise<PackedTable>;
  /**
   * Runs a user's own code, a selector, over the entries, in the threads that decode. The result is plain data that adds up:
   * `processedOf` makes histograms of it.
   */
  process(file: FileId, request: ProcessRequest, options?: CallOptions): Promise<ProcessResult>;
  /** Reads whole baskets and pages; throws the errors of reading any of the branches. */
  readBlock(file: FileId, request: BlockRequest, options?: CallOptions): Promise<BlockResult[]>;
  /**
   * Encodes columns for a Parquet file, or writes them as text, as `exportTree` asks for it; takes the bytes of the
   * task over.
   */
  encode(task: EncodeTask, options?: CallOptions): Promise<EncodeResult>;
  /**
   * Makes baskets of a ROOT file that is written, in workers where there are some; takes the bytes of the task over.
   * Throws CORRUPT and COMPRESSION for damaged records, and UNSUPPORTED where a basket does not say where its entries
   * begin.
   */
  makeBaskets(task: BasketTask, options?: CallOptions): Promise<BasketResult>;
  /**
   * From now on the keys of a file, and its streamer infos, are those that a walk over its records finds, because its own
   * lists are damaged. `classes` is the record of streamer infos of another file, which is taken in place of its own.
   * Throws the errors of reading.
   */
  recover(file: FileId, options?: RecoverOptions): Promise<FileInfo>;
}

/** The reader with its other calls. Throws ARGUMENT for an object that is not one of xylem's readers. */
export function engineOf<R extends ReaderApi>(reader: R): R & EngineApi {
  if (isEngine(reader)) return reader;
  throw argumentError('This reader was not made by xylem.');
}

function isEngine<R extends ReaderApi>(reader: R): reader is R & EngineApi {
  return 'readBlock' in reader;
}
