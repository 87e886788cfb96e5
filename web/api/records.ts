/**
 * Kind of a record of a file. `free` is on the file's list of free space, `gap` a deleted record that a walk
 * finds. `basket` and `blob` (where RNTuples keep pages) are only found by walking.
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
  /** Path of a key with its cycle, or of the directory whose list of keys it is; else a name. */
  name: string;
  className: string;
  /** Bytes of the decompressed object, when they are known. */
  objectBytes?: number | undefined;
}

/** The records that a file's own lists name. */
export interface FileRecords {
  /** Number of available bytes: the size of the source when it is known, else the file's end. */
  size: number;
  /** The end of the file in its header. */
  end: number;
  /** By offset. */
  records: FileRecord[];
  /** Lists that could not be read. */
  notes: string[];
  /** Bytes that are best read at once to be copied, where the source says it. */
  copyBytes?: number | undefined;
}

/** Records that a walk found; texts are numbers in `texts`. */
export interface WalkedRecords {
  offset: Float64Array;
  length: Float64Array;
  /** Bytes of the record's key; 0 for a gap. */
  keyBytes: Float64Array;
  /** Bytes of the decompressed object. */
  objectBytes: Float64Array;
  className: Uint32Array;
  name: Uint32Array;
  title: Uint32Array;
  texts: string[];
  /** Places where the walk could not go on, and the reasons. */
  stopped: { offset: number; why: string }[];
}
