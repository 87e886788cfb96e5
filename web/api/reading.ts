import type { Range } from '../io/source';
import type { DecodePhases, ReadOrigin } from '../io/trace';

/** The numbers of TTreePerfStats. Sizes in bytes, times in seconds. `PERF_NUMBERS` explains each. */
export interface PerfNumbers {
  treeCache: number;
  leaves: number;
  readTotal: number;
  readExtra: number;
  readCalls: number;
  readahead: number;
  /** Undefined for a reading that is simulated. */
  realTime: number | undefined;
  cpuTime: number | undefined;
  diskTime: number;
  /** Compression factor of the tree. */
  factor: number;
}

/** One read of the file, on the axes of TTreePerfStats. Times in seconds from the first read. */
export interface PerfRead {
  /** Entry of the tree that needed it; -1 for reads without an entry (the file's head, keys, the tree). */
  entry: number;
  offset: number;
  length: number;
  /**
   * The ranges of a request with several. An empty list means that only the first offset and the sum of the lengths
   * are known.
   */
  ranges?: readonly Range[] | undefined;
  origin: ReadOrigin;
  /** Its purpose in the trace, and the branches whose baskets it read. */
  purpose: string;
  branches: string[];
  /** A request has all four times. For a saved TTreePerfStats only the end of the read is known. */
  queued: number;
  started: number;
  answered: number;
  done: number;
  failed?: string | undefined;
  /** For decoding: its time for each branch, in ms. */
  phases?: readonly DecodePhases[] | undefined;
}

/** The reads of one file, recorded by any program. */
export interface Reading {
  /** The program that read: "xylem", "ROOT", "JSROOT in Chromium". */
  by: string;
  file: string;
  /** Size of the file, if the trace has it. */
  size?: number | undefined;
  /** The tree that was read, if the trace names it. */
  tree?: string | undefined;
  numbers?: PerfNumbers | undefined;
  /** Paths of the branches that the program asked for, if they are known. */
  chosen?: string[] | undefined;
  reads: PerfRead[];
  /**
   * The ranges that a program requested from a layer that reads ahead, if the trace has both these and the fetched
   * ones.
   */
  asked?: Range[] | undefined;
  /** Further figures of a trace that does not list individual reads: names and values as text. */
  facts?: (readonly [name: string, value: string])[] | undefined;
}

/** A use of a file. One of these members says which branches are read. */
export interface FileUse {
  /** Name for messages: "mass.json", "sqrt(pt)". */
  name: string;
  /** A recorded reading. */
  reading?: Reading | undefined;
  /** Names of branches, as `--branches` takes them. */
  branches?: readonly string[] | undefined;
  /** Expressions and a cut, as `draw` takes them. */
  draw?: { expr: string; cut?: string | undefined } | undefined;
  /** The branches and expressions of a selector, the cut before it, and the address of its module if it has one. */
  selector?:
    | { branches: Readonly<Record<string, string>>; where?: string | undefined; module?: string }
    | undefined;
}

/** A recorded reading of a tree, whose reads have entries and branches. */
export interface PerfReport extends Reading {
  format: 'xylem perf 1';
  tree: string;
  numbers: PerfNumbers;
}

/** Combines the readings of all clients of a file. */
export function together(readings: readonly Reading[]): Reading {
  const [first, ...others] = readings;
  if (first !== undefined && others.length === 0) return first;
  return {
    by: `${readings.length} readings`,
    file: first?.file ?? '',
    size: first?.size,
    reads: readings.flatMap(({ reads }) => reads),
  };
}
