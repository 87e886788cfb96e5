import type { ReadOrigin } from './trace';

/** A span of bytes of a file: `offset` from its start, `length` in bytes. */
export interface Range {
  offset: number;
  length: number;
}

/** What a source may tell when it is opened; all of it optional, none of it trusted blindly. */
export interface SourceInfo {
  /** Size in bytes when the source knows it (a local file does; a server may not tell). */
  size?: number | undefined;
  /** Whatever identifies this content: ETag, Last-Modified, mtime. */
  validator?: string | undefined;
}

/**
 * Where bytes come from. Everything above reads through this: HTTP, Blob, ArrayBuffer, a file in
 * Node, or a caller's own object.
 */
export interface ByteSource {
  /** Shown to people: a URL without credentials, a file name. */
  readonly name: string;
  /** How many reads may usefully be under way at once. */
  readonly concurrency: number;
  /** What the trace shows as the origin of its bytes; default is the network. */
  readonly origin?: ReadOrigin;
  /**
   * Reads exactly `length` bytes from `offset`.
   * A read that reaches past the end gives the bytes up to the end (at least one byte);
   * one that starts at or past the end throws TRUNCATED. Throws XylemError only. `onAnswer` is told
   * when the first of it comes, again with each new try.
   */
  read(offset: number, length: number, signal?: AbortSignal, onAnswer?: () => void): Promise<Uint8Array>;
  /** Ranges that `readParts` takes at once; 0 or absent while it must not be used. */
  readonly maxParts?: number;
  /**
   * Reads several ranges, ascending and disjoint, in one request; each is told when it came. False
   * when the source does not do that after all: the others must be read one by one. Throws as
   * `read` does; what came before is told nevertheless.
   */
  readParts?(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean>;
  /**
   * Reads the last `length` bytes, or all where there are fewer, of content whose size need not be known, with
   * one try. Undefined when that cannot be had. Throws as `read` does.
   */
  readEnd?(
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<{ offset: number; bytes: Uint8Array } | undefined>;
  /**
   * Answers so far that do not say which content they are of: they may be of a changed file. Absent
   * where that cannot be.
   */
  readonly doubtful?: number;
  /**
   * Reads again what was read first, and gives the number of its bytes: what came before is of the
   * same content then. Throws FILE_CHANGED when it differs, and what `read` throws.
   */
  readAgain?(signal?: AbortSignal, onAnswer?: () => void): Promise<number>;
  /**
   * Plain data by which other threads open the same content (`DirectFile`), where they can read it
   * as well as this one; its bytes need not pass through here then.
   */
  readonly direct?: unknown;
  /** What is known of the source so far; never causes a request. */
  info(): SourceInfo;
  close?(): Promise<void>;
}

/** Content that is read at once, in this thread, by whoever needs it: see `ByteSource.direct`. */
export interface DirectFile {
  /** Fills the target from `offset`. Throws FILE_CHANGED and IO. */
  readInto(offset: number, target: Uint8Array): void;
  /** To be called behind the last of some reads: whether all were of the same file. Throws FILE_CHANGED. */
  check(): void;
}
