import type { Codec } from '../../../../core/compression';
/**
 * The interface of web/features/writer/work/encode. It turns records of an input file into data that can be edited, and data
 * into the bytes of records. It neither reads files nor assigns places: keys, directories and the free list are made
 * by the other parts of web/features/writer/work.
 *
 * - An object is written by the streamer infos of the file that it came from. `ClassCodec` (class-codec.ts) holds
 *   them: `read` gives the object of a record with all that is needed to write it again, `write` gives the bytes,
 *   and `pack` compresses them in ROOT's blocks.
 * - `editTree` (tree-edit.ts) puts a new plan into the record of a TTree that was read this way.
 */
import type { TapeValue } from '../../../../core/tape';

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
  /** Position of each basket's record in the output, in bytes. */
  seek: readonly number[];
  /** Length of each basket's record including its key, in bytes: fNbytes. */
  bytes: readonly number[];
  /** First entry of each basket, ascending. */
  firstEntry: readonly number[];
  entries: number;
  /** The entry after the last basket, if it is not `entries`: a branch may lack the first entries. */
  end?: number | undefined;
  /** Bytes of all baskets before compression, including their keys: the sum of fObjlen + fKeylen. */
  totalBytes: number;
  /** Bytes of all baskets in the file: the sum of fNbytes. */
  storedBytes: number;
  /** 100 × algorithm + level, if it changes. */
  compress?: number | undefined;
  /** fBasketSize, if it changes. */
  basketSize?: number | undefined;
  /** Largest value of a counter, if it may exceed the value in the record, which is never lowered. */
  maximum?: number | undefined;
  /**
   * Drops the baskets in the record itself, because the plan includes them. Otherwise they stay, at their first
   * entries.
   */
  dropEmbedded?: boolean | undefined;
}

/** New values in the record of a tree. */
export interface TreePlan {
  /**
   * The branches in the order of the branch table (depth first, as `TreeModel.branches`). `null` drops a branch and
   * its sub-branches. `undefined` does not change a branch; that is only allowed for branches without baskets in the
   * file, in a tree that keeps its entries.
   */
  branches: readonly (BranchPlan | null | undefined)[];
  /** The branch fBranchRef of a tree with TRefs. It is not in the branch table. */
  branchRef?: BranchPlan | undefined;
  entries: number;
  /** fAutoFlush: a positive number counts entries in a cluster, a negative one bytes. */
  autoFlush?: number | undefined;
  /** Ranges of entries with another cluster size: the last entry of each range, and the entries in its clusters. */
  clusters?: { end: readonly number[]; size: readonly number[] } | undefined;
  name?: string | undefined;
  title?: string | undefined;
  /** Drops fTreeIndex and fEventList, because the entries have changed. */
  dropIndex?: boolean | undefined;
}

/** The classes of one input file in the writing module (xylem-write.wasm). */
export interface ObjectCodec {
  /**
   * Returns the object of a record (key and object, compressed or not) as data. Throws UNSUPPORTED or NO_STREAMER if
   * a part of it cannot be decoded. Such an object is copied as bytes, with a key of the same length.
   */
  read(record: Uint8Array): ObjectData;
  /**
   * Returns the object of a record for display: a part that cannot be decoded is `{ $error: why }`. Throws as
   * `unpack`.
   */
  look(record: Uint8Array): TapeValue;
  /**
   * Returns the uncompressed bytes of an object for a record with a key of `keyLength` bytes, because references are
   * relative to the start of the key. Throws ARGUMENT if a member is missing or is not in the class.
   */
  write(object: ObjectData, keyLength: number): Uint8Array<ArrayBuffer>;
  /** Returns the bytes of the object of a record, decompressed and otherwise unchanged. */
  unpack(record: Uint8Array): Uint8Array<ArrayBuffer>;
  /**
   * Whether the object of a record contains a sequence of at least two bytes. It is unpacked part by part. Throws as
   * `unpack`.
   */
  contains(record: Uint8Array, bytes: Uint8Array): boolean;
  /**
   * Compresses an object in blocks as ROOT does. Returns the same bytes if that does not make it smaller; ROOT stores
   * such an object uncompressed, with fNbytes equal to fKeylen + fObjlen.
   */
  pack(object: Uint8Array, codec: Codec): Uint8Array<ArrayBuffer>;
  free(): void;
}
