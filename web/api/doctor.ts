import type { LinkEstimate } from '../io/link';
import type { CallOptions, FileInfo } from './api';
import type { DoctorRule } from './doctor-rules';
import type { FileUse } from './reading';

/** Severity of a finding: `bad` costs every reader, `poor` some, `note` is for information. */
export type DoctorGrade = 'bad' | 'poor' | 'note';

/** The cost of reading over one link now and with the remedy. Times in ms. */
export interface DoctorCost {
  link: string;
  /** Description of the branches that are read, and of the reader. */
  reading: string;
  /** Whether that reader has a TTreeCache. */
  cached: boolean;
  /** Paths of the branches that are read, including those with lengths of arrays. */
  branches: string[];
  calls: number;
  bytes: number;
  ms: number;
  betterCalls: number;
  betterBytes: number;
  betterMs: number;
}

/** The effect of a remedy: a number now, and its approximate value afterwards. */
export interface DoctorPromise {
  what:
    | 'clusters'
    | 'baskets'
    | 'baskets in two clusters'
    | 'pages'
    | 'bytes of the record'
    | 'bytes of the file'
    | 'cycles';
  now: number;
  after: number;
}

/**
 * Commands that write a repaired file. `ROOT`: a program; save it as `file` and run `run`. `hadd`, `xylem`: one shell
 * command. Nothing is dropped except cycles: see `keeps`.
 */
export interface DoctorRemedy {
  for: 'ROOT' | 'hadd' | 'xylem';
  file?: string | undefined;
  run?: string | undefined;
  /** Cycles of each tree in the new file. */
  keeps: 'all' | 'newest';
  lines: string[];
}

export interface DoctorFinding {
  rule: DoctorRule;
  grade: DoctorGrade;
  /** Path of the tree; undefined if the finding concerns the whole file. */
  tree?: string | undefined;
  /** `sure`: based on positions and sizes in the metadata, or on values that were read. `likely`: a guess. */
  certainty: 'sure' | 'likely';
  /** The observation, with numbers. */
  evidence: string;
  numbers: Record<string, number>;
  /** Affected branches, the worst first, at most 50. `branchCount` is their total number. */
  branches?: string[] | undefined;
  branchCount?: number | undefined;
  /** An example position in the file. */
  place?: { offset: number; length: number } | undefined;
  /** Effects of the remedies; empty if not known in advance. */
  promises: DoctorPromise[];
  costs: DoctorCost[];
  /** Alternative repairs; empty if the finding is for information only. */
  remedies: DoctorRemedy[];
}

export interface DoctorReport {
  file: string;
  /** `good`: at most notes. `fair`: something poor. `bad`: something bad. */
  grade: 'good' | 'fair' | 'bad';
  trees: string[];
  /** The version of ROOT that wrote the file: "6.36/04". */
  writer: string;
  /** How well each tree is laid out for the given use, or for typical uses. */
  verdicts: UseVerdict[];
  findings: DoctorFinding[];
  /** Parts that could not be examined. */
  notes: string[];
}

/** A link, with its name in reports. */
export interface NamedLink extends LinkEstimate {
  name: string;
  /**
   * Set for a hard disk: each read waits for the head to move, also the reads of one fill of a TTreeCache. ROOT reads
   * over gaps there.
   */
  isDisk?: boolean | undefined;
}

/** How well a tree is laid out for a use. */
export interface UseVerdict {
  tree: string;
  /** Name of the use: the given one, or a typical one. */
  use: string;
  /** `good`: at most a quarter more time than after a repair, on every link. `fair`: at most twice the time. */
  grade: DoctorReport['grade'];
  branches: number;
  /** Costs now and repaired, on each link. */
  costs: DoctorCost[];
}

export interface DoctorOptions extends CallOptions {
  /** Examines only this tree. */
  tree?: string | undefined;
  /** Reads the values of branches that look constant or identical, to be certain. */
  deep?: boolean | undefined;
  /** The use for which the file is judged. Findings and costs are then for this use. */
  use?: FileUse | undefined;
}

/** Facts about an open file that the report contains. */
export type ExaminedFile = Pick<FileInfo, 'id' | 'name' | 'rootVersion'>;
