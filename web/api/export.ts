import type { Compression } from '../core/encoder';
import type { EntrySelection, TreeExpressions } from './api';

export interface ChunkRequest {
  tree: string;
  /** Paths or indices; a branch that holds others stands for these. Default: all that hold values. */
  branches?: readonly (number | string)[] | undefined;
  entries?: EntrySelection | undefined;
  /**
   * Uncompressed bytes of a chunk, about: from 1 to 2^31 - 1. Default: a cluster or several, from 4 to 64 MiB.
   * Whatever it is, each basket or page is decoded once: what is left of it is kept for the next chunk.
   */
  chunkBytes?: number | undefined;
}

export type ExportFormat = 'csv' | 'tsv' | 'jsonl' | 'arrow' | 'arrows' | 'parquet' | 'npy' | 'npz';

/** Branches or expressions of a tree, and entries, that are written as a table. */
export interface TableRequest extends ChunkRequest, TreeExpressions {
  /** Expressions instead of branches, separated by colons. One with several values in an entry becomes a list. */
  columns?: string | undefined;
}

export interface ExportRequest extends TableRequest {
  format: ExportFormat;
  /**
   * Name or address of the file that is read. Its last part is kept in Arrow and Parquet files, beside the
   * name and the title of the tree.
   */
  fileName?: string | undefined;
  /** How a Parquet file is compressed. Default: zstd. */
  compression?: Compression | undefined;
}
