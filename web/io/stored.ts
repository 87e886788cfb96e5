import type { Range } from './source';

/** A file as a persistent cache knows it. */
export interface StoredFileId {
  /** Changes with the content: see `identityOf`. */
  key: string;
  /** Shown to people. */
  name: string;
  /** Its address, without parts that may be secret: see `placeOf`. */
  place: string;
}

/** Kept bytes that other threads read themselves. */
export interface StoredDirect {
  /** Plain data: see `ByteSource.direct`. */
  readonly file: unknown;
  /** Whether all bytes of a range are among them. */
  has(range: Range): boolean;
}

/** Extents of one file that were kept by earlier sessions, outside of this session's memory. */
export interface StoredExtents {
  /** The file, as the persistent cache knows it. */
  readonly file: StoredFileId;
  /** Extents that have bytes of the ranges (ascending and disjoint), ascending. */
  find(ranges: readonly Range[]): Range[];
  /** The bytes kept before this session, when the threads that need them can read them in place. */
  readonly direct?: StoredDirect | undefined;
  /** Undefined when it is gone or damaged: then it is dropped and must be fetched. Never rejects. */
  load(range: Range): Promise<Uint8Array | undefined>;
  /** Keeps fetched bytes; returns at once and never throws. */
  save(offset: number, bytes: Uint8Array): void;
  /** Drops the bytes of ranges (ascending and disjoint), because they are wrong; returns at once and never throws. */
  drop(ranges: readonly Range[]): void;
  /** Resolves when the saved bytes are written or given up. */
  flush(): Promise<void>;
}
