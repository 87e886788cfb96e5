import type { Compression } from '../core/encoder';
import type { EntrySelection, TreeExpressions } from './api';

export interface ChunkRequest {
  tree: string;
  /**
   * Paths or indices of branches. A branch with sub-branches selects all of these. Default: all branches with values.
   */
  branches?: readonly (number | string)[] | undefined;
  entries?: EntrySelection | undefined;
  /**
   * Approximate number of uncompressed bytes in a chunk, from 1 to 2^31 - 1. Default: one or several clusters, from 4
   * to 64 MiB. For any value, each basket or page is decoded once; the remaining rows are kept for the next chunk.
   */
  chunkBytes?: number | undefined;
}

export type ExportFormat = 'csv' | 'tsv' | 'jsonl' | 'arrow' | 'arrows' | 'parquet' | 'npy' | 'npz';

/** Branches or expressions of a tree, and entries, to be written as a table. */
export interface TableRequest extends ChunkRequest, TreeExpressions {
  /** Expressions instead of branches, separated by colons. One with several values in an entry becomes a list. */
  columns?: string | undefined;
}

export interface ExportRequest extends TableRequest {
  format: ExportFormat;
  /**
   * Name or address of the file that is read. Its last part is stored in Arrow and Parquet files, together with the
   * name and the title of the tree.
   */
  fileName?: string | undefined;
  /** Compression of a Parquet file. Default: zstd. */
  compression?: Compression | undefined;
}
