import type { LocalCosts } from './link';
import type { ReadOrigin } from './trace';

/** A span of bytes of a file: `offset` from its start, `length` in bytes. */
export interface Range {
  offset: number;
  length: number;
}

/** Facts that a source may know when it is opened; all optional, and all checked before they are used. */
export interface SourceInfo {
  /** Size in bytes, if the source knows it. A local file does; a server may not tell. */
  size?: number | undefined;
  /** Any text that identifies this content: ETag, Last-Modified, mtime. */
  validator?: string | undefined;
}

/** A server is reported as silent after this many ms. */
export const TOLD_MS = 3000;

/** A server that does not answer, or that refuses requests. */
export interface ServerTrouble {
  /** Time in ms since the last byte, or since the request, for the running requests; 0 if there are none. */
  silentMs: number;
  /**
   * Attempt number, from 1, and maximum number of attempts. Both are 1 if the source does not know how often it will
   * retry.
   */
  tried: number;
  tries: number;
  /** Time in ms until the next attempt; 0 if one is running. */
  nextMs: number;
}

/**
 * Provides the bytes of a file. All reading goes through it: HTTP, Blob, ArrayBuffer, a file in Node, or a
 * caller's own object.
 */
export interface ByteSource {
  /** For display: a URL without credentials, or a file name. */
  readonly name: string;
  /** Number of simultaneous reads that are useful. */
  readonly concurrency: number;
  /** Costs of its reads, if they need not be measured. @internal */
  readonly costs?: LocalCosts;
  /**
   * The origin of its bytes in the trace; default is the network.
   * @internal
   */
  readonly origin?: ReadOrigin;
  /** Number of bytes per read that is best for copying. Default: suitable for a network. @internal */
  readonly copyBytes?: number;
  /**
   * Reads exactly `length` bytes from `offset`. A read that reaches past the end returns the bytes up to the
   * end (at least one byte); one that starts at or past the end throws TRUNCATED. Throws XylemError only.
   * `onAnswer` is called when the first byte arrives, again with each new try.
   */
  read(offset: number, length: number, signal?: AbortSignal, onAnswer?: () => void): Promise<Uint8Array>;
  /**
   * If set, every request has to be for one whole block of this many bytes, or for the last block of the file.
   * @internal
   */
  readonly blockBytes?: number | undefined;
  /** Maximum number of ranges of one `readParts` call; 0 or undefined if it must not be used. */
  readonly maxParts?: number;
  /**
   * Reads several ranges, ascending and disjoint, in one request. Each is delivered when it arrives. Returns false if
   * the source turns out not to support this; the others then have to be read individually. Throws as `read` does;
   * ranges that arrived before are delivered anyway.
   */
  readParts?(
    ranges: readonly Range[],
    onPart: (index: number, bytes: Uint8Array) => void,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<boolean>;
  /**
   * Reads ranges into arrays. The `parts` of a range have its total length and are filled one after another. Throws
   * as `read` does, and TRUNCATED if a range extends past the end. @internal
   */
  readInto?(ranges: readonly (Range & { parts: Uint8Array[] })[], signal?: AbortSignal): Promise<void>;
  /**
   * Throws FILE_CHANGED if the content is not the one that was opened, as far as that can be seen without reading it.
   */
  checkUnchanged?(): Promise<void>;
  /**
   * Reads the last `length` bytes, or all if there are fewer, without needing the size, in one attempt. Undefined if
   * that is not possible. Throws as `read` does.
   */
  readEnd?(
    length: number,
    signal?: AbortSignal,
    onAnswer?: () => void,
  ): Promise<{ offset: number; bytes: Uint8Array } | undefined>;
  /**
   * Number of answers so far without a validator: they may belong to a changed file. Undefined if every answer has
   * one. @internal
   */
  readonly unverified?: number;
  /**
   * Reads the first range again and compares it. Returns its length if it is unchanged, so that everything read so
   * far belongs to one content. Throws FILE_CHANGED if it differs, and the errors of `read`. @internal
   */
  readAgain?(signal?: AbortSignal, onAnswer?: () => void): Promise<number>;
  /**
   * Drops bytes of these ranges that the source keeps itself, because they were wrong. The next reads request them
   * again. @internal
   */
  forget?(ranges: readonly Range[]): void;
  /**
   * Plain data with which other threads can open the same content (`DirectFile`), if they can read it as well as this
   * one. Its bytes then need not pass through this thread. @internal
   */
  readonly direct?: unknown;
  /** Called when a new call begins. Requests that were given up are tried again. @internal */
  begin?(): void;
  /** Returns the problem of the server for which reads wait; undefined while bytes arrive. @internal */
  trouble?(): ServerTrouble | undefined;
  /** Returns known facts about the source. Never sends a request. */
  info(): SourceInfo;
  close?(): Promise<void>;
}

/** The facts of a source by which requests are planned. */
export type SourceFacts = Pick<
  ByteSource,
  'name' | 'concurrency' | 'costs' | 'origin' | 'maxParts' | 'blockBytes' | 'info'
>;

/** Content that any thread can read synchronously: see `ByteSource.direct`. */
export interface DirectFile {
  /** Fills the target from `offset`. Throws FILE_CHANGED and IO. */
  readInto(offset: number, target: Uint8Array): void;
  /** Called after a group of reads. Checks that all were from the same file. Throws FILE_CHANGED. */
  check(): void;
}

/** A file on a server whose size and state can be requested without reading. */
export interface ServedFile extends ByteSource {
  /** Opens the file if it is not open. Then `info` gives its size. Throws as `read` does. */
  open(signal?: AbortSignal): Promise<void>;
  /** Whether the path now leads to other content than when the file was opened. Throws as `read` does. */
  isReplaced(signal?: AbortSignal): Promise<boolean>;
}
