import type { Range } from './source';

/** A file as a persistent cache knows it. */
export interface StoredFileId {
  /** Changes with the content: see `identityOf`. */
  key: string;
  /** For people. */
  name: string;
}

/** Kept bytes that other threads read themselves. */
export interface StoredDirect {
  /** Plain data: see `ByteSource.direct`. */
  readonly file: unknown;
  /** Whether all bytes of a range are among them. */
  has(range: Range): boolean;
}

/** Extents of one file that were kept from earlier, outside of this session's memory. */
export interface StoredExtents {
  /** The file, as the persistent cache knows it. */
  readonly file: StoredFileId;
  /** Those that have bytes of the ranges (ascending and disjoint), ascending. */
  find(ranges: readonly Range[]): Range[];
  /** What was kept before this session, where the threads that need it can read it in place. */
  readonly direct?: StoredDirect | undefined;
  /** Undefined when it is gone or damaged: then it is forgotten and must be fetched. Never rejects. */
  load(range: Range): Promise<Uint8Array | undefined>;
  /** Keeps bytes that were fetched; returns at once and never throws. */
  save(offset: number, bytes: Uint8Array): void;
  /** Resolves when what was saved is written or given up. */
  flush(): Promise<void>;
}
