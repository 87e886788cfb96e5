import type { LocalCosts } from './link';
import type { ReadOrigin } from './trace';

/** A span of bytes of a file: `offset` from its start, `length` in bytes. */
export interface Range {
  offset: number;
  length: number;
}

/** Facts that a source may know when it is opened; all optional, and all checked before they are used. */
export interface SourceInfo {
  /** Size in bytes when the source knows it (a local file does; a server may not tell). */
  size?: number | undefined;
  /** Any text that identifies this content: ETag, Last-Modified, mtime. */
  validator?: string | undefined;
}

/** Silence of a server for this many ms is told. */
export const TOLD_MS = 3000;

/** A server that does not answer, or refuses. */
export interface ServerTrouble {
  /** ms since the last byte, or since it was asked, of the requests under way; 0 when there are none. */
  silentMs: number;
  /** The number of this try, from 1, and of all; one of one when it is not known how often it will be tried. */
  tried: number;
  tries: number;
  /** ms until the next try; 0 when one is under way. */
  nextMs: number;
}

/**
 * Provides the bytes of a file. All reading goes through it: HTTP, Blob, ArrayBuffer, a file in Node, or a
 * caller's own object.
 */
export interface ByteSource {
  /** Shown to people: a URL without credentials, a file name. */
  readonly name: string;
  /** Number of reads that may usefully be under way at once. */
  readonly concurrency: number;
  /**
   * Costs of its reads, where they need not be measured.
   * @internal
   */
  readonly costs?: LocalCosts;
  /**
   * The origin of its bytes in the trace; default is the network.
   * @internal
   */
  readonly origin?: ReadOrigin;
  /**
   * Bytes that are best read at once to be copied; default is what suits a network.
   * @internal
   */
  readonly copyBytes?: number;
  /**
   * Reads exactly `length` bytes from `offset`. A read that reaches past the end returns the bytes up to the
   * end (at least one byte); one that starts at or past the end throws TRUNCATED. Throws XylemError only.
   * `onAnswer` is called when the first byte arrives, again with each new try.
   */
  read(offset: number, length: number, signal?: AbortSignal, onAnswer?: () => void): Promise<Uint8Array>;
  /**
   * Every request is to be for one whole block of this many bytes, or for the last block of the file.
   * @internal
   */
  readonly blockBytes?: number | undefined;
  /** Maximum number of ranges of one `readParts` call; 0 or absent while it must not be used. */
  readonly maxParts?: number;
  /**
   * Reads several ranges, ascending and disjoint, in one request; each is delivered when it arrives. Returns
   * false when the source does not support that after all: the others must be read one by one. Throws as
   * `read` does; ranges that arrived before are delivered nevertheless.
   */
  readParts?(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean>;
  /**
   * Reads ranges into arrays: the parts of each, which have its length together, are filled one after another. Throws
   * as `read` does, and TRUNCATED when a range reaches past the end.
   * @internal
   */
  readInto?(ranges: readonly (Range & { parts: Uint8Array[] })[], signal?: AbortSignal): Promise<void>;
  /** Throws FILE_CHANGED when the content is not the one that was opened, where that can be seen without reading it. */
  checkUnchanged?(): Promise<void>;
  /**
   * Reads the last `length` bytes, or all when there are fewer, of content whose size need not be known, with
   * one try. Undefined when that is not possible. Throws as `read` does.
   */
  readEnd?(
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<{ offset: number; bytes: Uint8Array } | undefined>;
  /**
   * Number of answers so far that do not say which content they are of: they may be of a changed file. Absent
   * when every answer says so.
   * @internal
   */
  readonly unverified?: number;
  /**
   * Reads the first range again and compares. Returns its length when it is unchanged, so that everything
   * read so far is of one content. Throws FILE_CHANGED when it differs, and the errors of `read`.
   * @internal
   */
  readAgain?(signal?: AbortSignal, onAnswer?: () => void): Promise<number>;
  /**
   * Forgets bytes of these ranges that it keeps itself, because they were wrong: the next reads ask anew.
   * @internal
   */
  forget?(ranges: readonly Range[]): void;
  /**
   * Plain data by which other threads open the same content (`DirectFile`), when they can read it as well as
   * this one; then its bytes need not pass through this thread.
   * @internal
   */
  readonly direct?: unknown;
  /**
   * A new call begins: what was given up before is tried again.
   * @internal
   */
  begin?(): void;
  /**
   * The trouble with its server that reads wait for; undefined while bytes come.
   * @internal
   */
  trouble?(): ServerTrouble | undefined;
  /** Facts known about the source so far; never causes a request. */
  info(): SourceInfo;
  close?(): Promise<void>;
}

/** Content that any thread reads synchronously: see `ByteSource.direct`. */
export interface DirectFile {
  /** Fills the target from `offset`. Throws FILE_CHANGED and IO. */
  readInto(offset: number, target: Uint8Array): void;
  /** Called after the last of some reads: checks that all were of the same file. Throws FILE_CHANGED. */
  check(): void;
}
