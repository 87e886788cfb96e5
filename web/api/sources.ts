import { shownAddress } from '../io/http/shown-url';
import type { ByteSource } from '../io/source';

/** The source to open: a file, or several whose trees are read as one. */
export type SourceSpec = FileSource | ChainSource;

/**
 * A chain: the trees with the same name in several files, as one tree. Entries are numbered over all files. Keys,
 * objects and classes are those of the first file. The other files are opened when a tree is requested. A file that
 * cannot be opened is left out and listed in `TreeInfo.partial`.
 */
export interface ChainSource {
  kind: 'chain';
  files: ChainPart[];
}

export interface ChainPart {
  source: FileSource;
  /** Path of the tree in this file, if it differs from the requested one. */
  tree?: string | undefined;
}

/** One file: all of its bytes, or the file that begins at an offset of another file. */
export type FileSource = WholeSource | { kind: 'within'; outer: WholeSource; offset: number };

/** Options of the requests for addresses. */
export interface RequestOptions {
  /** Sent with each request to the origin of the first address. Never stored or shown. */
  headers?: Record<string, string> | undefined;
  credentials?: RequestCredentials | undefined;
  /**
   * Replaces the global fetch, or node:http (for tokens, signed addresses, proxies). Called in the thread that opens
   * the file.
   */
  fetch?: typeof fetch | undefined;
  /**
   * Requests whole blocks of this many bytes over http(s) (64 KiB to 16 MiB), which shared caches can store for all
   * readers. Each block is a separate request.
   */
  align?: number | undefined;
}

/** An address, with options for its requests only. */
export interface UrlSource extends RequestOptions {
  kind: 'url';
  url: string;
  /** `none`: bytes of this file, and of the friends that its trees name, are kept in memory only. */
  cache?: 'none';
  /** `none`: no bearer token of the user is sent, because the address comes from a file and not from the user. */
  token?: 'none';
}

/** All of the bytes of a file, which may have several copies. */
export type WholeSource = PlainSource | ReplicatedSource;

/**
 * A file that has several copies. The first one is read; if it fails or does not answer, the next one is, after it was
 * compared by UUID, size and start. Bytes are kept in memory only.
 */
export interface ReplicatedSource {
  kind: 'replicas';
  replicas: readonly PlainSource[];
  /** Name of the file that all lists give it, as lfn:/store/data/file.root. Default: the addresses of all replicas. */
  name?: string | undefined;
  /** Size in bytes, if it is known. */
  size?: number | undefined;
  /** Time in ms without an answer after which the next replica is read. Default: 10,000. */
  patienceMs?: number | undefined;
}

/** `path` is only available in Node; `source` only if the engine runs in the same thread. */
export type PlainSource =
  | UrlSource
  | { kind: 'blob'; blob: Blob; name: string }
  | { kind: 'buffer'; buffer: ArrayBuffer; name: string }
  | {
      kind: 'path';
      path: string;
      /** `none`: bytes read over the network for friends that its trees name are also kept in memory only. */
      cache?: 'none';
    }
  | { kind: 'source'; source: ByteSource };

/** Returns the name of a file, as it was given, without secrets. */
export function nameOfFile(source: FileSource): string {
  switch (source.kind) {
    case 'url':
      return shownAddress(source.url);
    case 'path':
      return source.path;
    case 'replicas':
      // The same in whatever order they were given, so that results of one file have one name.
      return source.name ?? [...new Set(source.replicas.map(nameOfFile))].sort().join('|');
    case 'within':
      return `${nameOfFile(source.outer)}@${source.offset}`;
    case 'source':
      return source.source.name;
    case 'blob':
    case 'buffer':
      return source.name;
  }
}
