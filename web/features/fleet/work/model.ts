import { argumentError } from '../../../base/errors';
import type { CpuCost } from './steps';

/** A disk: seek time, and rate of continuous reading. */
export interface DiskModel {
  /** Time of one seek, in ms. */
  seekMs: number;
  /** Rate of reading and writing, in MB/s (10^6 bytes). */
  mbPerS: number;
}

export interface LinkModel {
  /** Round trip, in ms. */
  latencyMs: number;
  /** Rate that all transfers share, in Mbit/s. */
  mbitPerS: number;
  /** Rate of a single transfer, in Mbit/s. Default: the rate of the link. */
  streamMbitPerS?: number | undefined;
}

/** Parts of the read files that a site keeps. */
export type CacheModel =
  | { kind: 'none' }
  /** Whole files. A job starts reading when its file is complete. */
  | { kind: 'files'; bytes: number }
  /** Blocks, as XCache keeps them. */
  | { kind: 'blocks'; bytes: number; blockBytes: number }
  /** The ranges requested by a job's TTreeCache, for jobs that read the same. */
  | { kind: 'ranges'; bytes: number };

export interface SiteModel {
  name: string;
  /** Number of jobs that run at once. */
  slots: number;
  /** Speed of a core. Computing times are given for a core of speed 1. */
  speed: number;
  /** Link from the origin to the site. */
  link: LinkModel;
  /** Link from the site's disk to its jobs. */
  lan: LinkModel;
  disk: DiskModel;
  /** Space for files that are pushed, in bytes. */
  storageBytes: number;
  cache: CacheModel;
}

/** A use of a data set: what its jobs read of each file, and how long they compute. */
export interface UseModel {
  name: string;
  dataset: string;
  /** Branches as in `--branches`. Empty for all, if no member below gives any. */
  branches: string[];
  /** An expression to draw, and its cut. */
  draw: string;
  cut: string;
  /** Path of a selector, and path of a trace of a real job. */
  selector: string;
  trace: string;
  /** Fraction of the entries that is read, from 0 to 1. */
  part: number;
  /**
   * The program that reads: "cache:30" (ROOT with a TTreeCache of 30 MB), "none", "readahead", "pool" (ROOT for an
   * RNTuple), "uproot", "jsroot" or "jsroot:1" (number of ranges per request), "xylem", "recorded" (as in the trace).
   */
  read: string;
  cpu: CpuCost;
  /** Start-up time of its program: computing time in ms on a core of speed 1. */
  startMs: number;
  /** Relative frequency of this use. */
  share: number;
}

export interface DatasetModel {
  name: string;
  /** A real file. All files of the data set have its metadata. */
  file: string;
  /** Tree of the file. Optional if there is only one. */
  tree: string | undefined;
  files: number;
}

export interface JobsModel {
  count: number;
  /** Number of jobs that arrive per second, at random times. 0: all are there at the start. */
  perSecond: number;
  /** Number of files that one job reads. */
  filesPerJob: number;
  /**
   * Popularity of the files: the n-th is chosen with a probability proportional to n^-zipf. 0: all are equal. "each":
   * one after another.
   */
  zipf: number | 'each';
  /** Whether a job goes to any free slot, or preferably to a site that has its file. */
  placement: 'any' | 'data';
  /**
   * Whether each job is a new process, which starts and connects, or runs in an existing one with open connections.
   */
  process: 'new' | 'kept';
}

/** Encryption of the connections to the origin. TLS needs round trips before the first request. */
export type Tls = 'none' | '1.3' | '1.2';

export interface OriginModel {
  mbitPerS: number;
  disk: DiskModel;
  tls: Tls;
}

/** Sites, links, data and jobs: what `xylem fleet` simulates. */
export interface FleetModel {
  seed: number;
  origin: OriginModel;
  sites: SiteModel[];
  datasets: DatasetModel[];
  uses: UseModel[];
  jobs: JobsModel;
}

/** `push` copies whole files to a site before its jobs read them there; `pull` reads them where they are. */
export const ACCESS = ['push', 'pull'] as const;
export type Access = (typeof ACCESS)[number];

/** Parses the text of a model. `path` is the path of its file. Throws ARGUMENT if it is not JSON. */
export function modelJson(text: string, path?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const name = path === undefined ? 'The model' : `The model "${path}"`;
    const why = cause instanceof Error ? cause.message : '';
    throw argumentError(`${name} is not JSON: ${why}`, undefined, path === undefined ? undefined : { path });
  }
}
