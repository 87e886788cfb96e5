import type { CallOptions, FileId } from './api';
import type { DoctorOptions, DoctorReport, ExaminedFile } from './doctor';

/** Kinds of content of a file. `behind` is content after the end that the header gives. */
export type SegmentKind =
  | 'unknown'
  | 'header'
  | 'directory'
  | 'keys'
  | 'streamers'
  | 'freelist'
  | 'free'
  | 'gap'
  | 'tree'
  | 'ntuple'
  | 'basket'
  | 'page'
  | 'blob'
  | 'object'
  | 'behind';

export interface KindSum {
  kind: SegmentKind;
  bytes: number;
  segments: number;
}

/** The bytes of a file by kind of content. */
export interface MapSums {
  map: {
    /** Bytes of the file. */
    size: number;
    /** Number of its parts: records, baskets, pages, and gaps. */
    count: number;
  };
  /** Sums for each kind, the largest first. */
  kinds: KindSum[];
  /** Parts that could not be read, and positions where a walk had to stop. */
  notes: string[];
}

/**
 * Computations that take long on the metadata of large files. A page runs them in a separate worker, so that the page
 * and reading do not wait for them. All methods reject with XylemError.
 */
export interface InsightApi {
  /**
   * Returns the bytes of a file by kind of content. With `walk`, bytes that its lists do not name are read and
   * walked.
   */
  map(file: FileId, options?: CallOptions & { walk?: boolean | undefined }): Promise<MapSums>;
  /** Grades the layout of an open file, and lists remedies. */
  doctor(file: ExaminedFile, options?: DoctorOptions): Promise<DoctorReport>;
  /** Prepares for a call that is likely to come soon. @internal */
  warm(): void;
}
