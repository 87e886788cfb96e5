import type { Frequencies, Histogram, RequestOptions } from '../api/api';
import type { XylemReader } from '../api/reader';
import type { MergeOptions } from '../api/write';
import type { BinContents } from '../bins/given-histogram';
import type { SparseHistogram } from '../bins/sparse-histogram';
import type { Column, DType, PrimitiveArray } from '../core/columns';
import type { RootHandle } from './open-root';
import type { OneSource } from './sources';

/** A file that is merged: one that is open, or a source, which is opened only while it is read. */
export type MergeFile = RootHandle | OneSource;

export interface MergeRootOptions extends MergeOptions, RequestOptions {
  /** The reader that opens the files. Default: that of the first file that is open, or else the shared reader. */
  reader?: XylemReader | undefined;
}

/**
 * The values of a column, one for each entry: a typed array, a list of values, or a column that was read. A value is
 * a number, a bigint, a boolean, a string, a list of values, or an object of them.
 */
export type ColumnValues = PrimitiveArray | readonly unknown[] | Column | { readonly column: Column };

/**
 * Type of the values of a column: `f64`, `f32`, `i8` to `i64`, `u8` to `u64`, `bool` or `string`. `[]` after it means
 * lists, `[3]` arrays of three; the outermost comes first.
 */
export type ColumnType = `${DType | 'string'}${string}`;

export interface NewNtupleOptions {
  title?: string | undefined;
  /**
   * Types of columns by their names. If they are not given, the first values determine the type, and numbers are
   * `f64`.
   */
  types?: Readonly<Record<string, ColumnType>> | undefined;
  /** Documentation of columns by their names: titles of branches, or descriptions of fields. */
  titles?: Readonly<Record<string, string>> | undefined;
  /** Approximate bytes of values in a cluster. Default: 64 MB; for a tree 30 MB. */
  clusterBytes?: number | undefined;
}

export interface NewTreeOptions extends NewNtupleOptions {
  /**
   * For each column of lists, the name of the branch with the list lengths. Columns with the same one have lists of
   * the same lengths. Default: "n" and the name of the column.
   */
  counters?: Readonly<Record<string, string>> | undefined;
}

export interface WriteRootOptions {
  /** Codec of baskets and objects: `zstd:5`, the default, `lz4:4`, `zlib:1`, `lzma:5`, or `none`. */
  codec?: string | undefined;
  /** Name that is stored in the file. Default: that of the sink, or "new.root". */
  name?: string | undefined;
  /** The same bytes for the same content: no dates, and a UUID made of the content. Default: false. */
  reproducible?: boolean | undefined;
  /** The reader whose workers compress. Default: the shared reader, for files above 4 MB. */
  reader?: XylemReader | undefined;
  /** Stops the writing at the next call of the writer. */
  signal?: AbortSignal | undefined;
}

/** A tree or an RNTuple that is written. */
export interface TreeWriter {
  /** Entries that were appended. */
  readonly entries: number;
  /**
   * Appends entries: the values of each column, all of one number. The columns of the first call are those of the tree.
   * Throws ARGUMENT for columns of unequal lengths, values of a wrong type, and names that clash, and UNSUPPORTED for
   * values of several types; nothing of the call is written then.
   */
  append(columns: Readonly<Record<string, ColumnValues>>): Promise<void>;
}

/** Writes the content of a new file. Calls run one after another, also where they are not awaited. */
export interface RootWriter {
  /** Begins a tree; `path` may have directories. Throws ARGUMENT when the path is taken. */
  tree(path: string, options?: NewTreeOptions): Promise<TreeWriter>;
  /** Begins an RNTuple; `path` may have directories. Throws ARGUMENT when the path is taken. */
  ntuple(path: string, options?: NewNtupleOptions): Promise<TreeWriter>;
  /**
   * Writes what `draw` or `file.histogram` gave, or `{ counts, edges, errors }`, as TH1D, TH2D, TH3D, TProfile or
   * TProfile2D; a result of `tree.process` with more than three axes as THnSparseT<TArrayD>. Throws ARGUMENT when the path is taken or numbers do not fit together, and UNSUPPORTED for a profile of
   * three axes.
   */
  histogram(path: string, histogram: Histogram | Frequencies | BinContents | SparseHistogram): Promise<void>;
  /**
   * Copies an object of an open file, by default under its own path. Throws NOT_FOUND, UNSUPPORTED for trees, RNTuples
   * and objects that others refer to by TRef, which `skim` copies, and ARGUMENT when the path is taken.
   */
  copy(file: RootHandle, from: string, path?: string): Promise<void>;
}
