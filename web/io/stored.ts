import type { Range } from './source';

/** A file as a persistent cache knows it. */
export interface StoredFileId {
  /** Changes with the content: see `identityOf`. */
  key: string;
  /** For display. */
  name: string;
  /** Its address without parts that may be secret: see `placeOf`. */
  place: string;
}

/** Cached bytes that other threads read themselves. */
export interface StoredDirect {
  /** Plain data: see `ByteSource.direct`. */
  readonly file: unknown;
  /** Whether all bytes of a range are cached. */
  has(range: Range): boolean;
}

/** Extents of one file that earlier sessions stored on this machine. */
export interface StoredExtents {
  /** The file, as the persistent cache knows it. */
  readonly file: StoredFileId;
  /** Returns extents with bytes of the ranges (ascending and disjoint), ascending. */
  find(ranges: readonly Range[]): Range[];
  /** The bytes stored before this session, if threads that need them can read them in place. */
  readonly direct?: StoredDirect | undefined;
  /** Returns the bytes; undefined if they are missing or damaged, so that they have to be fetched. Never rejects. */
  load(range: Range): Promise<Uint8Array | undefined>;
  /** Stores fetched bytes. Returns at once and never throws. */
  save(offset: number, bytes: Uint8Array): void;
  /** Drops the bytes of ranges (ascending and disjoint), because they are wrong. Returns at once and never throws. */
  drop(ranges: readonly Range[]): void;
  /** Resolves when the saved bytes are written or given up. */
  flush(): Promise<void>;
}
