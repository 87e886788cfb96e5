import type { DoctorRule } from './doctor-rules';
import type { UseVerdict } from './doctor-use';

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

export function gradeOf(findings: readonly Pick<DoctorFinding, 'grade'>[]): DoctorReport['grade'] {
  if (findings.some(({ grade }) => grade === 'bad')) return 'bad';
  return findings.some(({ grade }) => grade === 'poor') ? 'fair' : 'good';
}

/**
 * Kind of remedy. `rewrite`: the tree entry by entry, in clusters. `recompress`: the same with zstd. `copy`: the
 * unchanged file, without unused space.
 */
export type Cure = 'rewrite' | 'recompress' | 'copy';

/** A finding without its remedies, which are determined for the whole file. */
export type Draft = Omit<DoctorFinding, 'remedies'> & { cure?: Cure | undefined };

/** Makes a finding of a tree. */
export function draft(
  tree: string,
  rule: DoctorRule,
  grade: DoctorGrade,
  evidence: string,
  more: Partial<Draft> = {},
): Draft {
  return { rule, grade, tree, certainty: 'sure', evidence, numbers: {}, promises: [], costs: [], ...more };
}

/** Maximum number of branches that a finding names. */
const NAMED = 50;

/** Returns the members of a finding for its branches. */
export function about(branches: readonly { path: string }[]): Pick<Draft, 'branches' | 'branchCount'> {
  return { branches: branches.slice(0, NAMED).map(({ path }) => path), branchCount: branches.length };
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)} %`;
}
