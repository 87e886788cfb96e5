/**
 * Kind of a record of a file. `free` is on the file's list of free space, `gap` is a deleted record that a walk finds.
 * `basket` and `blob` (where RNTuples store pages) are only found by a walk.
 */
export type RecordKind =
  | 'header'
  | 'directory'
  | 'keys'
  | 'streamers'
  | 'freelist'
  | 'free'
  | 'gap'
  | 'tree'
  | 'ntuple'
  | 'object'
  | 'basket'
  | 'blob';

export interface FileRecord {
  kind: RecordKind;
  offset: number;
  length: number;
  /** Path of a key with its cycle; for a list of keys the path of its directory; otherwise a name. */
  name: string;
  className: string;
  /** Size of the decompressed object in bytes, if it is known. */
  objectBytes?: number | undefined;
}

/** The records that a file's own lists contain. */
export interface FileRecords {
  /** Number of available bytes: the size of the source if it is known, otherwise the file's end. */
  size: number;
  /** The end of the file in its header. */
  end: number;
  /** By offset. */
  records: FileRecord[];
  /** Errors of lists that could not be read. */
  notes: string[];
  /** Number of bytes per read that is best for copying, if the source gives it. */
  copyBytes?: number | undefined;
}

/** A field of a record, as it is stored. */
export interface RecordField {
  /** Part of the record: header, key, file, directory, basket, list of keys, listed key, free segment and others. */
  group: string;
  /** Number of a part that is repeated; -1 for the others. */
  item: number;
  /** The name in ROOT's classes. */
  name: string;
  /** The C++ type. */
  type: string;
  /** Position in the file. */
  offset: number;
  length: number;
  /** A text for texts, and for numbers above 2^53. Undefined if the file ends before the field does. */
  value?: number | string | undefined;
}

/** The fields at the beginning of a record. */
export interface RecordFields {
  /** Position of the record. */
  offset: number;
  /** The header, a key, the first record of the file, a list of keys, or the list of free space. */
  shape: 'header' | 'key' | 'root' | 'keys' | 'free';
  fields: RecordField[];
  /** The bytes from `offset` on, at least those of the fields. */
  bytes: Uint8Array<ArrayBuffer>;
  /** Number of available bytes of the file. */
  size: number;
}

/** Records that a walk found. Texts are indices in `texts`. */
export interface WalkedRecords {
  offset: Float64Array;
  length: Float64Array;
  /** Size of the record's key in bytes; 0 for a gap. */
  keyBytes: Float64Array;
  /** Size of the decompressed object in bytes. */
  objectBytes: Float64Array;
  className: Uint32Array;
  name: Uint32Array;
  title: Uint32Array;
  texts: string[];
  /** Positions at which the walk could not continue, and the reasons. */
  stopped: { offset: number; why: string }[];
}
