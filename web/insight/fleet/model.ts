import { argumentError } from '../../base/errors';
import type { CpuCost } from './steps';

/** A disk: moves of the arm, and the rate between them. */
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
  /** Rate that a single transfer reaches, in Mbit/s; by default that of the link. */
  streamMbitPerS?: number | undefined;
}

/** The part that a site keeps of the files that its jobs read. */
export type CacheModel =
  | { kind: 'none' }
  /** Whole files, which are complete before a job reads them. */
  | { kind: 'files'; bytes: number }
  /** Blocks, as XCache keeps them. */
  | { kind: 'blocks'; bytes: number; blockBytes: number }
  /** The ranges that a job's TTreeCache asked for, for jobs that read the same. */
  | { kind: 'ranges'; bytes: number };

export interface SiteModel {
  name: string;
  /** Jobs that run at once. */
  slots: number;
  /** Speed of a core; the times of computing are those of a core of speed 1. */
  speed: number;
  /** From the origin to the site. */
  link: LinkModel;
  /** From the site's disk to its jobs. */
  lan: LinkModel;
  disk: DiskModel;
  /** Room for files that are pushed, in bytes. */
  storageBytes: number;
  cache: CacheModel;
}

/** A use of a data set: what its jobs read of each file, and what they compute. */
export interface UseModel {
  name: string;
  dataset: string;
  /** Branches as in `--branches`. All, if this list is empty and no member below names any. */
  branches: string[];
  /** An expression that is drawn, and its cut. */
  draw: string;
  cut: string;
  /** Path of a selector, and of a trace of a real job. */
  selector: string;
  trace: string;
  /** The part of the entries that is read, from 0 to 1. */
  part: number;
  /**
   * The program that reads: "cache:30" (ROOT with a TTreeCache of 30 MB), "none", "readahead", "pool" (ROOT of an RNTuple),
   * "uproot", "jsroot" or "jsroot:1" (ranges of a request), "xylem", "recorded" (as the trace).
   */
  read: string;
  cpu: CpuCost;
  /** Time in which its program starts, in ms of computing on a core of speed 1. */
  startMs: number;
  /** How often this use is chosen, compared with the others. */
  share: number;
}

export interface DatasetModel {
  name: string;
  /** A real file, whose metadata all files of the set have. */
  file: string;
  /** Tree of the file. May be left out if there is only one. */
  tree: string | undefined;
  files: number;
}

export interface JobsModel {
  count: number;
  /** Jobs that arrive in a second, at random times; 0: all are there at the start. */
  perSecond: number;
  /** Files that one job reads. */
  filesPerJob: number;
  /** Popularity of the files: the n-th is chosen in proportion to n^-zipf; 0: all alike; "each": one after another. */
  zipf: number | 'each';
  /** A job goes to any free slot, or rather to a site that has its file. */
  placement: 'any' | 'data';
  /** Whether each job is a new process, which starts and connects, or runs in one whose connections are open. */
  process: 'new' | 'kept';
}

/** Encryption of the connections to the origin: TLS takes round trips before the first request. */
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

/** Parses the text of a model; `path` is that of its file. Throws ARGUMENT if it is not JSON. */
export function modelJson(text: string, path?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const name = path === undefined ? 'The model' : `The model "${path}"`;
    const why = cause instanceof Error ? cause.message : '';
    throw argumentError(`${name} is not JSON: ${why}`, undefined, path === undefined ? undefined : { path });
  }
}
