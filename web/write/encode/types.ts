import type { Codec } from '../../core/compression';
/**
 * The interface of web/write/encode. It turns records of an input file into data that can be edited, and data
 * into the bytes of records. It neither reads files nor assigns places: keys, directories and the free list are made
 * by the other parts of web/write.
 *
 * - An object is written by the streamer infos of the file that it came from. `ClassCodec` (class-codec.ts) holds
 *   them: `read` gives the object of a record with all that is needed to write it again, `write` gives the bytes,
 *   and `pack` compresses them in ROOT's blocks.
 * - `editTree` (tree-edit.ts) puts a new plan into the record of a TTree that was read this way.
 */
import type { TapeValue } from '../../core/tape';

/**
 * An object as data: `_typename`, then the members in the order in which they are streamed. Members that begin with
 * `$` say what a writer needs besides the values. Numbers may be changed, and elements of lists dropped or added; a
 * pointer to an object that stands elsewhere is the same JavaScript object. A text that is not UTF-8 is a Uint8Array.
 *
 * | mark | meaning |
 * |---|---|
 * | `$version`, `$version:BASE` | version of the class or base class, where it is not the newest that the file describes |
 * | `$checksum`, `$checksum:BASE` | of the layout, for classes without a version |
 * | `$head:MEMBER` | header of a collection where it is not the usual one: `[flags, version, version of the elements, checksum]` |
 * | `$pid` | number of the process id of an object that a TRef refers to |
 * | `$value` | value of an object that is a number, a text or an array, such as a TArrayD behind a pointer |
 * | `$class`, `$rest`, `$basket` | of a TClonesArray, of an empty one, and of a basket within the record of its tree |
 */
export type ObjectData = { _typename: string; [member: string]: TapeValue };

/** New values in the record of a branch. Arrays have one element for each basket in the file. */
export interface BranchPlan {
  /** Place of each basket's record in the output, in bytes. */
  seek: readonly number[];
  /** Bytes of each basket's record with its key: fNbytes. */
  bytes: readonly number[];
  /** First entry of each basket, ascending. */
  firstEntry: readonly number[];
  entries: number;
  /** The entry after those of the last basket, where it is not `entries`: a branch need not have the first entries. */
  end?: number | undefined;
  /** Bytes of all baskets before compression, with their keys: the sum of fObjlen + fKeylen. */
  totalBytes: number;
  /** Bytes of all baskets in the file: the sum of fNbytes. */
  storedBytes: number;
  /** 100 × algorithm + level, where it changes. */
  compress?: number | undefined;
  /** fBasketSize, where it changes. */
  basketSize?: number | undefined;
  /** The greatest value of a counter, where it may be greater than the record says; it never becomes smaller. */
  maximum?: number | undefined;
  /**
   * Drops the baskets that lie in the record itself, because the plan has them. Otherwise they stay, at their first
   * entries.
   */
  dropEmbedded?: boolean | undefined;
}

/** New values in the record of a tree. */
export interface TreePlan {
  /**
   * The branches in the order of the branch table (depth first, as `TreeModel.branches`). `null` drops a branch with
   * all below it; `undefined` leaves a branch as it is, which is right only for branches without baskets in
   * the file, in a tree that keeps its entries.
   */
  branches: readonly (BranchPlan | null | undefined)[];
  /** The branch fBranchRef of a tree with TRefs, which is not in the branch table. */
  branchRef?: BranchPlan | undefined;
  entries: number;
  /** fAutoFlush: entries in a cluster where positive, bytes where negative. */
  autoFlush?: number | undefined;
  /** Ranges of entries with clusters of another size: the last entry of each range, and entries in its clusters. */
  clusters?: { end: readonly number[]; size: readonly number[] } | undefined;
  name?: string | undefined;
  title?: string | undefined;
  /** Drops fTreeIndex and fEventList, because the entries are others. */
  dropIndex?: boolean | undefined;
}

/** The classes of one input file in the writing module (xylem-write.wasm). */
export interface ObjectCodec {
  /**
   * The object of a record (key and object, compressed or not) as data. Throws UNSUPPORTED or NO_STREAMER when a
   * part of it cannot be decoded; such an object is copied as bytes, with a key of the same length.
   */
  read(record: Uint8Array): ObjectData;
  /** The object of a record as a viewer has it: a part that cannot be decoded is `{ $error: why }`. Throws as `unpack`. */
  look(record: Uint8Array): TapeValue;
  /**
   * The bytes of an object, uncompressed, for a record whose key has `keyLength` bytes: references count from the
   * start of the key. Throws ARGUMENT when a member is missing or has no place in the class.
   */
  write(object: ObjectData, keyLength: number): Uint8Array<ArrayBuffer>;
  /** The bytes of the object of a record as they are, decompressed. */
  unpack(record: Uint8Array): Uint8Array<ArrayBuffer>;
  /** Whether the object of a record has some bytes in it, at least two; it is unpacked part by part. Throws as `unpack`. */
  contains(record: Uint8Array, bytes: Uint8Array): boolean;
  /**
   * The object compressed in blocks as ROOT makes them; the same bytes where it does not shrink, which is what a
   * record holds whose fNbytes is fKeylen + fObjlen.
   */
  pack(object: Uint8Array, codec: Codec): Uint8Array<ArrayBuffer>;
  free(): void;
}
