import type { ByteSource } from '../io/source';

/** The source to open: a file, or several whose trees are read as one. */
export type SourceSpec = FileSource | ChainSource;

/**
 * A chain: the trees of the same name of several files, as one tree; entries are numbered over all.
 * Keys, objects and classes are those of the first file. The other files are opened when a tree is
 * asked for. One that cannot be opened is left out: `TreeInfo.partial` names it.
 */
export interface ChainSource {
  kind: 'chain';
  files: ChainPart[];
}

export interface ChainPart {
  source: FileSource;
  /** Path of the tree in this file, where it is not the one that is asked for. */
  tree?: string | undefined;
}

/** One file: its bytes, or what lies within another from a byte on. */
export type FileSource = WholeSource | { kind: 'within'; outer: WholeSource; offset: number };

/** Options of the requests for addresses. */
export interface RequestOptions {
  /** Sent with each request to the origin of the first address; never stored or shown. */
  headers?: Record<string, string> | undefined;
  credentials?: RequestCredentials | undefined;
  /**
   * In place of the global fetch, or of node:http (tokens, signed addresses, proxies); called in the thread that opens the
   * file.
   */
  fetch?: typeof fetch | undefined;
  /**
   * Requests over http(s) are for whole blocks of this many bytes (64 KiB to 16 MiB), which caches on the way hold for
   * all readers; each block is a request.
   */
  align?: number | undefined;
}

/** An address, with the options of the requests for it alone. */
export interface UrlSource extends RequestOptions {
  kind: 'url';
  url: string;
  /** `none`: what is read of this file, and of the friends that its trees name, is kept in memory only. */
  cache?: 'none';
  /** `none`: no bearer token of this user is sent, because a file and not the user named the address. */
  token?: 'none';
}

/** `path` works in Node only; `source` only where the engine runs in-process. */
export type WholeSource =
  | UrlSource
  | { kind: 'blob'; blob: Blob; name: string }
  | { kind: 'buffer'; buffer: ArrayBuffer; name: string }
  | {
      kind: 'path';
      path: string;
      /** `none`: also what is read over the network, of friends that its trees name, is kept in memory only. */
      cache?: 'none';
    }
  | { kind: 'source'; source: ByteSource };
