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
